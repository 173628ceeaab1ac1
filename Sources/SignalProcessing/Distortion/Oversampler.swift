// SPDX-License-Identifier: Apache-2.0

/// Converts one channel to four times its rate, where a memoryless nonlinearity may distort it, and
/// back.
///
/// Two half-band filters, one inside the other. Frequencies below 0.41 of the sample rate pass
/// level; distortion products above 0.59 of it are 100 dB down. The owner frees the memory with
/// `deallocate`.
public struct Oversampler: BitwiseCopyable, @unchecked Sendable {
  private static var outerTaps: Int { @_noLocks get { 36 } }
  private static var innerTaps: Int { @_noLocks get { 12 } }
  /// Latency of both conversions in frames. The inner filters delay by an odd number of samples at
  /// twice the rate; one more makes it even.
  public static var latencyFrames: Int { @_noLocks get { outerTaps - 1 + innerTaps / 2 } }

  private let outer: HalfBandFilter
  private let outerBack: HalfBandFilter
  private let inner: HalfBandFilter
  private let innerBack: HalfBandFilter
  /// At the original rate, and at twice the rate with one more sample.
  private let even: UnsafeMutablePointer<Float>
  private let odd: UnsafeMutablePointer<Float>
  private let doubled: UnsafeMutablePointer<Float>
  private let memory = OwnedMemory()
  private var heldSample: Float = 0

  /// The even and the odd samples at four times the rate: two of each per frame.
  public let evenSamples: UnsafeMutablePointer<Float>
  public let oddSamples: UnsafeMutablePointer<Float>

  /// [control thread]
  public init(maximumFrames: Int) {
    outer = HalfBandFilter(tapCount: Self.outerTaps, maximumFrames: maximumFrames)
    outerBack = HalfBandFilter(tapCount: Self.outerTaps, maximumFrames: maximumFrames)
    inner = HalfBandFilter(tapCount: Self.innerTaps, maximumFrames: 2 * maximumFrames)
    innerBack = HalfBandFilter(tapCount: Self.innerTaps, maximumFrames: 2 * maximumFrames)
    even = memory.array(maximumFrames, of: 0)
    odd = memory.array(maximumFrames, of: 0)
    doubled = memory.array(2 * maximumFrames + 1, of: 0)
    evenSamples = memory.array(2 * maximumFrames, of: 0)
    oddSamples = memory.array(2 * maximumFrames, of: 0)
  }

  /// [control thread] Frees the memory; nothing may use the oversampler afterwards.
  public func deallocate() {
    outer.deallocate()
    outerBack.deallocate()
    inner.deallocate()
    innerBack.deallocate()
    memory.deallocate()
  }

  /// Clears the signal history. [any thread]
  @_noLocks
  public mutating func reset() {
    outer.reset()
    outerBack.reset()
    inner.reset()
    innerBack.reset()
    heldSample = 0
  }

  /// Fills `evenSamples` and `oddSamples`. [any thread]
  @_noLocks
  public func upsample(_ input: UnsafePointer<Float>, count: Int) {
    outer.upsample(input, count: count, even: even, odd: odd)
    for index in 0..<count {
      doubled[2 &* index] = even[index]
      doubled[2 &* index &+ 1] = odd[index]
    }
    inner.upsample(doubled, count: 2 * count, even: evenSamples, odd: oddSamples)
  }

  /// Converts `evenSamples` and `oddSamples` back to the original rate. [any thread]
  @_noLocks
  public mutating func downsample(_ output: UnsafeMutablePointer<Float>, count: Int) {
    doubled[0] = heldSample
    innerBack.downsample(
      even: evenSamples, odd: oddSamples, count: 2 * count, output: doubled + 1)
    heldSample = doubled[2 * count]
    for index in 0..<count {
      even[index] = doubled[2 &* index]
      odd[index] = doubled[2 &* index &+ 1]
    }
    outerBack.downsample(even: even, odd: odd, count: count, output: output)
  }
}
