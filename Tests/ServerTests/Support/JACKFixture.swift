// SPDX-License-Identifier: Apache-2.0
import CServerEnvironment
import Foundation

/// A JACK server without hardware.
final class JACKFixture {
  let folder: String
  private var server: ServerProcess?

  init(rate: Int = 48_000, period: Int = 256) throws {
    folder = String(cString: server_folder())
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try start(rate: rate, period: period)
  }

  // With SIGTERM, because a crashed server stays in the list of servers, which has room for eight.
  deinit {
    stop(by: SIGTERM)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Starts it and waits until it accepts clients.
  func start(rate: Int = 48_000, period: Int = 256) throws {
    let server = try ServerProcess(
      [
        "jackd", "-n", String(cString: jack_server_name()), "-R", "-d", "dummy", "-r",
        String(rate), "-p", String(period), "-C", "2", "-P", "2",
      ], folder: folder)
    self.server = server
    guard try wait(until: { try tool("jack_lsp").contains("system:playback_2") }) else {
      throw ServerFailure(
        "jackd: \(server.output) (too many servers: remove /dev/shm/jack-shm-registry)")
    }
  }

  /// Kills it, like a crash.
  func stop(by signal: Int32 = SIGKILL) { server?.end(by: signal) }

  /// Makes the server hang, or lets it continue.
  func hang(_ hangs: Bool) { server?.send(hangs ? SIGSTOP : SIGCONT) }

  /// Runs one of its tools to the end and returns its output.
  @discardableResult
  func tool(_ words: String...) throws -> String {
    try ServerProcess(words, folder: folder).result()
  }
}
