// SPDX-License-Identifier: Apache-2.0

import CKernels

@testable import SignalProcessing

/// Resampling and halving in plain Swift: the C kernels give the same bits.
enum ResamplingOracle {
  static func resample(
    into output: UnsafeMutablePointer<Float>, count: Int, from input: UnsafePointer<Float>,
    fine: UnsafePointer<Double>, rows: UnsafePointer<ResamplingRows>, first: Int
  ) {
    let rows = rows.pointee
    let base = Int(rows.starts[first / rows.group])
    for index in 0..<count {
      let (cycle, number) = (first + index).quotientAndRemainder(
        dividingBy: rows.groups * rows.group)
      let group = number / rows.group
      let rowInGroup = number % rows.group
      let start = cycle * rows.period + Int(rows.starts[group]) - base
      let vectors = 2 * rows.pairs + (rows.rest >= 0 ? 1 : 0)
      var row = rows.outer + (group * vectors * rows.group + rowInGroup) * 8
      var sums = SIMD8<Float>.zero
      var others = SIMD8<Float>.zero
      var (window, other) = (input + start, input + (start + rows.second))
      for _ in 0..<rows.pairs {
        sums += load(window) * load(row)
        row += rows.group * 8
        // Groups of seven and eight have one set of sums.
        if rows.group <= 4 {
          others += load(other) * load(row)
        } else {
          sums += load(other) * load(row)
        }
        row += rows.group * 8
        window += rows.firstStep
        other += rows.secondStep
      }
      sums += others
      if rows.rest >= 0 { sums += load(input + (start + rows.rest)) * load(row) }
      guard rows.innerCount > 0 else {
        output[index] = sum(sums)
        continue
      }
      let lanes = rows.group > 4 ? 8 : 4
      let inner = rows.inner + (group * rows.innerCount * lanes + rowInGroup)
      let frames = fine + (start + rows.innerStart)
      var (even, odd) = (0.0, 0.0)
      for frame in stride(from: 0, to: rows.innerCount, by: 2) {
        even += frames[frame] * inner[frame * lanes]
        odd += frames[frame + 1] * inner[(frame + 1) * lanes]
      }
      output[index] = Float((even + odd) + wideSum(sums))
    }
  }

  /// For one channel.
  static func resampleInterpolated(
    into output: UnsafeMutablePointer<Float>, count: Int, from input: UnsafePointer<Float>,
    table: UnsafePointer<Float>, taps: Int, divisions: Int, walk: ResamplingWalk
  ) {
    var walk = walk
    var window = input
    let scale = Double(divisions) / Double(walk.modulus)
    for index in 0..<count {
      let position = Double(walk.phase) * scale
      // The last phase may round up to the next frame.
      let line = min(Int(position), divisions - 1)
      let t = Float(position - Double(line))
      // Lagrange's cubic through the rows at -1, 0, 1 and 2.
      let a = t * (t - 2)
      let b = (t + 1) * (t - 1)
      let w0 = (a * (t - 1)) * (-1.0 / 6)
      let w1 = (b * (t - 2)) * 0.5
      let w2 = (a * (t + 1)) * -0.5
      let w3 = (b * t) * (1.0 / 6)
      let row = table + line * taps
      var (a0, a1, a2, a3) = (
        SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero
      )
      var tap = 0
      while tap < taps {
        let x = load(window + tap)
        a0 += x * load(row + tap)
        a1 += x * load(row + (tap + taps))
        a2 += x * load(row + (tap + 2 * taps))
        a3 += x * load(row + (tap + 3 * taps))
        tap &+= 8
      }
      output[index] = sum((w0 * a0 + w3 * a3) + (w1 * a1 + w2 * a2))
      if let steps = walk.steps {
        walk.phase += steps[index]
        window += Int(walk.phase >> 56)
        walk.phase &= ResamplingPosition.fineModulus - 1
        continue
      }
      window += Int(walk.whole)
      walk.phase += walk.part
      if walk.phase >= walk.modulus {
        walk.phase -= walk.modulus
        window += 1
      }
    }
  }

  static func halve(
    into output: UnsafeMutablePointer<Float>, count: Int, even: UnsafePointer<Float>,
    odd: UnsafePointer<Float>, coefficients: UnsafePointer<Float>, pairs: Int
  ) {
    for index in 0..<count {
      let even = even + index
      let sum = halveOuter(even, coefficients, inner: 0, pairs: pairs)
      output[index] = sum + 0.5 * odd[index]
    }
  }

  /// Sum of the pairs from `inner` on, in the order of the C kernels.
  private static func halveOuter(
    _ even: UnsafePointer<Float>, _ coefficients: UnsafePointer<Float>, inner: Int, pairs: Int
  ) -> Float {
    var sum: Float = 0
    var first = inner + (pairs - inner - 1) / 24 * 24
    while first >= inner {
      for rest in stride(from: 7, through: 0, by: -1) {
        for pair in stride(from: first + rest + 16, through: first, by: -8) where pair < pairs {
          sum += coefficients[pair] * (even[-pair] + even[pair + 1])
        }
      }
      first -= 24
    }
    return sum
  }

  static func halveFine(
    into fine: UnsafeMutablePointer<Double>, and output: UnsafeMutablePointer<Float>, count: Int,
    even: UnsafePointer<Float>, odd: UnsafePointer<Float>, coefficients: UnsafePointer<Float>,
    pairs: Int, inner: UnsafePointer<Double>, innerPairs: Int
  ) {
    for index in 0..<count {
      let even = even + index
      var wide = Double(halveOuter(even, coefficients, inner: innerPairs, pairs: pairs))
      for pair in stride(from: innerPairs - 1, through: 0, by: -1) {
        wide += inner[pair] * (Double(even[-pair]) + Double(even[pair + 1]))
      }
      wide += 0.5 * Double(odd[index])
      fine[index] = wide
      output[index] = Float(wide)
    }
  }

  private static func load(_ samples: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(samples).loadUnaligned(as: SIMD8<Float>.self)
  }

  /// Sum of all lanes, in the order of the C kernels.
  private static func sum(_ lanes: SIMD8<Float>) -> Float {
    let four = lanes.lowHalf + lanes.highHalf
    return (four.x + four.z) + (four.y + four.w)
  }

  /// The sum in double precision.
  private static func wideSum(_ lanes: SIMD8<Float>) -> Double {
    let wide = SIMD8<Double>(lanes)
    let four = wide.lowHalf + wide.highHalf
    return (four.x + four.z) + (four.y + four.w)
  }
}
