// SPDX-License-Identifier: Apache-2.0
/// One thing that the validator expects of a unit.
struct Check: Sendable {
  /// Its name in reports: a few words.
  let name: String
  /// The lowest strictness at which it is made, 1 to 10.
  let level: Int
  /// What it expects, in one sentence without a full stop.
  let expects: String
  /// Makes it. What it returns is told beside "pass"; it throws `Fault` or `Skip`.
  let run: @Sendable (Subject) throws -> String?

  init(
    _ name: String, _ level: Int, _ expects: String,
    _ run: @escaping @Sendable (Subject) throws -> String?
  ) {
    self.name = name
    self.level = level
    self.expects = expects
    self.run = run
  }
}
