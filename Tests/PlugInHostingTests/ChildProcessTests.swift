// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import PlugInHosting

@Suite("Processes that may end")
struct ChildProcessTests {
  private func shell(_ text: String) throws -> ChildProcess {
    try ChildProcess("/bin/sh", ["-c", text], environment: [:], isSilent: false)
  }

  /// Its next line; nil after the last one.
  private func line(_ child: ChildProcess) -> String? {
    guard case .line(let bytes) = child.line(within: 10) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("give their lines and their end")
  func ends() throws {
    let child = try shell("echo one; echo two; exit 3")
    #expect((0..<3).map { _ in line(child) } == ["one", "two", nil])
    #expect(child.end() == "the process ended with 3")
  }

  @Test("end without a status if something else has waited for them")
  func lost() throws {
    // The sleeping process keeps the pipe open.
    let child = try shell("echo one; sleep 3 & exit 3")
    #expect(line(child) == "one")
    // As the system does in a program that ignores SIGCHLD.
    #expect(waitpid(child.process, nil, 0) == child.process)
    let start = ContinuousClock.now
    #expect(line(child) == nil)
    #expect(child.end() == "the process ended")
    child.kill()
    #expect(ContinuousClock.now - start < .seconds(2))
  }
}
