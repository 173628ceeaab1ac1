// SPDX-License-Identifier: Apache-2.0

/// A run of frames of one bus, one buffer per channel, planar Float32.
///
/// It borrows the memory of the render call and must not outlive it.
public struct Slice: BitwiseCopyable {
  /// The start of each channel's buffer; the slice begins `offset` frames later.
  public let channels: UnsafePointer<UnsafeMutablePointer<Float>>
  public let channelCount: Int
  public internal(set) var frameCount: Int
  /// Whether all samples are known to be zero, so that a kernel may skip the slice.
  public internal(set) var isSilent: Bool
  /// Whether `BusSlices.passOn` may pass the memory on as an output.
  public internal(set) var canPassOn = false
  /// For an output: the number, counted from 1, of the input whose memory it uses; 0: none. Stored
  /// here so that a bus fits in a cache line.
  var passedInput: UInt32 = 0
  /// The number of frames before the slice in each buffer.
  public internal(set) var offset: Int

  @_noLocks
  public init(
    channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int,
    offset: Int = 0, isSilent: Bool = false
  ) {
    self.channels = channels
    self.channelCount = channelCount
    self.frameCount = frameCount
    self.offset = offset
    self.isSilent = isSilent
  }

  /// The samples of one channel.
  @_noLocks @inlinable @inline(__always)
  public subscript(channel: Int) -> UnsafeMutablePointer<Float> { channels[channel] + offset }

  /// The buffers, for reading only.
  public var readable: UnsafePointer<UnsafePointer<Float>> {
    @_noLocks get { UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafePointer<Float>.self) }
  }

  /// Fills every channel with silence.
  @_noLocks @inlinable
  public func clear() {
    for channel in 0..<channelCount {
      self[channel].update(repeating: 0, count: frameCount)
    }
  }
}

extension Slice {
  /// Whether every sample is a number: neither infinite nor NaN.
  package var isFinite: Bool {
    @_noLocks get {
      for channel in 0..<channelCount where !Self.areFinite(self[channel], frameCount) {
        return false
      }
      return true
    }
  }

  @_noLocks
  private static func areFinite(_ samples: UnsafePointer<Float>, _ count: Int) -> Bool {
    // A number less itself is zero, and anything else is NaN, which has bits.
    var bits = SIMD16<UInt32>.zero
    var index = 0
    while index &+ 16 <= count {
      let some = UnsafeRawPointer(samples + index).loadUnaligned(as: SIMD16<Float>.self)
      bits |= unsafeBitCast(some - some, to: SIMD16<UInt32>.self)
      index &+= 16
    }
    guard bits == .zero else { return false }
    while index < count {
      guard samples[index].isFinite else { return false }
      index &+= 1
    }
    return true
  }
}

/// The slices of several buses.
public struct BusSlices: BitwiseCopyable {
  @usableFromInline let buses: UnsafePointer<Bus>
  public let count: Int
  /// The only buses that may differ from the previous slice: all others are silent, as they were. Nil
  /// if any may differ. Only inputs of mixers have it.
  public internal(set) var changing: BusNumbers?

  init(_ buses: UnsafePointer<Bus>, count: Int) {
    self.buses = buses
    self.count = count
  }

  @_noLocks @inlinable @inline(__always)
  public subscript(bus: Int) -> Slice { buses[bus].slice }

  /// [render thread] Points bus `output` of `outputs` at the samples of bus `bus`, which saves
  /// copying them; both need the same number of channels. False if that is impossible: then the
  /// kernel must copy the samples.
  ///
  /// A kernel that passes an input on to its only output must do nothing else: the following slices
  /// pass it on again without running the kernel, until a value is set.
  @_noLocks
  public func passOn(_ bus: Int, to outputs: BusSlices, _ output: Int) -> Bool {
    guard buses[bus].slice.canPassOn, !outputs.isPart,
      outputs.buses[output].buffer.isLike(buses[bus].buffer)
    else { return false }
    outputs.buses[output].buffer.borrow(buses[bus].buffer)
    UnsafeMutablePointer(mutating: outputs.buses)[output].slice.passedInput = UInt32(bus) + 1
    return true
  }

  /// [render thread] Sets whether a bus that the kernel has filled is completely zero.
  @_noLocks
  public func setSilent(_ bus: Int, _ isSilent: Bool) {
    UnsafeMutablePointer(mutating: buses)[bus].slice.isSilent = isSilent && !isPart
  }

  /// Whether the slice is only a part of the render.
  private var isPart: Bool { @_noLocks get { buses[0].isPart } }
}
