// SPDX-License-Identifier: Apache-2.0
import CKernels
import Testing

@testable import SignalProcessing

@Suite("Shaping kernel")
struct ShapingKernelTests {
  @Test("gives the same bits in C and in Swift", arguments: [1, 7, 64, 1_003])
  func bits(count: Int) {
    let samples = (0..<count).map { index -> Float in
      let scale = Elementary.exp2(Float(index % 9 * 4 - 6))
      return Float(index % 37 - 18) * scale
    }
    var (one, other) = (samples, samples)
    var lines = ShapingLines(
      linear: ShapingLine(start: 0.75, step: 0.001), squared: ShapingLine(start: -0.5, step: 0.002),
      cubed: ShapingLine(start: 2, step: -0.003), mix: ShapingLine(start: 0.25, step: 0.0005),
      gain: ShapingLine(start: 3, step: -0.002))
    kernel_shape(&one, count, &lines)
    for index in 0..<count {
      func at(_ line: ShapingLine) -> Float { line.start + line.step * Float(index) }
      let x: Float = max(-0x1p30, min(0x1p30, other[index]))
      let slope: Float = at(lines.cubed) * x + at(lines.squared)
      let bent: Float = (slope * x + at(lines.linear)) * x
      let mixed: Float = x + (bent - x) * at(lines.mix)
      let y: Float = max(-3, min(3, mixed * at(lines.gain)))
      let square = y * y
      other[index] = y * (27 + square) / (27 + 9 * square)
    }
    #expect(one == other && one.allSatisfy { abs($0) <= 1 })
  }
}
