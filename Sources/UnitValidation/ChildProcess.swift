// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// A second process of this program, and the lines that it writes.
final class ChildProcess {
  private let process: pid_t
  private let output: Int32
  private var bytes: [UInt8] = []
  private var status: Int32?

  /// The result of waiting for a line.
  enum Reading {
    case line(String)
    case timeout, end
  }

  /// Starts the process, with a device that needs no sound card.
  init(_ words: [String]) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw Fault("no pipe: \(String(cString: strerror(errno)))")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    var environment = ProcessInfo.processInfo.environment
    environment["AUDIOTOOLBOX_DEVICE"] = "null"
    // A crash is expected here, so it needs no backtrace.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    var arguments = (["validation"] + words).map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer {
      for text in arguments + variables { free(text) }
      posix_spawn_file_actions_destroy(&actions)
      close(ends[1])
    }
    var process = pid_t()
    let status = posix_spawn(&process, "/proc/self/exe", &actions, nil, &arguments, &variables)
    guard status == 0 else {
      close(ends[0])
      throw Fault("cannot start a process: \(String(cString: strerror(status)))")
    }
    self.process = process
    output = ends[0]
  }

  deinit {
    close(output)
    if status == nil { kill() }
  }

  /// The next line of its output.
  func line(within seconds: Double) -> Reading {
    let end = ContinuousClock.now + .seconds(seconds)
    while true {
      if let place = bytes.firstIndex(of: 0x0A) {
        let line = String(decoding: bytes[..<place], as: UTF8.self)
        bytes.removeSubrange(...place)
        return .line(line)
      }
      let rest = (end - ContinuousClock.now) / .milliseconds(1)
      guard rest > 0 else { return .timeout }
      var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, Int32(min(rest + 1, 1e9))) > 0 else { continue }
      var piece = [UInt8](repeating: 0, count: 4_096)
      let count = read(output, &piece, piece.count)
      if count == 0 || (count < 0 && errno != EINTR) { return .end }
      bytes += piece.prefix(max(0, count))
    }
  }

  /// Kills it.
  func kill() {
    Foundation.kill(process, SIGKILL)
    _ = end()
  }

  /// Waits for its end, and describes it.
  func end() -> String {
    var status = self.status ?? 0
    if self.status == nil { while waitpid(process, &status, 0) < 0, errno == EINTR {} }
    self.status = status
    let signal = status & 0x7F
    return signal == 0
      ? "the process ended with \(status >> 8 & 0xFF)"
      : "the process was killed by signal \(signal), \(String(cString: strsignal(signal)))"
  }
}
