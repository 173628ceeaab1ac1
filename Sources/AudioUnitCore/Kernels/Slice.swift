// SPDX-License-Identifier: Apache-2.0

/// A run of frames of one bus, one buffer per channel, planar Float32.
///
/// It borrows the memory of the render call and must not outlive it.
public struct Slice {
  @usableFromInline let channels: UnsafePointer<UnsafeMutablePointer<Float>>
  public let channelCount: Int
  public let frameCount: Int
  /// Whether all of it is known to be zero: a kernel may then leave it alone.
  public let isSilent: Bool
  /// Frames to skip in every buffer.
  @usableFromInline let offset: Int

  @_noLocks @inlinable
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

  /// Fills every channel with silence.
  @_noLocks @inlinable
  public func clear() {
    for channel in 0..<channelCount {
      self[channel].update(repeating: 0, count: frameCount)
    }
  }
}

/// The slices of several buses.
public struct BusSlices {
  @usableFromInline let slices: UnsafePointer<Slice>
  public let count: Int

  @_noLocks @inlinable
  public init(_ slices: UnsafePointer<Slice>, count: Int) {
    self.slices = slices
    self.count = count
  }

  @_noLocks @inlinable @inline(__always)
  public subscript(bus: Int) -> Slice { slices[bus] }
}
