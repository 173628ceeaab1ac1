// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ToneModel

@Suite("Smoothed values")
struct SmoothedValueTests {
  private func path(_ targets: [Double], steps: Int = 120) -> [Double] {
    var value = SmoothedValue(0, stepCount: steps)
    return targets.map { target in
      value.step(to: target)
      return value.value
    }
  }

  @Test("reach the target exactly after their steps, and not before")
  func arrival() {
    let path = path(Array(repeating: 0.1, count: 121))
    #expect(path[118] < 0.1)
    #expect(path[119] == 0.1)
    #expect(path[120] == 0.1)
  }

  @Test("rise monotonically")
  func monotony() {
    let path = path(Array(repeating: 1, count: 120))
    #expect(zip(path, path.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test("move to a new target without a corner")
  func retarget() {
    let path = path(Array(repeating: 1, count: 60) + Array(repeating: -1, count: 180))
    let bends = zip(zip(path, path.dropFirst()), path.dropFirst(2)).map { $0.0 - 2 * $0.1 + $1 }
    // A linear change of this size would have corners of a fortieth.
    #expect(bends.allSatisfy { abs($0) < 0.003 })
    #expect(path.last == -1)
  }

  @Test("jump if they have no steps")
  func jump() { #expect(path([0.5, 0.25], steps: 0) == [0.5, 0.25]) }
}
