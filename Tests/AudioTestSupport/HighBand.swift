// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What a signal contains above 8 kHz, at 48,000 Hz: where a click of a low sound is found.
///
/// A linear-phase filter with 113 taps: below 3 kHz it attenuates by 180 dB.
package struct HighBand {
  private static let half = 56

  private static let taps: [Double] = {
    let beta = 0.1102 * (185 - 8.7)
    func bessel(_ x: Double) -> Double {
      var (term, sum, order) = (1.0, 1.0, 1.0)
      while term > sum * 1e-18 {
        term *= x * x / 4 / (order * order)
        sum += term
        order += 1
      }
      return sum
    }
    let cutoff = 5_500 / 24_000.0
    var low = (-half...half).map { (tap: Int) -> Double in
      let (place, position) = (Double(tap), Double(tap) / Double(half))
      let sinc = tap == 0 ? cutoff : sin(.pi * cutoff * place) / (.pi * place)
      return sinc * bessel(beta * sqrt(1 - position * position)) / bessel(beta)
    }
    // Exactly one at 0 Hz, so that the rest is exactly zero there.
    let sum = low.reduce(0, +)
    low = low.map { -$0 / sum }
    low[half] += 1
    return low
  }()

  /// The highest magnitude in a range of frames.
  package static func peak(of samples: [Double], in range: Range<Int>) -> Double {
    var peak = 0.0
    samples.withUnsafeBufferPointer { samples in
      taps.withUnsafeBufferPointer { taps in
        for frame in max(range.lowerBound, half)..<min(range.upperBound, samples.count - half) {
          // The taps are symmetric.
          var sum = taps[half] * samples[frame]
          for tap in 1...half {
            sum += taps[half + tap] * (samples[frame + tap] + samples[frame - tap])
          }
          peak = max(peak, abs(sum))
        }
      }
    }
    return peak
  }

  /// Noise without anything above 3 kHz, with peaks of 0.25, that can be played in a loop.
  package static func lowNoise(_ count: Int, seed: UInt64) -> [Float] {
    var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    let noise = (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Double(state >> 11) * 0x1p-52 - 1
    }
    let half = 200
    let window = (-half...half).map { (tap: Int) -> Double in
      let (place, position) = (Double(tap), Double(tap) / Double(half + 1))
      let cutoff = 2_000 / 24_000.0
      let sinc = tap == 0 ? cutoff : sin(.pi * cutoff * place) / (.pi * place)
      // A window of the fourth order, which falls by far more than 180 dB until 8 kHz.
      return sinc * pow(cos(.pi / 2 * position), 6)
    }
    var low = [Double](repeating: 0, count: count)
    for frame in 0..<count {
      for tap in 0...2 * half { low[frame] += window[tap] * noise[(frame + tap) % count] }
    }
    let peak = low.reduce(0) { max($0, abs($1)) }
    return low.map { Float(0.25 * $0 / peak) }
  }
}

/// How far a fade has moved to its target at a part of its length: 0 before it, 1 after it.
package func fadeWeight(_ part: Double) -> Double {
  let part = min(max(part, 0), 1)
  return part * part * part * (10 - 15 * part + 6 * part * part)
}
