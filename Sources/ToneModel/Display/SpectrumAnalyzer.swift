// SPDX-License-Identifier: Apache-2.0
import Foundation
import SignalProcessing

/// The spectrum of the last frames, on a scale of equal ratios.
public final class SpectrumAnalyzer {
  /// Frames that are looked at.
  public static let frameCount = 8_192
  /// What lies below is not shown, in dBFS.
  public static let floor = -120.0

  private let transform = FourierTransform(count: frameCount)
  private let window: [Double]
  private var real = [Double](repeating: 0, count: frameCount)
  private var imaginary = [Double](repeating: 0, count: frameCount)

  /// Makes the window: Blackman and Harris's of four terms, side lobes below -92 dB.
  public init() {
    let terms = [0.35875, -0.48829, 0.14128, -0.01168]
    window = (0..<Self.frameCount).map { index in
      let angle = 2 * Double.pi * Double(index) / Double(Self.frameCount)
      let sum = terms.enumerated().reduce(0) { $0 + $1.element * cos(Double($1.offset) * angle) }
      // A sine of amplitude one shall read one.
      return sum * 2 / (terms[0] * Double(Self.frameCount))
    }
  }

  /// The largest level within each of `count` equal ratios of frequency from `range.lowerBound` to
  /// its upper bound in Hz, in dBFS, for as many samples as `frameCount` says.
  public func levels(
    of samples: [Float], sampleRate: Double, _ count: Int,
    in range: ClosedRange<Double> = ToneModel.frequencies
  ) -> [Double] {
    guard samples.count == Self.frameCount, count > 0 else {
      return Array(repeating: Self.floor, count: max(count, 0))
    }
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
        return max(highest, real[bin] * real[bin] + imaginary[bin] * imaginary[bin])
      }
      return max(10 * log10(max(highest, 1e-30)), Self.floor)
    }
  }
}
