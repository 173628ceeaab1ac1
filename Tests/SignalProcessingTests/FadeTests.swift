// SPDX-License-Identifier: Apache-2.0

import SignalProcessing
import Testing

@Suite("Fade")
struct FadeTests {
  @Test("moves along 10t³ - 15t⁴ + 6t⁵, reaches its target exactly and holds it")
  func movement() {
    var fade = Fade(0.25)
    fade.move(to: 0.75, within: 100)
    for frame in 0..<100 {
      let part = Double(frame) / 100
      let expected = 0.25 + 0.5 * part * part * part * (10 - 15 * part + 6 * part * part)
      #expect(abs(Double(fade.value(at: frame)) - expected) < 1e-6)
    }
    fade.advance(by: 50)
    #expect(abs(fade.value - 0.5) < 1e-6)
    fade.advance(by: 60)
    #expect(fade.value == 0.75 && fade.value(at: 7) == 0.75 && fade.framesRemaining == 0)
  }

  @Test("jumps when there is no time")
  func jump() {
    var fade = Fade(0)
    fade.move(to: 1, within: 0)
    #expect(fade.value == 1)
    fade.move(to: 2, within: 10)
    fade.set(-1)
    #expect(fade.value == -1 && fade.framesRemaining == 0)
  }

  @Test("has no corner where another one begins", arguments: [1, 40, 77])
  func restart(frame: Int) {
    var fade = Fade(0)
    fade.move(to: 1, within: 100)
    fade.advance(by: frame)
    let before = (0..<3).map { fade.value(at: $0) }
    fade.move(to: -1, within: 200)
    let after = (0..<3).map { fade.value(at: $0) }
    #expect(after[0] == before[0])
    // The first and second differences go on; a straight line would change the first by 0.01.
    #expect(abs((after[1] - after[0]) - (before[1] - before[0])) < 2e-5)
    fade.advance(by: 200)
    #expect(fade.value == -1)
  }

  @Test("writes the same values in steps of any size", arguments: [1, 3, 64])
  func steps(size: Int) {
    var (whole, parts) = (Fade(1), Fade(1))
    whole.move(to: 0.1, within: 50)
    parts.move(to: 0.1, within: 50)
    var expected = [Float](repeating: 0, count: 70)
    whole.write(into: &expected, count: 70)
    var values: [Float] = []
    while values.count < 70 {
      var piece = [Float](repeating: 0, count: size)
      parts.write(into: &piece, count: size)
      values += piece
    }
    #expect(Array(values.prefix(70)) == expected)
  }
}

@Suite("Fade of sixteen values")
struct FadeLanesTests {
  /// The first lane of `frames` frames, in steps of at most `size`.
  private func values(_ lanes: FadeLanes, frames: Int, size: Int) -> [Float] {
    var lanes = lanes
    var values: [Float] = []
    while values.count < frames {
      let run = lanes.run(of: min(size, frames - values.count))
      for frame in 0..<run { values.append(lanes.values[0] + lanes.steps[0] * Float(frame)) }
      lanes.advance(by: run)
    }
    return values
  }

  @Test("is a fade in pieces that do not depend on the steps", arguments: [1, 5, 100])
  func pieces(size: Int) {
    var lanes = FadeLanes(pieces: 10)
    lanes.move(to: SIMD16(repeating: 1), within: 80)
    let values = values(lanes, frames: 100, size: size)
    let reference = self.values(lanes, frames: 100, size: 1)
    for frame in 0..<100 {
      let part = min(Double(frame) / 80, 1)
      let exact = part * part * part * (10 - 15 * part + 6 * part * part)
      // The lines between the ends of pieces are that near.
      #expect(abs(Double(values[frame]) - exact) < 8 * 5.78 / 6_400)
      if frame % 8 == 0 { #expect(abs(Double(values[frame]) - exact) < 1e-6) }
      #expect(abs(values[frame] - reference[frame]) < 1e-6)
    }
    #expect(values[80...].allSatisfy { $0 == 1 })
  }

  @Test("keeps its speed where another one begins, and where a line does")
  func restart() {
    var lanes = FadeLanes()
    lanes.ramp(to: SIMD16(repeating: 1), within: 100)
    lanes.advance(by: 50)
    #expect(abs(lanes.values[3] - 0.5) < 1e-6 && abs(lanes.steps[3] - 0.01) < 1e-7)
    lanes.move(to: SIMD16(repeating: 2), within: 100)
    #expect(abs(lanes.values[3] - 0.5) < 1e-6 && abs(lanes.steps[3] - 0.01) < 2e-4)
    lanes.advance(by: 100)
    #expect(lanes.values[3] == 2 && lanes.steps == .zero)
  }
}
