// SPDX-License-Identifier: Apache-2.0
import Foundation
import SignalProcessing

/// The spectrum of the last frames, on a logarithmic frequency scale.
public final class SpectrumAnalyzer {
  /// The frames of one spectrum.
  public static let frameCount = 8_192
  /// The lowest level shown, in dBFS.
  public static let floor = -120.0

  private let transform = FourierTransform(count: frameCount)
  private let window: [Double]
  private var real = [Double](repeating: 0, count: frameCount)
  private var imaginary = [Double](repeating: 0, count: frameCount)
  /// Whether `real` and `imaginary` contain a spectrum.
  private var hasSpectrum = false

  /// Makes the window: four-term Blackman-Harris, side lobes below -92 dB.
  public init() {
    let terms = [0.35875, -0.48829, 0.14128, -0.01168]
    window = (0..<Self.frameCount).map { index in
      let angle = 2 * Double.pi * Double(index) / Double(Self.frameCount)
      let sum = terms.enumerated().reduce(0) { $0 + $1.element * cos(Double($1.offset) * angle) }
      // Scaled so that a sine of amplitude 1 reads 0 dBFS.
      return sum * 2 / (terms[0] * Double(Self.frameCount))
    }
  }

  /// The largest level in each of `count` columns, in dBFS. The columns divide `range`, in Hz, into
  /// equal ratios. `samples` has `frameCount` samples.
  public func levels(
    of samples: [Float], sampleRate: Double, _ count: Int,
    in range: ClosedRange<Double> = ToneModel.audible
  ) -> [Double] {
    guard samples.count == Self.frameCount, count > 0 else {
      hasSpectrum = false
      return Array(repeating: Self.floor, count: max(count, 0))
    }
    analyze(samples)
    let binWidth = sampleRate / Double(Self.frameCount)
    let ratio = range.upperBound / range.lowerBound
    func bin(_ column: Int) -> Double {
      range.lowerBound * pow(ratio, Double(column) / Double(count)) / binWidth
    }
    return (0..<count).map { column in
      let (first, last) = (bin(column), bin(column + 1))
      let bins = Int(first.rounded())...max(Int(first.rounded()), Int(last.rounded()) - 1)
      let highest = bins.reduce(0.0) { highest, bin in
        guard bin < Self.frameCount / 2 else { return highest }
        return max(highest, power(bin))
      }
      return max(10 * log10(max(highest, 1e-30)), Self.floor)
    }
  }

  /// The highest peak of the latest spectrum: its frequency in Hz and its level in dBFS; nil if
  /// nothing exceeds the floor.
  ///
  /// The peak between two bins is that of a parabola through the logarithms of three bins (J. O.
  /// Smith, Spectral Audio Signal Processing). With this window its error is below a hundredth of a
  /// bin and a tenth of a decibel.
  public func peak(
    in range: ClosedRange<Double> = ToneModel.audible, sampleRate: Double
  ) -> (frequency: Double, level: Double)? {
    let binWidth = sampleRate / Double(Self.frameCount)
    let first = max(1, Int((range.lowerBound / binWidth).rounded()))
    let last = min(Self.frameCount / 2 - 2, Int((range.upperBound / binWidth).rounded()))
    guard hasSpectrum, first <= last else { return nil }
    let highest = (first...last).max { power($0) < power($1) } ?? first
    let (below, level, above) = (decibels(highest - 1), decibels(highest), decibels(highest + 1))
    guard level > Self.floor else { return nil }
    let curvature = below - 2 * level + above
    // At the edge of the range there may be a slope instead of a peak.
    guard level >= below, level >= above, curvature < 0 else {
      return (Double(highest) * binWidth, level)
    }
    let offset = 0.5 * (below - above) / curvature
    return ((Double(highest) + offset) * binWidth, level - 0.25 * (below - above) * offset)
  }

  private func power(_ bin: Int) -> Double {
    real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
  }

  private func decibels(_ bin: Int) -> Double { 10 * log10(max(power(bin), 1e-30)) }

  private func analyze(_ samples: [Float]) {
    for index in samples.indices {
      real[index] = Double(samples[index]) * window[index]
      imaginary[index] = 0
    }
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in
        guard let first = real.baseAddress, let second = imaginary.baseAddress else { return }
        transform.forward(first, second)
      }
    }
    hasSpectrum = true
  }
}
