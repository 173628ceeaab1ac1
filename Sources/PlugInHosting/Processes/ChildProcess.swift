// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import Glibc

/// A process whose code may end or hang, and the lines that it writes.
///
/// It leads a group of its own, which ends with it.
package final class ChildProcess {
  let process: pid_t
  private let output: Int32
  private var bytes: [UInt8] = []
  private var scanned = 0
  private var received = 0
  private var status: Int32?
  /// Whether its status is lost, because this program ignores SIGCHLD or has waited for it elsewhere.
  private var isLost = false

  /// The result of waiting for a line.
  package enum Reading {
    /// Its bytes, which need not be valid text.
    case line(ArraySlice<UInt8>)
    case timeout, end
  }

  /// More than any process has to say, in bytes; what follows counts as its end.
  private static let outputLimit = 1 << 26

  /// Starts a program, whose variables are those of this process and `environment`. With `isSilent`,
  /// what it prints is discarded, and it writes its lines to descriptor 3 instead of standard output.
  package init(
    _ program: String, _ words: [String], environment: [String: String], isSilent: Bool
  ) throws(AudioError) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Self.failure("no pipe", errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    do throws(AudioError) {
      process = try Self.spawn(program, words, environment) { actions in
        if isSilent {
          // A pipe that has the number already would be closed.
          posix_spawn_file_actions_adddup2(&actions, ends[1], 9)
          posix_spawn_file_actions_adddup2(&actions, 9, 3)
          posix_spawn_file_actions_addclose(&actions, 9)
          Self.discardOutput(&actions)
        } else {
          posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        }
      }
    } catch {
      close(ends[0])
      throw error
    }
    output = ends[0]
  }

  /// Starts a program in the same way, with these open files as descriptors 3, 4 and so on. What it prints is
  /// discarded; it has no lines.
  package init(
    _ program: String, _ words: [String], environment: [String: String], files: [Int32]
  ) throws(AudioError) {
    // None of them may have the number that another one gets.
    let moved = files.map { fcntl($0, F_DUPFD_CLOEXEC, 100) }
    defer { for file in moved where file >= 0 { close(file) } }
    guard !moved.contains(where: { $0 < 0 }) else { throw Self.failure("no file", errno) }
    process = try Self.spawn(program, words, environment) { actions in
      for (index, file) in moved.enumerated() {
        posix_spawn_file_actions_adddup2(&actions, file, Int32(3 + index))
      }
      Self.discardOutput(&actions)
    }
    output = -1
  }

  private static func discardOutput(_ actions: inout posix_spawn_file_actions_t) {
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
  }

  /// Starts a program without standard input, in a group of its own; `open` says which files it gets.
  private static func spawn(
    _ program: String, _ words: [String], _ environment: [String: String],
    _ open: (inout posix_spawn_file_actions_t) -> Void
  ) throws(AudioError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    open(&actions)
    // The last one: the pipe may have its number in a program without standard input.
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    // A crash is expected here, so it needs no backtrace.
    var variables = environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      .map { strdup("\($0)=\($1)") }
    var name = environ
    while let text = name.pointee {
      let key = String(cString: text).prefix { $0 != "=" }
      if environment[String(key)] == nil, key != "SWIFT_BACKTRACE" {
        variables.append(strdup(text))
      }
      name += 1
    }
    variables.append(nil)
    var arguments = ([program] + words).map { strdup($0) } + [nil]
    defer {
      for text in arguments + variables { free(text) }
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    var process = pid_t()
    let status = posix_spawn(&process, program, &actions, &attributes, &arguments, &variables)
    guard status == 0 else { throw failure("cannot start \(program)", status) }
    return process
  }

  private static func failure(_ what: String, _ code: Int32) -> AudioError {
    .invalidFile.because("\(what): \(String(cString: strerror(code)))")
  }

  deinit {
    if output >= 0 { close(output) }
    kill()
  }

  /// [control thread] The next line of its output.
  package func line(within seconds: Double) -> Reading {
    let end = ContinuousClock.now + .seconds(seconds)
    while true {
      if let place = bytes[scanned...].firstIndex(of: 0x0A) {
        defer { scanned = place + 1 }
        return .line(bytes[scanned..<place])
      }
      bytes.removeSubrange(..<scanned)
      scanned = 0
      let rest = (end - ContinuousClock.now) / .milliseconds(1)
      guard rest > 0 else { return .timeout }
      var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, Int32(min(rest + 1, 100))) > 0 else {
        // A process that it has forked may hold the pipe open for ever. What it wrote before its end, but
        // after that wait, is read first.
        if hasEnded, poll(&ready, 1, 0) <= 0 { return .end }
        continue
      }
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(output, &piece, piece.count)
      if count == 0 || (count < 0 && errno != EINTR) { return .end }
      bytes += piece.prefix(max(0, count))
      received += max(0, count)
      if received > Self.outputLimit { return .end }
    }
  }

  /// Whether it has ended; it is not reaped here.
  package var hasEnded: Bool {
    if status != nil || isLost { return true }
    var information = siginfo_t()
    guard waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) == 0 else {
      isLost = errno == ECHILD
      return isLost
    }
    return information._sifields._sigchld.si_pid == process
  }

  private static let lostEnd = "the process ended"

  /// [control thread] Ends it and its group, if it has not ended.
  package func kill() {
    if !hasEnded { Glibc.kill(-process, SIGKILL) }
    end()
  }

  /// [control thread] Waits for its end, two seconds at most, then ends it; describes its end.
  @discardableResult package func end() -> String {
    if status == nil {
      waitPolling(every: 1_000, until: rt_host_time() + 2_000_000_000) { !hasEnded }
      if isLost { return Self.lostEnd }
      // Before it is reaped, no other group can have its number.
      Glibc.kill(-process, SIGKILL)
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0 {
        guard errno != EINTR else { continue }
        isLost = true
        return Self.lostEnd
      }
      self.status = status
    }
    let status = status ?? 0
    let signal = status & 0x7F
    return signal == 0
      ? "the process ended with \(status >> 8 & 0xFF)"
      : "the process was killed by signal \(signal), \(String(cString: strsignal(signal)))"
  }
}
