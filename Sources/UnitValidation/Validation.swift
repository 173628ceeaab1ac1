// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox
import AudioUnitCore
import PlugInDiscovery
import PlugInHosting

/// Checks whether units do what hosts expect, each unit in its own process.
public struct Validation: Sendable {
  /// 1 to 10: which checks run. Every host relies on those up to 5; see `Check.all`.
  public let strictness: Int
  /// Whether all sizes, rates and rounds are tested, and not only some.
  public let isFull: Bool
  /// The longest duration of a check, in seconds.
  public let timeLimit: Double
  /// The name of the only check to run; nil: all.
  public let only: String?
  /// The file that registers the units, which the child processes load; nil: the program does.
  public let plugIn: String?

  /// A validation; with `only`, one check runs regardless of its level.
  public init(
    strictness: Int = 5, isFull: Bool = false, timeLimit: Double? = nil, only: String? = nil,
    plugIn: String? = nil
  ) {
    self.strictness = strictness
    self.isFull = isFull
    self.timeLimit = timeLimit ?? (isFull ? 300 : 90)
    self.only = only
    self.plugIn = plugIn.map { PlugInFile($0).path }
  }

  /// [any thread] The components that a plug-in registers. It is loaded in another process, not in
  /// this one.
  /// - Throws: If it cannot be loaded or registers nothing.
  public static func candidates(ofPlugIn file: String) throws -> [ComponentIdentity] {
    try PlugInFile(file).candidates()
  }

  /// All checks: name, level, and expectation.
  public static var checks: [(name: String, level: Int, expects: String)] {
    Check.all.map { ($0.name, $0.level, $0.expects) }
  }

  private func isSelected(_ check: Check) -> Bool {
    only.map { $0 == check.name } ?? (check.level <= strictness)
  }

  /// [any thread] Checks a component. The child process runs the calling program again, which must
  /// begin with `ValidationWorker.runIfStarted`.
  /// - Throws: If no child process can be started.
  public func verdict(_ component: AudioComponent) throws -> Verdict {
    try verdict(ComponentIdentity(component))
  }

  /// [any thread] Checks a component, which need not be registered in this process.
  /// - Throws: If no child process can be started.
  public func verdict(_ candidate: ComponentIdentity) throws -> Verdict {
    var findings: [Finding] = []
    var index = 0
    while index < Check.all.count {
      guard isSelected(Check.all[index]) else {
        index += 1
        continue
      }
      // Consecutive checks run in one child; after a crash, a new child runs the remaining ones.
      let count = Check.all[index...].prefix(while: isSelected).count
      let made = try run(candidate.description, first: index, count: count)
      findings += made
      index += max(1, made.count)
    }
    return Verdict(
      type: characters(of: candidate.description.componentType),
      subtype: characters(of: candidate.description.componentSubType),
      manufacturer: characters(of: candidate.description.componentManufacturer),
      name: candidate.name, strictness: strictness, findings: findings)
  }

  /// Runs some checks in a child. If the child ends early, there are fewer findings, and the last
  /// one has the reason.
  private func run(
    _ codes: AudioComponentDescription, first: Int, count: Int
  ) throws -> [Finding] {
    let child = try ChildProcess.validating(
      [ValidationWorker.word]
        + [
          codes.componentType, codes.componentSubType, codes.componentManufacturer, UInt32(count),
          isFull ? 1 : 0, UInt32(first),
        ].map(String.init) + (plugIn.map { [$0] } ?? []))
    var findings: [Finding] = []
    func check() -> Check { Check.all[first + min(findings.count, count - 1)] }
    func add(_ outcome: Finding.Outcome, _ reason: String) {
      let check = check()
      findings.append(
        Finding(check: check.name, level: check.level, outcome: outcome, reason: reason))
    }
    while findings.count < count {
      switch child.line(within: timeLimit) {
      case .line(let line):
        let fields = String(decoding: line, as: UTF8.self)
          .split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 3, let outcome = Finding.Outcome(rawValue: fields[0]) else {
          continue
        }
        add(outcome, fields[2])
      case .timeout:
        child.kill()
        add(.hang, "it takes longer than \(Int(timeLimit)) s")
        return findings
      case .end:
        add(.crash, child.end())
        return findings
      }
    }
    _ = child.end()
    return findings
  }
}

extension ChildProcess {
  /// Starts this program again, with a device that needs no sound card.
  static func validating(_ words: [String]) throws(Fault) -> ChildProcess {
    do {
      return try ChildProcess(
        "/proc/self/exe", words,
        environment: [
          "AUDIOTOOLBOX_DEVICE": "null",
          "AUDIOTOOLBOX_PLUGINS": PlugIns.text(of: AUPlugInsGetEnabled()),
        ], isSilent: false)
    } catch { throw Fault(error.explanation) }
  }
}
