// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox

/// Asks units what hosts expect of them, each unit in its own process.
public struct Validation: Sendable {
  /// 1 to 10: which checks are made. Every host relies on 5; see `Check.all`.
  public let strictness: Int
  /// Whether every size, rate and round is tried, and not a choice of them.
  public let isFull: Bool
  /// Seconds that a check may last.
  public let timeLimit: Double
  /// The name of a single check, where only that is wanted.
  public let only: String?
  /// The file that registers the units, which their processes load; nil: the program itself does.
  public let plugIn: String?

  /// A validation; `only` limits it to one check, whatever its level.
  public init(
    strictness: Int = 5, isFull: Bool = false, timeLimit: Double? = nil, only: String? = nil,
    plugIn: String? = nil
  ) {
    self.strictness = strictness
    self.isFull = isFull
    self.timeLimit = timeLimit ?? (isFull ? 300 : 90)
    self.only = only
    self.plugIn = plugIn
  }

  /// The checks that there are: name, level, and what each expects.
  public static var checks: [(name: String, level: Int, expects: String)] {
    Check.all.map { ($0.name, $0.level, $0.expects) }
  }

  private func isWanted(_ check: Check) -> Bool {
    only.map { $0 == check.name } ?? (check.level <= strictness)
  }

  /// [any thread] Checks a component. The program that calls it is started again as the child, with
  /// `ValidationWorker.runIfStarted` at its beginning.
  /// - Throws: Why no child can be started.
  public func verdict(_ component: AudioComponent) throws -> Verdict {
    try verdict(Candidate(component))
  }

  /// [any thread] Checks a component that this process need not have.
  /// - Throws: Why no child can be started.
  public func verdict(_ candidate: Candidate) throws -> Verdict {
    var findings: [Finding] = []
    var index = 0
    while index < Check.all.count {
      guard isWanted(Check.all[index]) else {
        index += 1
        continue
      }
      // As many as follow each other go to one child; after a crash the next gets the rest.
      let count = Check.all[index...].prefix(while: isWanted).count
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

  /// Runs some checks in a child; fewer findings than wanted when it ended early, with the reason in
  /// the last.
  private func run(
    _ codes: AudioComponentDescription, first: Int, count: Int
  ) throws -> [Finding] {
    let child = try ChildProcess(
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
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
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
