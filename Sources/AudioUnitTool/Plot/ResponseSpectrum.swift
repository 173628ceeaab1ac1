// SPDX-License-Identifier: Apache-2.0
import Foundation
import SignalProcessing
@_spi(TrappingConversions) import CheckedNumbers

/// The spectrum of an impulse response.
struct ResponseSpectrum {
  /// One column of a diagram.
  struct Column {
    let frequency: Double
    let level: Double
    let phase: Double
  }

  private var real: [Double]
  private var imaginary: [Double]

  /// Removes the latency, so that phases do not include it.
  init(_ response: [Double], latency: Int) {
    real = Array(response.dropFirst(latency)) + [Double](repeating: 0, count: latency)
    imaginary = [Double](repeating: 0, count: real.count)
    let transform = FourierTransform(count: real.count)
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in
        guard let first = real.baseAddress, let second = imaginary.baseAddress else { return }
        transform.forward(first, second)
      }
    }
  }

  /// Columns at equal ratios of frequency up to half the sample rate: the mean power of the bins in
  /// each column, or an interpolation where columns are narrower than bins.
  func columns(_ count: Int, from lowest: Double, sampleRate: Double) -> [Column] {
    let binWidth = sampleRate / Double(real.count)
    let ratio = pow(sampleRate / 2 / lowest, 1 / Double(count))
    return (0...count).map { index in
      let frequency = lowest * pow(ratio, Double(index))
      let bin = frequency / binWidth
      let (first, last) = (
        bin / ratio.squareRoot(), min(bin * ratio.squareRoot(), Double(real.count / 2))
      )
      if last - first > 2 {
        let bins = Int(saturating: first.rounded(.up))...Int(saturating: last)
        let power = bins.reduce(0) { $0 + real[$1] * real[$1] + imaginary[$1] * imaginary[$1] }
        let nearest = min(Int(saturating: bin.rounded()), real.count / 2)
        return column(frequency, power / Double(bins.count), real[nearest], imaginary[nearest])
      }
      let low = min(Int(saturating: bin), real.count / 2 - 1)
      let part = min(bin - Double(low), 1)
      let r = real[low] + (real[low + 1] - real[low]) * part
      let i = imaginary[low] + (imaginary[low + 1] - imaginary[low]) * part
      return column(frequency, r * r + i * i, r, i)
    }
  }

  private func column(_ frequency: Double, _ power: Double, _ real: Double, _ imaginary: Double)
    -> Column
  {
    Column(
      frequency: frequency, level: 10 * log10(max(power, 1e-14)),
      phase: atan2(imaginary, real) * 180 / .pi)
  }
}
