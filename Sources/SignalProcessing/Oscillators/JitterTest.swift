// SPDX-License-Identifier: Apache-2.0

/// The J-test: a signal that provokes jitter in the clocks of digital connections.
///
/// A tone at a quarter of the sample rate, two frames up and two frames down, and a square wave of
/// the last bit at a 192nd of the rate, which turns the bits of small negative numbers all at once.
/// After Dunn, "Jitter: specification and assessment in digital audio equipment", Audio Engineering
/// Society, 93rd convention (1992). With an amplitude of one half it has the samples defined there.
enum JitterTest {
  /// The period in frames.
  static var period: UInt64 { @_noLocks get { 192 } }

  /// Writes a test for samples of `bits` bits that has played for `frame` frames. All samples are
  /// whole steps of that size. [render thread]
  @_noLocks
  static func render(
    into output: UnsafeMutablePointer<Float>, count: Int, from frame: UInt64, bits: Int,
    amplitude: Float, amplitudeStep: Float
  ) {
    let steps = Double(1 << (bits - 1))
    var place = frame % period
    for index in 0..<count {
      let level = Double(amplitude + amplitudeStep * Float(index)) * steps
      // Adding and subtracting this number rounds to an integer.
      let whole = min((level + 0x1.8p52) - 0x1.8p52, steps - 1)
      let lastBit = place < period / 2 ? 0.0 : 1
      let sample = (place & 2 == 0 ? -whole : whole) - lastBit
      output[index] = whole > 0 ? Float(sample / steps) : 0
      place = place + 1 == period ? 0 : place + 1
    }
  }
}
