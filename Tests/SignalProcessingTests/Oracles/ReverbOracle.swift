// SPDX-License-Identifier: Apache-2.0

import CKernels

/// The feedback delay network in plain Swift: the C kernels give the same bits.
enum ReverbOracle {
  static func filter(
    _ past: UnsafePointer<Float>, _ taps: UnsafePointer<Float>,
    into output: UnsafeMutablePointer<Float>, count: Int
  ) {
    for i in 0..<count {
      let near = past[i + 3] * taps[0] + (past[i + 2] + past[i + 4]) * taps[1]
      output[i] = near + (past[i + 1] + past[i + 5]) * taps[2] + (past[i] + past[i + 6]) * taps[3]
    }
  }

  static func mix(_ work: UnsafePointer<NetworkRun>) {
    let run = work.pointee
    for i in 0..<run.count {
      func delayed(_ line: Int) -> Float { run.lineOutputs[line * run.row + i] }
      func send(_ line: Int, _ sample: Float) {
        run.lines[line * run.distance + i] = sample
      }
      let even0 = (delayed(0) - delayed(2)) + (delayed(4) + delayed(6))
      let even = even0 + ((delayed(8) - delayed(10)) - (delayed(12) + delayed(14)))
      let odd0 = (delayed(1) + delayed(3)) - (delayed(5) - delayed(7))
      let odd = odd0 + ((delayed(9) + delayed(11)) - (delayed(13) - delayed(15)))
      let middle = run.input.0[i] + run.input.1[i]
      let side = run.input.0[i] - run.input.1[i]
      run.output.0[i] = even + odd
      run.output.1[i] = even - odd
      let a = hadamard(delayed(0), delayed(1), delayed(2), delayed(3))
      let b = hadamard(delayed(4), delayed(5), delayed(6), delayed(7))
      let c = hadamard(delayed(8), delayed(9), delayed(10), delayed(11))
      let d = hadamard(delayed(12), delayed(13), delayed(14), delayed(15))
      let (x0, x4, x8, x12) = hadamard(a.0, b.0, c.0, d.0)
      let (x1, x5, x9, x13) = hadamard(a.1, b.1, c.1, d.1)
      let (x2, x6, x10, x14) = hadamard(a.2, b.2, c.2, d.2)
      let (x3, x7, x11, x15) = hadamard(a.3, b.3, c.3, d.3)
      let first = (run.cosines.0[i], run.sines.0[i])
      let second = (run.cosines.1[i], run.sines.1[i])
      let (y0, y1) = rotate(x0, x1, first)
      let (y2, y3) = rotate(x2, x3, second)
      let (y5, y4) = rotate(x5, x4, first)
      let (y7, y6) = rotate(x7, x6, second)
      let (y8, y9) = rotate(x8, x9, first)
      let (y10, y11) = rotate(x10, x11, second)
      let (y13, y12) = rotate(x13, x12, first)
      let (y15, y14) = rotate(x15, x14, second)
      send(0, y0 + middle)
      send(1, y1 + side)
      send(2, y2 + middle)
      send(3, y3 - side)
      send(4, y4 - middle)
      send(5, y5 + side)
      send(6, y6 + middle)
      send(7, y7 + side)
      send(8, y8 - middle)
      send(9, y9 - side)
      send(10, y10 + middle)
      send(11, y11 + side)
      send(12, y12 - middle)
      send(13, y13 + side)
      send(14, y14 - middle)
      send(15, y15 - side)
    }
  }

  private static func hadamard(_ a: Float, _ b: Float, _ c: Float, _ d: Float) -> (
    Float, Float, Float, Float
  ) {
    let (sum, difference) = (a + b, a - b)
    let (otherSum, otherDifference) = (c + d, c - d)
    return (
      sum + otherSum, difference + otherDifference, sum - otherSum, difference - otherDifference
    )
  }

  private static func rotate(_ a: Float, _ b: Float, _ angle: (cosine: Float, sine: Float)) -> (
    Float, Float
  ) {
    (a * angle.cosine - b * angle.sine, a * angle.sine + b * angle.cosine)
  }
}
