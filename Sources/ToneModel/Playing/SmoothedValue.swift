// SPDX-License-Identifier: Apache-2.0
import Foundation
import SignalProcessing

/// A number that moves to its target on an S curve, and reaches it exactly.
///
/// It is a weighted mean of its recent targets, so the target may change at any time and the
/// movement stays smooth. The weights are a Blackman window: of the shapes tried, its S curve keeps
/// the splatter of a fade below -80 dB in the shortest time.
struct SmoothedValue: ~Copyable {
  /// The current value.
  private(set) var value: Double
  /// The steps of a move; with none, the value jumps.
  let stepCount: Int

  private let memory = OwnedMemory()
  private let weights: UnsafeMutablePointer<Double>
  /// The targets of the last steps, as a ring.
  private let recentTargets: UnsafeMutablePointer<Double>
  private var place = 0
  private var target: Double
  private var stepsLeft = 0

  /// [control thread] A number at rest.
  init(_ value: Double, stepCount: Int) {
    self.value = value
    self.stepCount = stepCount
    target = value
    weights = memory.array(max(stepCount, 1), of: 0)
    recentTargets = memory.array(max(stepCount, 1), of: value)
    var sum = 0.0
    for step in 0..<stepCount {
      let angle = 2 * Double.pi * (Double(step) + 0.5) / Double(stepCount)
      weights[step] = 0.42 - 0.5 * cos(angle) + 0.08 * cos(2 * angle)
      sum += weights[step]
    }
    for step in 0..<stepCount { weights[step] /= sum }
  }

  deinit { memory.deallocate() }

  /// [render thread] Whether the value rests at `target`.
  @_noLocks
  borrowing func rests(at target: Double) -> Bool { stepsLeft == 0 && target == self.target }

  /// [render thread] Jumps to `value`.
  @_noLocks
  mutating func jump(to value: Double) {
    self.value = value
    target = value
    stepsLeft = 0
    for step in 0..<stepCount { recentTargets[step] = value }
  }

  /// [render thread] Moves one step towards `target`.
  @_noLocks
  mutating func step(to target: Double) {
    guard stepCount > 0 else { return jump(to: target) }
    if target != self.target {
      self.target = target
      stepsLeft = stepCount
    }
    guard stepsLeft > 0 else { return }
    stepsLeft -= 1
    recentTargets[place] = target
    place = place + 1 == stepCount ? 0 : place + 1
    guard stepsLeft > 0 else {
      // All weights are on the target now; their sum would only approximate it.
      value = target
      return
    }
    var sum = 0.0
    var index = place
    for step in 0..<stepCount {
      sum += weights[step] * recentTargets[index]
      index = index + 1 == stepCount ? 0 : index + 1
    }
    value = sum
  }
}
