// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A copy of a sample for high keys, without the frequencies that would alias there.
///
/// FluidSynth reads a sample faster for higher keys, and does not filter it: what is then above half
/// the sample rate is mirrored below. There is a copy for each half octave above the sample's own
/// pitch. Its band ends where its highest key reaches half the rate. Every second copy has half the
/// rate of those before, so all together need at most four times the memory of a sample without a loop.
struct BandLimitedCopy {
  /// Half octaves above the own pitch; higher keys play the last copy.
  static let maximumStep = 12
  /// Fewer frames are not worth a copy.
  private static let minimumFrames = 64

  private(set) var samples: [Float]
  /// The repeated part, which is exactly periodic.
  private(set) var loop: Range<Int>?

  /// The step for a pitch above that of the sample, which at its own pitch is read with `speed`.
  static func step(cents: Double, speed: Double) -> Int {
    let halfOctaves = cents / 600 + 2 * log2(speed)
    guard halfOctaves.isFinite, halfOctaves > 0.01 else { return 0 }
    return Int(min((halfOctaves - 0.01).rounded(.up), Double(maximumStep)))
  }

  /// How much lower the rate of a copy is, in octaves.
  static func octaves(step: Int) -> Int { step > 0 ? (step - 1) / 2 : 0 }

  /// The frames that a copy is made of, with the repetitions of its loop.
  static func frameCount(_ count: Int, loop: Range<Int>?, step: Int) -> Int {
    guard let loop else { return count }
    let interval = 1 << octaves(step: step)
    return loop.upperBound + roundUp(minimumFrames * interval, common(loop.count, interval))
  }

  /// [control thread] The copy for a step above 0; nil if the sample is too short.
  init?(_ source: [Float], loop: Range<Int>?, step: Int) {
    let interval = 1 << Self.octaves(step: step)
    let filter = Self.filter(band: pow(2, -Double(step) / 2))
    let half = filter.count / 2
    var length = source.count
    if let loop {
      // All is periodic from here on: the filter reads nothing from before the loop.
      let start = Self.roundUp(loop.upperBound + half, interval)
      let whole = Self.common(loop.count, interval)
      let repeated = Self.roundUp(Self.minimumFrames * interval, whole)
      length = start + repeated
      self.loop = start / interval..<length / interval
    }
    guard length / interval >= Self.minimumFrames, length <= Self.maximumLength else { return nil }
    // The last frames of the loop continue with its first ones.
    let count = length / interval
    var padded = [Float](repeating: 0, count: length + 2 * half + 8)
    for frame in 0..<length + half {
      let place =
        if let loop, frame >= loop.upperBound {
          loop.lowerBound + (frame - loop.lowerBound) % loop.count
        } else { frame }
      if place < source.count { padded[half + frame] = source[place] }
    }
    samples = [Float](unsafeUninitializedCapacity: count) { output, written in
      for frame in 0..<count {
        output.initializeElement(at: frame, to: Self.product(padded, interval * frame, filter))
      }
      written = count
    }
    // What exceeds full scale would be cut.
    let peak = samples.reduce(0) { max($0, abs($1)) }
    if peak > 1 { for index in samples.indices { samples[index] /= peak } }
  }

  private static let maximumLength = 1 << 28

  /// The sum of products from a frame on; the filter has a multiple of eight taps.
  private static func product(_ samples: [Float], _ start: Int, _ filter: [Float]) -> Float {
    samples.withUnsafeBytes { samples in
      filter.withUnsafeBytes { filter in
        var sum = SIMD8<Float>.zero
        for offset in stride(from: 0, to: filter.count, by: 32) {
          sum +=
            samples.loadUnaligned(fromByteOffset: 4 * start + offset, as: SIMD8<Float>.self)
            * filter.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
        }
        return sum.sum()
      }
    }
  }

  /// A low-pass filter with linear phase: flat to 85 % of a band, a fraction of half the rate, and
  /// below -80 dB from its end on. A sinc under a Kaiser window; the centre is the tap at `count / 2`.
  private static func filter(band: Double) -> [Float] {
    let half = Self.roundUp(Int((96 / band * 0.5).rounded(.up)), 4)
    let cutoff = 0.925 * band
    let shape = 9.0
    var taps = (0..<2 * half).map { index -> Double in
      let distance = Double(index - half)
      let place = distance / Double(half)
      let angle = Double.pi * cutoff * distance
      let window = bessel(shape * max(0, 1 - place * place).squareRoot())
      return window * (distance == 0 ? 1 : sin(angle) / angle)
    }
    let sum = taps.reduce(0, +)
    for index in taps.indices { taps[index] /= sum }
    return taps.map { Float($0) }
  }

  /// The modified Bessel function of order 0.
  private static func bessel(_ value: Double) -> Double {
    var (sum, term, index) = (1.0, 1.0, 1.0)
    while term > 1e-12 * sum {
      term *= (value / (2 * index)) * (value / (2 * index))
      sum += term
      index += 1
    }
    return sum
  }

  private static func roundUp(_ value: Int, _ step: Int) -> Int {
    (value + step - 1) / step * step
  }

  /// The lowest common multiple with a power of two.
  private static func common(_ value: Int, _ power: Int) -> Int {
    value * (power / min(power, value & -value))
  }
}
