// SPDX-License-Identifier: Apache-2.0
import CheckedNumbers
import Foundation

/// A frequency that moves from one end to another.
public struct ToneSweep: Equatable, Codable, Sendable {
  /// The behaviour at the end.
  public enum End: String, CaseIterable, Codable, Sendable {
    /// The last frequency continues.
    case hold
    /// The sweep restarts.
    case again = "repeat"
    /// The sweep reverses its direction at each end.
    case back
  }

  /// The curve of the frequency.
  public enum Shape: String, CaseIterable, Codable, Sendable {
    /// Equal times have equal frequency ratios.
    case logarithmic
    /// Equal times have equal frequency differences.
    case linear
  }

  /// In Hz.
  public var start: Double
  /// In Hz; may be below the start.
  public var end: Double
  /// The time from start to end, 0.1 to 3600.
  public var seconds: Double
  public var shape: Shape
  public var atEnd: End
  /// The level at the end in dBFS, reached at a constant rate in dB; nil: the level stays.
  public var endLevel: Double?

  /// A sweep; by default through the audible range, in ten seconds.
  public init(
    from start: Double = 20, to end: Double = 20_000, seconds: Double = 10,
    shape: Shape = .logarithmic, atEnd: End = .again, endLevel: Double? = nil
  ) {
    self.start = start
    self.end = end
    self.seconds = seconds
    self.shape = shape
    self.atEnd = atEnd
    self.endLevel = endLevel
  }

  /// The ideal frequency at a time after the start, in seconds.
  public func frequency(at time: Double) -> Double {
    let part: Double
    switch atEnd {
    case .hold: part = min(time / seconds, 1)
    case .again: part = (time / seconds).truncatingRemainder(dividingBy: 1)
    case .back:
      let turn = (time / seconds).truncatingRemainder(dividingBy: 2)
      part = turn > 1 ? 2 - turn : turn
    }
    return switch shape {
    case .linear: start + (end - start) * part
    case .logarithmic: start * pow(end / start, part)
    }
  }
}

/// A sweep in steps, for the render thread.
struct SweepPlan {
  let start: Double
  let end: Double
  let stepCount: Int
  /// The increment and the factor of the frequency in each step.
  let difference: Double
  let ratio: Double
  let atEnd: ToneSweep.End
  /// The gain at the end, and the factor of the gain in each step.
  let endGain: Double
  let gainRatio: Double

  /// [control thread] Divides the sweep of a tone at `level` dBFS into steps of `stepTime` seconds.
  init(_ sweep: ToneSweep, level: Double, stepTime: Double) {
    start = sweep.start
    end = sweep.end
    atEnd = sweep.atEnd
    stepCount = max(1, Int(saturating: (sweep.seconds / stepTime).rounded()))
    let decibels = sweep.endLevel.map { $0 - level } ?? 0
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
  }
}

/// The render half of a sweep: its current position.
struct SweepPosition {
  private var plan: UnsafePointer<SweepPlan>?
  private var step = 0
  private var isForward = true
  private var frequency = 0.0
  private var nextGain = 1.0
  /// The gain of the step returned last.
  private(set) var gain = 1.0

  /// [render thread] The frequency of the next step; a new plan begins at its start.
  @_noLocks
  mutating func next(_ newPlan: UnsafePointer<SweepPlan>) -> Double {
    if plan != newPlan {
      plan = newPlan
      begin()
    }
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
