// SPDX-License-Identifier: Apache-2.0

/// Carries one channel to four times its rate, where something without memory may bend it, and back.
///
/// Two half-band filters, one inside the other: what lies below 0.41 of the sample rate passes level,
/// what bending adds above 0.59 of it is 100 dB down. The memory is its owner's to free, by
/// `deallocate`.
public struct Oversampler: BitwiseCopyable, @unchecked Sendable {
  private static var outerTaps: Int { @_noLocks get { 36 } }
  private static var innerTaps: Int { @_noLocks get { 12 } }
  /// Frames by which the way there and back delays; the inner filters' odd number of samples at twice
  /// the rate is made even by one more.
  public static var latencyFrames: Int { @_noLocks get { outerTaps - 1 + innerTaps / 2 } }

  private let outer: HalfBandFilter
  private let outerBack: HalfBandFilter
  private let inner: HalfBandFilter
  private let innerBack: HalfBandFilter
  /// At the rate itself, and at twice the rate with one sample more.
  private let even: UnsafeMutablePointer<Float>
  private let odd: UnsafeMutablePointer<Float>
  private let doubled: UnsafeMutablePointer<Float>
  private let memory = OwnedMemory()
  private var held: Float = 0

  /// The samples at four times the rate, at even and at odd places: two of each per frame.
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

  /// [control thread] Frees the memory; nothing may use the oversampler any more.
  public func deallocate() {
    outer.deallocate()
    outerBack.deallocate()
    inner.deallocate()
    innerBack.deallocate()
    memory.deallocate()
  }

  /// Forgets what was heard. [any thread]
  @_noLocks
  public mutating func reset() {
    outer.reset()
    outerBack.reset()
    inner.reset()
    innerBack.reset()
    held = 0
  }

  /// Fills `evenSamples` and `oddSamples`. [any thread]
  @_noLocks
  public func raise(_ input: UnsafePointer<Float>, count: Int) {
    outer.raise(input, count: count, even: even, odd: odd)
    for index in 0..<count {
      doubled[2 &* index] = even[index]
      doubled[2 &* index &+ 1] = odd[index]
    }
    inner.raise(doubled, count: 2 * count, even: evenSamples, odd: oddSamples)
  }

  /// Gives what they hold back at the rate itself. [any thread]
  @_noLocks
  public mutating func lower(_ output: UnsafeMutablePointer<Float>, count: Int) {
    doubled[0] = held
    innerBack.lower(
      even: evenSamples, odd: oddSamples, count: 2 * count, output: doubled + 1)
    held = doubled[2 * count]
    for index in 0..<count {
      even[index] = doubled[2 &* index]
      odd[index] = doubled[2 &* index &+ 1]
    }
    outerBack.lower(even: even, odd: odd, count: count, output: output)
  }
}
