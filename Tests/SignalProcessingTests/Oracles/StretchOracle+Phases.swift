// SPDX-License-Identifier: Apache-2.0

@testable import SignalProcessing

/// The phase kernels.
extension StretchOracle {
  static func products(
    _ power: Target, _ real: Target, _ imaginary: Target, x: Spectrum, y: Spectrum,
    b: Spectrum,
    count: Int, isFirst: Bool
  ) {
    for k in 0..<count {
      let (xr, xi, yr, yi) = (x.real[k], x.imaginary[k], y.real[k], y.imaginary[k])
      let (br, bi) = (b.real[k], b.imaginary[k])
      let (p, r, i) = (xr * xr + xi * xi, yr * br + yi * bi, yi * br - yr * bi)
      power[k] = isFirst ? p : power[k] + p
      real[k] = isFirst ? r : real[k] + r
      imaginary[k] = isFirst ? i : imaginary[k] + i
    }
  }

  static func peaks(
    _ peaks: UnsafeMutablePointer<Int32>, _ power: Source, _ bins: Range<Int>
  ) -> Int {
    var found = 0
    for k in bins
    where power[k] > power[k - 1] && power[k] > power[k - 2] && power[k] >= power[k + 1]
      && power[k] >= power[k + 2]
    {
      peaks[found] = Int32(k)
      found += 1
    }
    return found
  }

  private static func normalized(_ r: Float, _ i: Float) -> (Float, Float) {
    let square = r * r + i * i
    guard square > 1e-30 else { return (1, 0) }
    let scale = 1 / Math.squareRoot(square)
    return (r * scale, i * scale)
  }

  static func regions(
    _ rotation: Spectrum, _ power: Source, _ products: Spectrum,
    _ peaks: UnsafePointer<Int32>,
    peakCount: Int, _ range: Range<Int>, start: Int, count: Int
  ) -> Int {
    var start = start
    for index in range {
      let peak = Int(peaks[index])
      var border = count
      if index + 1 < peakCount {
        border = peak
        for k in peak + 1..<Int(peaks[index + 1]) where power[k] < power[border] { border = k }
      }
      let (r, i) = (products.real + peak, products.imaginary + peak)
      let unit = normalized((r[-1] + r[0]) + r[1], (i[-1] + i[0]) + i[1])
      for k in start..<max(start, border) { (rotation.real[k], rotation.imaginary[k]) = unit }
      start = border
    }
    return start
  }

  static func rotations(
    _ rotation: Spectrum, _ products: Spectrum, count: Int
  ) {
    for k in 0..<count {
      (rotation.real[k], rotation.imaginary[k]) = normalized(
        products.real[k], products.imaginary[k])
    }
  }

  static func rotate(
    _ y: Spectrum, _ a: Spectrum, by rotation: Spectrum, count: Int
  ) {
    for k in 0..<count {
      let (r, i, c, d) = (a.real[k], a.imaginary[k], rotation.real[k], rotation.imaginary[k])
      (y.real[k], y.imaginary[k]) = (r * c - i * d, r * d + i * c)
    }
  }

  static func rotateBefore(
    _ y: Spectrum, _ a: Spectrum, before: Spectrum, keep: Source,
    by rotation: Spectrum, count: Int
  ) {
    for k in 0..<count {
      let (c, d, u) = (rotation.real[k], rotation.imaginary[k], keep[k])
      var (q, r) = (before.real[k], before.imaginary[k])
      var (s, t) = (a.real[k] - q, a.imaginary[k] - r)
      q += s * u
      r += t * u
      s -= s * u
      t -= t * u
      y.real[k] = (q * c - r * d) + s
      y.imaginary[k] = (q * d + r * c) + t
    }
  }
}
