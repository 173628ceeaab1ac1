// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation

/// A program that runs beside the tests, and is ended by its number.
final class ServerProcess {
  private(set) var number: pid_t
  /// How it ended, once `result` has returned: its exit code, or minus the signal that ended it.
  private(set) var code: Int32 = 0
  /// Where everything that it prints goes.
  let log: String

  /// Starts a program of the path. Its environment is the test's, with some more.
  init(_ words: [String], environment: [String: String] = [:], folder: String) throws {
    log = "\(folder)/\(words[0].split(separator: "/").last ?? "")-\(UUID().uuidString).log"
    let file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw ServerFailure("\(log): \(String(cString: strerror(errno)))") }
    defer { close(file) }
    let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    do {
      number = try spawn(words, environment: all, output: file, errors: file)
    } catch { throw ServerFailure("\(words[0]): \(error)") }
  }

  deinit { end(by: SIGKILL) }

  /// What it has printed.
  var output: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

  /// Sends a signal that does not end it.
  func send(_ signal: Int32) { if number > 0 { kill(number, signal) } }

  /// Ends it and waits until it has ended; after three seconds by force.
  func end(by signal: Int32 = SIGTERM) {
    guard number > 0 else { return }
    kill(number, SIGCONT)
    kill(number, signal)
    var status: Int32 = 0
    for _ in 0..<3_000 {
      if waitpid(number, &status, WNOHANG) != 0 {
        number = 0
        return
      }
      usleep(1_000)
    }
    kill(number, SIGKILL)
    waitpid(number, &status, 0)
    number = 0
  }

  /// Whether it still runs; it has to be ended or waited for all the same.
  var isRunning: Bool {
    var info = siginfo_t()
    return number > 0
      && waitid(P_PID, id_t(number), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo == 0
  }

  /// Waits until it ends by itself; what it has printed. After a minute it is ended by force: a tool of
  /// a server's may wait for ever.
  func result() -> String {
    var status: Int32 = 0
    if number > 0, !wait(seconds: 60, until: { !isRunning }) { kill(number, SIGKILL) }
    if number > 0 { waitpid(number, &status, 0) }
    number = 0
    code = status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
    return output
  }
}

/// Why a server could not be brought up.
struct ServerFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Waits until something is true, ten seconds at most unless said otherwise; whether it is.
func wait(seconds: Double = 10, until isTrue: () throws -> Bool) rethrows -> Bool {
  let end = Date().addingTimeInterval(seconds)
  while Date() < end {
    if try isTrue() { return true }
    usleep(5_000)
  }
  return try isTrue()
}

/// How often a disturbance is tried: as `AUDIOTOOLBOX_TEST_ROUNDS` says; without it three times, and a
/// hundred when tests are to last.
let rounds =
  ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_ROUNDS"].flatMap { Int($0) }
  ?? (minutes == nil ? 3 : 100)

/// How long long tests last, as `AUDIOTOOLBOX_TEST_MINUTES` says; nil: two seconds.
let minutes = ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_MINUTES"].flatMap {
  Double($0)
}

/// What this process holds of its servers: other tests, which run beside, hold nothing of it.
struct ServerResources: Equatable, CustomStringConvertible {
  var threads = ServerResources.threadNames.count { name in
    ["audio-pipewire", "audio pulse", "audio jack", "audio ALSA"].contains { name.hasPrefix($0) }
  }
  var descriptors = ServerResources.descriptors { target in
    ["pipewire", "jack", "pulse"].contains { target.contains($0) }
  }

  /// Descriptors that servers wake this process by. Anything may have some.
  static var events: Int { descriptors { $0.contains("eventfd") } }

  private static func descriptors(where isWanted: (String) -> Bool) -> Int {
    entries("/proc/self/fd").count { number in
      let path = "/proc/self/fd/\(number)"
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
      return target.map(isWanted) ?? false
    }
  }

  var description: String { "\(threads) threads, \(descriptors) descriptors" }

  /// What the threads of this process are called.
  static var threadNames: [String] {
    entries("/proc/self/task").compactMap {
      try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
    }
  }

  private static func entries(_ folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }
}
