// SPDX-License-Identifier: Apache-2.0
import CheckedNumbers
import Foundation
import SignalProcessing

/// A sweep on a grid of short times, for the render thread.
struct SweepPlan {
  let start: Double
  let end: Double
  /// The number of grid times from start to end.
  let stepCount: Int
  /// The increment and the factor of the frequency in each grid time.
  let difference: Double
  let ratio: Double
  let atEnd: ToneSweep.End
  /// The gain at the end, and the factor of the gain in each grid time.
  let endGain: Double
  let gainRatio: Double
  /// The frequencies of a stepped sweep, and their number; nil for a continuous one.
  let points: UnsafePointer<Double>?
  let pointCount: Int

  /// [control thread] Divides the sweep of a tone into grid times of `stepTime` seconds. The
  /// frequencies of steps are stored in `memory`.
  init(
    _ tone: Tone, _ sweep: ToneSweep, sampleRate: Double, stepTime: Double, _ memory: OwnedMemory
  ) {
    func locked(_ frequency: Double) -> Double {
      tone.lockedFrequency(frequency, sampleRate: sampleRate)
    }
    start = locked(sweep.start)
    end = locked(sweep.end)
    atEnd = sweep.atEnd
    let most = Int(saturating: (sweep.seconds / stepTime).rounded())
    stepCount = max(1, most, sweep.steps ?? 0)
    let decibels = sweep.endLevel.map { $0 - tone.level } ?? 0
    endGain = Decibels.ratio(decibels)
    gainRatio = Decibels.ratio(decibels / Double(stepCount))
    switch sweep.shape {
    case .linear:
      difference = (end - start) / Double(stepCount)
      ratio = 1
    case .logarithmic:
      difference = 0
      ratio = exp(log(end / start) / Double(stepCount))
    }
    pointCount = sweep.steps ?? 0
    points =
      pointCount == 0
      ? nil
      : UnsafePointer(
        memory.array((0..<pointCount).map { locked(sweep.frequency(ofStep: $0)) }))
  }

  /// [render thread] The frequency and the gain of a stepped sweep after a number of grid times.
  @_noLocks
  func point(at step: Int) -> (frequency: Double, gain: Double)? {
    guard let points else { return nil }
    let index = min(step * pointCount / stepCount, pointCount - 1)
    guard pointCount > 1 else { return (points[index], 1) }
    let part = Double(index) / Double(pointCount - 1)
    // Equal steps of the level in decibels.
    return (points[index], endGain == 1 ? 1 : Math.power(endGain, part))
  }
}

/// The render half of a sweep: its current position.
struct SweepPosition {
  private var plan: UnsafePointer<SweepPlan>?
  private var step = 0
  private var isForward = true
  private var frequency = 0.0
  private var nextGain = 1.0
  /// The gain of the grid time returned last.
  private(set) var gain = 1.0

  /// [render thread] The frequency of the next grid time; a new plan begins at its start.
  @_noLocks
  mutating func next(_ newPlan: UnsafePointer<SweepPlan>) -> Double {
    if plan != newPlan {
      plan = newPlan
      begin()
    }
    if let point = newPlan.pointee.point(at: step) { (frequency, nextGain) = point }
    let current = frequency
    gain = nextGain
    advance(newPlan)
    return current
  }

  /// [render thread] Removes the plan.
  @_noLocks
  mutating func clear() {
    plan = nil
    gain = 1
  }

  @_noLocks
  private mutating func begin() {
    step = 0
    isForward = true
    frequency = plan?.pointee.start ?? 0
    nextGain = 1
  }

  @_noLocks
  private mutating func advance(_ plan: UnsafePointer<SweepPlan>) {
    if isForward, step == plan.pointee.stepCount {
      if case .hold = plan.pointee.atEnd { return }
      if case .again = plan.pointee.atEnd { return begin() }
      isForward = false
    } else if !isForward, step == 0 {
      isForward = true
    }
    step += isForward ? 1 : -1
    if step == plan.pointee.stepCount {
      frequency = plan.pointee.end
      nextGain = plan.pointee.endGain
    } else if step == 0 {
      frequency = plan.pointee.start
      nextGain = 1
    } else if isForward {
      frequency = frequency * plan.pointee.ratio + plan.pointee.difference
      nextGain *= plan.pointee.gainRatio
    } else {
      frequency = (frequency - plan.pointee.difference) / plan.pointee.ratio
      nextGain /= plan.pointee.gainRatio
    }
  }
}
