// SPDX-License-Identifier: Apache-2.0

/// Removes the DC offset: a first-order high-pass filter with its state in double precision.
public struct DCBlocker: BitwiseCopyable, Sendable {
  private let pole: Double
  private var input = 0.0
  private var output = 0.0

  /// Makes a filter that is 3 dB down at `frequency` (in hertz).
  public init(frequency: Double, sampleRate: Double) {
    pole = Elementary.decay(frames: sampleRate / (2 * .pi * frequency))
  }

  /// Clears the signal history. [any thread]
  @_noLocks
  public mutating func reset() {
    input = 0
    output = 0
  }

  /// Filters `count` samples in place. [any thread]
  @_noLocks
  public mutating func process(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    var (before, after) = (input, output)
    for index in 0..<count {
      let sample = Double(samples[index])
      after = sample - before + after * pole
      before = sample
      samples[index] = Float(after)
    }
    (input, output) = (before, after)
  }
}
