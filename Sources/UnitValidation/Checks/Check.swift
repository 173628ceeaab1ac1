// SPDX-License-Identifier: Apache-2.0
/// One expectation of a unit.
struct Check: Sendable {
  /// Its name in reports: a few words.
  let name: String
  /// The lowest strictness at which it runs, 1 to 10.
  let level: Int
  /// What it expects, in one sentence without a full stop.
  let expects: String
  /// Runs it. The result is printed next to "pass"; it throws `Fault` or `Skip`.
  let run: @Sendable (TestedComponent) throws -> String?

  init(
    _ name: String, _ level: Int, _ expects: String,
    _ run: @escaping @Sendable (TestedComponent) throws -> String?
  ) {
    self.name = name
    self.level = level
    self.expects = expects
    self.run = run
  }
}
