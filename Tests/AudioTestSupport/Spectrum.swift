// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The spectrum of a signal with a seven-term Blackman-Harris window (side lobes below -180 dB).
public struct Spectrum: Sendable {
  /// Amplitude of a sine at each bin.
  public let amplitudes: [Double]
  /// Distance of the bins in Hz.
  public let binWidth: Double

  /// Half the width of a spectral line in bins.
  static let reach = 8

  /// Analyses the first samples of a signal, as many as the largest power of two below its length.
  public init(_ signal: Signal) {
    let length = 1 << (Int.bitWidth - 1 - max(1, signal.count).leadingZeroBitCount)
    let terms = [
      0.27105140069342, -0.43329793923448, 0.21812299954311, -0.06592544638803, 0.01081174209837,
      -0.00077658482522, 0.00001388721735,
    ]
    var (real, imaginary) = ([Double](), [Double](repeating: 0, count: length))
    real.reserveCapacity(length)
    for index in 0..<length {
      let angle = 2 * Double.pi * Double(index) / Double(length)
      let window = terms.enumerated().reduce(0) { $0 + $1.element * cos(Double($1.offset) * angle) }
      real.append(signal.samples[index] * window)
    }
    fourierTransform(&real, &imaginary)
    let scale = 2 / (Double(length) * terms[0])
    amplitudes = (0...length / 2).map { hypot(real[$0], imaginary[$0]) * scale }
    binWidth = signal.sampleRate / Double(length)
  }

  /// Highest level within a line's width of `frequency`.
  public func amplitude(at frequency: Double) -> Double {
    let bin = Int((frequency / binWidth).rounded())
    return amplitudes[max(0, bin - 1)...min(amplitudes.count - 1, bin + 1)].max() ?? 0
  }

  /// Highest level below a frequency, except at `frequencies` and at zero.
  public func highest(
    except frequencies: [Double] = [], below limit: Double = .infinity
  ) -> (amplitude: Double, frequency: Double) {
    var others = Array(amplitudes.prefix(Int(min(limit / binWidth, Double(amplitudes.count)))))
    for frequency in [0] + frequencies {
      let bin = Int((frequency / binWidth).rounded())
      let first = max(0, bin - Self.reach - 1)
      let last = min(others.count - 1, bin + Self.reach + 1)
      if first <= last { for index in first...last { others[index] = 0 } }
    }
    let bin = others.indices.max { others[$0] < others[$1] } ?? 0
    return (others[bin], Double(bin) * binWidth)
  }
}

/// Transforms in place; the length is a power of two.
public func fourierTransform(_ real: inout [Double], _ imaginary: inout [Double]) {
  let count = real.count
  var reversed = 0
  for index in 1..<max(1, count) {
    var bit = count >> 1
    while reversed & bit != 0 {
      reversed ^= bit
      bit >>= 1
    }
    reversed |= bit
    if index < reversed {
      real.swapAt(index, reversed)
      imaginary.swapAt(index, reversed)
    }
  }
  var size = 2
  while size <= count {
    let half = size / 2
    for offset in 0..<half {
      let angle = -2 * Double.pi * Double(offset) / Double(size)
      let (c, s) = (cos(angle), sin(angle))
      for start in stride(from: offset, to: count, by: size) {
        let (r, i) = (real[start + half], imaginary[start + half])
        let (turnedReal, turnedImaginary) = (r * c - i * s, r * s + i * c)
        real[start + half] = real[start] - turnedReal
        imaginary[start + half] = imaginary[start] - turnedImaginary
        real[start] += turnedReal
        imaginary[start] += turnedImaginary
      }
    }
    size *= 2
  }
}
