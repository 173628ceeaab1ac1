// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The result of one check.
public struct Finding: Codable, Sendable {
  /// The possible outcomes of a check.
  public enum Outcome: String, Codable, Sendable {
    case pass, fail, skip
    /// The unit's process ended by itself, or was killed because it hung.
    case crash, hang
  }

  /// The name of the check.
  public let check: String
  public let level: Int
  /// The outcome.
  public let outcome: Outcome
  /// Why it failed or was skipped, or the measured value if it passed. May be empty.
  public let reason: String

  /// Whether the check found a fault.
  public var isFault: Bool { [.fail, .crash, .hang].contains(outcome) }
}

/// The findings of all checks of one unit.
public struct Verdict: Codable, Sendable {
  public let type: String
  public let subtype: String
  public let manufacturer: String
  public let name: String
  public let strictness: Int
  public let findings: [Finding]

  /// Whether no check found a fault.
  public var hasPassed: Bool { !findings.contains(where: \.isFault) }

  /// A line for the unit, and one for each check: for all, or only for those that failed.
  public func text(all: Bool) -> String {
    let failed = findings.count(where: \.isFault)
    let skipped = findings.count { $0.outcome == .skip }
    let passed = findings.count - failed - skipped
    var lines = [
      "\(hasPassed ? "PASS" : "FAIL")  \(type) \(subtype) \(manufacturer)  \(name): "
        + "\(passed) passed, \(failed) failed, \(skipped) skipped"
    ]
    for finding in findings where all || finding.isFault {
      let reason = finding.reason.isEmpty ? "" : ": \(finding.reason)"
      lines.append("  \(finding.outcome.rawValue)  \(finding.level)  \(finding.check)\(reason)")
    }
    return lines.joined(separator: "\n")
  }
}

/// The four characters of a code; unprintable ones as dots.
func characters(of code: UInt32) -> String {
  String(
    decoding: [24, 16, 8, 0].map { shift -> UInt8 in
      let byte = UInt8(truncatingIfNeeded: code >> shift)
      return (0x20..<0x7F).contains(byte) ? byte : 0x2E
    }, as: UTF8.self)
}
