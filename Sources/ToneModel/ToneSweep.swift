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
  /// The number of frequencies, 2 to 10,000, each of which sounds for an equal part of the time; nil:
  /// the frequency moves continuously.
  public var steps: Int?

  /// The possible numbers of steps.
  public static let steps = 2...10_000

  /// A sweep; by default through the audible range, in ten seconds.
  public init(
    from start: Double = 20, to end: Double = 20_000, seconds: Double = 10,
    shape: Shape = .logarithmic, atEnd: End = .again, endLevel: Double? = nil, steps: Int? = nil
  ) {
    self.start = start
    self.end = end
    self.seconds = seconds
    self.shape = shape
    self.atEnd = atEnd
    self.endLevel = endLevel
    self.steps = steps
  }

  /// The time for which each of its steps sounds, in seconds; nil without steps.
  public var dwell: Double? { steps.map { seconds / Double($0) } }

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
    guard let steps else { return frequency(atPart: part) }
    return frequency(ofStep: min(Int(saturating: part * Double(steps)), steps - 1))
  }

  /// The frequency of a step, from 0; without steps that of the start.
  func frequency(ofStep step: Int) -> Double {
    guard let steps, steps > 1 else { return start }
    return step == steps - 1 ? end : frequency(atPart: Double(step) / Double(steps - 1))
  }

  private func frequency(atPart part: Double) -> Double {
    switch shape {
    case .linear: start + (end - start) * part
    case .logarithmic: start * pow(end / start, part)
    }
  }
}
