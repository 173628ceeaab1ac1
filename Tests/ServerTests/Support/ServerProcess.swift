// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation

/// A program that runs beside the tests and is ended by its process id.
final class ServerProcess {
  private(set) var number: pid_t
  /// Its exit code, or minus the signal that ended it, once `result` has returned.
  private(set) var code: Int32 = 0
  /// The path of its output.
  let log: String

  /// Starts a program in the search path, with the environment of the test and these additions.
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

  /// Its output so far.
  var output: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

  /// Sends a signal that does not end it.
  func send(_ signal: Int32) { if number > 0 { kill(number, signal) } }

  /// Ends it and waits until it has ended. After three seconds it is killed.
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

  /// Whether it still runs. If not, it still has to be ended or waited for.
  var isRunning: Bool {
    var info = siginfo_t()
    return number > 0
      && waitid(P_PID, id_t(number), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo == 0
  }

  /// Waits until it ends by itself and returns its output. It is killed after a minute, because a
  /// tool of a server may wait forever.
  func result() -> String {
    var status: Int32 = 0
    if number > 0, !wait(seconds: 60, until: { !isRunning }) { kill(number, SIGKILL) }
    if number > 0 { waitpid(number, &status, 0) }
    number = 0
    code = status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
    return output
  }
}

/// The reason why a server could not be started.
struct ServerFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Waits until a condition is true, at most `seconds`, which is long for a busy machine. Returns
/// whether it is.
func wait(seconds: Double = 60, until isTrue: () throws -> Bool) rethrows -> Bool {
  let end = Date().addingTimeInterval(seconds)
  while Date() < end {
    if try isTrue() { return true }
    usleep(5_000)
  }
  return try isTrue()
}

/// The number of disturbances: the value of `AUDIOTOOLBOX_TEST_ROUNDS`, otherwise three, or a
/// hundred in long tests.
let rounds =
  ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_ROUNDS"].flatMap { Int($0) }
  ?? (minutes == nil ? 3 : 100)

/// The duration of long tests, from `AUDIOTOOLBOX_TEST_MINUTES`. Nil for two seconds.
let minutes = ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_MINUTES"].flatMap {
  Double($0)
}

/// The threads and descriptors that this process uses for its servers. Tests that run in parallel
/// use none of these servers.
struct ServerResources: Equatable, CustomStringConvertible {
  var threads = ServerResources.threadNames.count { name in
    ["audio-pipewire", "audio pulse", "audio jack", "audio ALSA"].contains { name.hasPrefix($0) }
  }
  var descriptors = ServerResources.descriptors { target in
    ["pipewire", "jack", "pulse"].contains { target.contains($0) }
  }

  /// The number of event descriptors, by which servers wake this process. Other code may have some.
  static var events: Int { descriptors { $0.contains("eventfd") } }

  private static func descriptors(where isWanted: (String) -> Bool) -> Int {
    entries("/proc/self/fd").count { number in
      let path = "/proc/self/fd/\(number)"
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
      return target.map(isWanted) ?? false
    }
  }

  var description: String { "\(threads) threads, \(descriptors) descriptors" }

  /// The names of the threads of this process.
  static var threadNames: [String] {
    entries("/proc/self/task").compactMap {
      try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
    }
  }

  private static func entries(_ folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }
}
