// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Synchronization

/// Moves controls on separate threads, in twenty steps per second; the mixer smooths each step.
public final class Fader: Sendable {
  private let queue = DispatchQueue(label: "fader", attributes: .concurrent)
  private let isEnded = Atomic(false)

  public init() {}

  /// Moves a control from its current value to another, and returns immediately.
  public func move(_ control: Control, to end: Float, seconds: Double) throws {
    try control.checkRange(end)
    let begin = try control.value()
    let stepCount = max(1, Int(20 * seconds))
    queue.async { [self] in
      for step in 1...stepCount where !isEnded.load(ordering: .relaxed) {
        let part = Float(step) / Float(stepCount)
        do { try control.set((1 - part) * begin + part * end) } catch { return show("\(error)") }
        wait(seconds: 0.05)
      }
    }
  }

  /// Ends all movements; when it returns, no control moves any more.
  public func end() {
    isEnded.store(true, ordering: .relaxed)
    queue.sync(flags: .barrier) {}
  }
}
