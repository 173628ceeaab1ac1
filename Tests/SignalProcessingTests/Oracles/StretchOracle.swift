// SPDX-License-Identifier: Apache-2.0

import CKernels

@testable import SignalProcessing

/// The transforms of stretching in plain Swift: the C kernels give the same bits.
enum StretchOracle {
  typealias Target = UnsafeMutablePointer<Float>
  typealias Source = UnsafePointer<Float>

  static func window(
    _ even: Target, _ odd: Target, _ samples: Source, _ window: Source, count: Int
  ) {
    for index in 0..<count {
      even[index] = samples[2 * index] * window[index]
      odd[index] = samples[2 * index + 1] * window[count + index]
    }
  }

  static func pass(
    _ real: Target, _ imaginary: Target, _ fromReal: Source, _ fromImaginary: Source,
    _ factors: Source, size: Int, stride: Int
  ) {
    let n = 8 * stride
    guard size > 2 else {
      for q in 0..<n {
        let (ar, ai, br, bi) = (
          fromReal[q], fromImaginary[q], fromReal[n + q], fromImaginary[n + q]
        )
        (real[q], imaginary[q]) = (ar + br, ai + bi)
        (real[n + q], imaginary[n + q]) = (ar - br, ai - bi)
      }
      return
    }
    let m = n * (size / 4)
    for p in 0..<size / 4 {
      let w = factors + 6 * p
      for q in 0..<n {
        let (r, i) = (fromReal + (n * p + q), fromImaginary + (n * p + q))
        let (y, z) = (real + (4 * n * p + q), imaginary + (4 * n * p + q))
        let (pr, pi) = (r[0] + r[2 * m], i[0] + i[2 * m])
        let (mr, mi) = (r[0] - r[2 * m], i[0] - i[2 * m])
        let (br, bi) = (r[m] + r[3 * m], i[m] + i[3 * m])
        let (jr, ji) = (i[3 * m] - i[m], r[m] - r[3 * m])
        (y[0], z[0]) = (pr + br, pi + bi)
        (y[n], z[n]) = product(mr - jr, mi - ji, w[0], w[1])
        (y[2 * n], z[2 * n]) = product(pr - br, pi - bi, w[2], w[3])
        (y[3 * n], z[3 * n]) = product(mr + jr, mi + ji, w[4], w[5])
      }
    }
  }

  private static func product(_ r: Float, _ i: Float, _ c: Float, _ s: Float) -> (Float, Float) {
    (r * c - i * s, r * s + i * c)
  }

  static func join(
    _ real: Target, _ imaginary: Target, _ fromReal: Source, _ fromImaginary: Source,
    _ transform: UnsafePointer<StretchTransform>
  ) {
    let m = transform.pointee.count / 8
    let (wr, wi) = (transform.pointee.lastReal, transform.pointee.lastImaginary)
    let half: Float = 0x1.6a09e6p-1
    for k in 0..<m {
      var (r, i) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
      for v in 0..<8 {
        let at = 8 * k + v
        (r[v], i[v]) = product(fromReal[at], fromImaginary[at], wr[at], wi[at])
      }
      var (e, o) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
      for h in 0..<2 {
        let (pr, pi) = (r[h] + r[h + 4], i[h] + i[h + 4])
        let (mr, mi) = (r[h] - r[h + 4], i[h] - i[h + 4])
        let (br, bi) = (r[h + 2] + r[h + 6], i[h + 2] + i[h + 6])
        let (jr, ji) = (i[h + 6] - i[h + 2], r[h + 2] - r[h + 6])
        (e[h * 4], o[h * 4]) = (pr + br, pi + bi)
        (e[h * 4 + 1], o[h * 4 + 1]) = (mr - jr, mi - ji)
        (e[h * 4 + 2], o[h * 4 + 2]) = (pr - br, pi - bi)
        (e[h * 4 + 3], o[h * 4 + 3]) = (mr + jr, mi + ji)
      }
      let zr = SIMD4<Float>(e[4], (e[5] + o[5]) * half, o[6], (o[7] - e[7]) * half)
      let zi = SIMD4<Float>(o[4], (o[5] - e[5]) * half, -e[6], -(o[7] + e[7]) * half)
      for v in 0..<4 {
        (real[k + v * m], imaginary[k + v * m]) = (e[v] + zr[v], o[v] + zi[v])
        (real[k + (v + 4) * m], imaginary[k + (v + 4) * m]) = (e[v] - zr[v], o[v] - zi[v])
      }
    }
  }

  static func split(
    _ real: Target, _ imaginary: Target, _ fromReal: Target, _ fromImaginary: Target,
    _ transform: UnsafePointer<StretchTransform>
  ) {
    let n = transform.pointee.count
    (fromReal[n], fromImaginary[n]) = (fromReal[0], fromImaginary[0])
    for k in 0..<n {
      let (ar, ai, br, bi) = (
        fromReal[k], fromImaginary[k], fromReal[n - k], fromImaginary[n - k]
      )
      let (wr, wi) = (transform.pointee.splitReal[k], transform.pointee.splitImaginary[k])
      let (pr, pi) = product(ai + bi, br - ar, wr, wi)
      real[k] = 0.5 * ((ar + br) + pr)
      imaginary[k] = 0.5 * ((ai - bi) + pi)
    }
    imaginary[0] = 0
  }

  static func merge(
    _ real: Target, _ imaginary: Target, _ fromReal: Source, _ fromImaginary: Source,
    _ transform: UnsafePointer<StretchTransform>
  ) {
    let n = transform.pointee.count
    for k in 0..<n {
      let (ar, ai, br, bi) = (
        fromReal[k], fromImaginary[k], fromReal[n - k], fromImaginary[n - k]
      )
      let (wr, wi) = (transform.pointee.splitReal[k], transform.pointee.splitImaginary[k])
      let (dr, di) = (ar - br, ai + bi)
      real[k] = (ar + br) - (di * wr - dr * wi)
      imaginary[k] = (ai - bi) + (dr * wr + di * wi)
    }
  }

  static func add(
    _ samples: Target, _ even: Source, _ odd: Source, _ window: Source, count: Int
  ) {
    for index in 0..<count {
      samples[2 * index] += even[index] * window[index]
      samples[2 * index + 1] += odd[index] * window[count + index]
    }
  }

  static func correlate(_ sums: Target, _ samples: Source, _ others: Source, count: Int) {
    for lag in 0..<8 {
      var a = SIMD8<Float>.zero
      for index in stride(from: 0, to: count, by: 8) {
        for v in 0..<8 { a[v] += samples[index + v] * others[index + v + lag] }
      }
      sums[lag] = sum(a)
    }
  }

  static func halve(
    _ halves: Target, _ samples: Source, gain: Float, count: Int, isFirst: Bool
  ) {
    for index in 0..<count {
      let sum = gain * (samples[2 * index] + samples[2 * index + 1])
      halves[index] = isFirst ? sum : halves[index] + sum
    }
  }

  static func energies(_ energies: Target, _ samples: Source) {
    var (a, b) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    for index in 0..<64 {
      let x = samples[index]
      let d = x - samples[index - 1]
      a[index % 8] += x * x
      b[index % 8] += d * d
    }
    energies[0] += sum(a)
    energies[1] += sum(b)
  }

  private static func sum(_ a: SIMD8<Float>) -> Float {
    ((a[0] + a[4]) + (a[1] + a[5])) + ((a[2] + a[6]) + (a[3] + a[7]))
  }
}
