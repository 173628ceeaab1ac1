// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SignalProcessing

@Suite("Parameter smoother")
struct ParameterSmootherTests {
  /// The values of `frames` frames in slices of `slice`, for the host's values `input` at each
  /// frame.
  private func run(
    _ smoother: ParameterSmoother, frames: Int, slice: Int,
    input: (Int) -> (value: SIMD4<Float>, step: SIMD4<Float>)
  ) -> [SIMD4<Float>] {
    var smoother = smoother
    var values: [SIMD4<Float>] = []
    for start in stride(from: 0, to: frames, by: slice) {
      let now = input(start)
      smoother.follow(now.value, steps: now.step)
      var left = min(slice, frames - start)
      while left > 0 {
        let run = smoother.run(of: left)
        for frame in 0..<run { values.append(smoother.values + smoother.steps * Float(frame)) }
        smoother.advance(by: run)
        left -= run
      }
    }
    return values
  }

  /// How far a fade of ten frames has moved at its frame `frame`.
  private func weight(_ frame: Int) -> Float {
    FadeShape.weight(at: min(Float(frame) / 10, 1))
  }

  @Test("applies the first values immediately and fades to later ones")
  func jump() {
    let values = run(ParameterSmoother(frames: 10), frames: 40, slice: 20) {
      ($0 == 0 ? SIMD4(1, 0, 0, 0) : SIMD4(2, 0, 0, 0), .zero)
    }
    #expect(values[..<20].allSatisfy { $0[0] == 1 })
    for frame in 20..<30 { #expect(abs(values[frame][0] - 1 - weight(frame - 20)) < 1e-6) }
    #expect(values[30...].allSatisfy { $0[0] == 2 })
  }

  @Test("follows a ramp frame by frame, and fades to one that begins elsewhere")
  func ramp() {
    let input = { (frame: Int) in
      frame < 20
        ? (SIMD4(0.5, 0, 0, 0), SIMD4<Float>.zero)
        : (SIMD4(1 + Float(frame - 20) * 0.01, 0, 0, 0), SIMD4<Float>(0.01, 0, 0, 0))
    }
    let values = run(ParameterSmoother(frames: 10), frames: 60, slice: 20, input: input)
    for frame in 20..<60 {
      let rest = 0.5 * (1 - weight(frame - 20))
      #expect(abs(values[frame][0] - input(frame).0[0] + rest) < 1e-5)
    }
  }

  @Test("bends no more when a value is set during a fade")
  func interrupted() {
    let values = run(ParameterSmoother(frames: 100), frames: 300, slice: 50) {
      (SIMD4([0, 0, 1, -0.5, -0.5, -0.5][$0 / 50], 0, 0, 0), .zero)
    }
    // The second difference of a fade of 100 frames over a distance of 1 is at most 0.00058.
    for frame in 2..<300 {
      let bend = values[frame][0] - 2 * values[frame - 1][0] + values[frame - 2][0]
      #expect(abs(bend) < 0.0025)
    }
    #expect(values[299][0] == -0.5)
  }

  @Test("does the same in slices of any size", arguments: [1, 3, 7, 60])
  func slices(slice: Int) {
    let input = { (frame: Int) in
      (SIMD4<Float>(frame < 20 ? 0 : 1, Float(frame) * 0.1, 0, 0), SIMD4<Float>(0, 0.1, 0, 0))
    }
    let expected = run(ParameterSmoother(frames: 16), frames: 20, slice: 20, input: input)
    let values = run(ParameterSmoother(frames: 16), frames: 20, slice: slice, input: input)
    for frame in values.indices {
      #expect((0..<4).allSatisfy { abs(values[frame][$0] - expected[frame][$0]) < 1e-5 })
    }
  }

  @Test("takes the shorter direction in a cyclic setting")
  func cycle() {
    let smoother = ParameterSmoother(frames: 10, cycles: SIMD4(360, 0, 0, 0))
    let values = run(smoother, frames: 40, slice: 20) {
      ($0 == 0 ? SIMD4(170, 0, 0, 0) : SIMD4(-170, 0, 0, 0), .zero)
    }
    // From 170 to 190 degrees, which are -170.
    for frame in 20..<30 {
      #expect(abs(values[frame][0] - (-190 + 20 * weight(frame - 20))) < 1e-3)
    }
  }
}
