// SPDX-License-Identifier: Apache-2.0
import Glibc
import OSLog
import Testing
import os.log

@testable import struct os.OSLogMessage

/// What a program has written to standard error. The program is a copy of this process.
private func errors(_ result: ExitTest.Result?) throws -> [String] {
  let bytes = try #require(result).standardErrorContent
  return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
}

/// Ends the program with an error: for values that are not to be evaluated.
private func unwanted() -> Int { exit(3) }

@Suite("The log")
struct LogTests {
  @Test("writes a line for each message, and info and debug only on request")
  func levels() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let logger = Logger(subsystem: "org.example", category: "tests")
      for isVerbose in [false, true] {
        setenv("AUDIOTOOLBOX_LOG", isVerbose ? "1" : "0", 1)
        logger.debug("debug")
        logger.info("info")
        logger.notice("notice")
        logger.error("error")
        logger.fault("fault")
      }
      Logger(.disabled).fault("never")
      Logger().log(level: .error, "no name")
    }
    let names = ["notice", "error", "fault", "debug", "info", "notice", "error", "fault"]
    #expect(try errors(result) == names.map { "[org.example:tests] \($0)" } + ["no name"])
  }

  @Test("hides texts unless they are public, and shows numbers unless they are private")
  func privacy() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let (name, count, half, flag) = ("Ada", 42, 0.5, true)
      let logger = Logger()
      for shows in ["0", "1"] {
        setenv("AUDIOTOOLBOX_LOG_PRIVATE", shows, 1)
        logger.log("\(name) \(name, privacy: .public) \(count) \(count, privacy: .private)")
        logger.log("\(half, privacy: .sensitive) \(flag) \([1, 2]) \([1, 2], privacy: .public)")
      }
      setenv("AUDIOTOOLBOX_LOG_PRIVATE", "0", 1)
      logger.log("\(name, privacy: .private(mask: .hash))")
      logger.log("\(name, privacy: .auto(mask: .hash))")
    }
    let lines = try errors(result)
    #expect(
      lines[..<4] == [
        "<private> Ada 42 <private>", "<private> true <private> [1, 2]", "Ada Ada 42 42",
        "0.500000 true [1, 2] [1, 2]",
      ])
    #expect(lines[4].hasPrefix("<mask.hash: ") && lines[4] == lines[5])
  }

  @Test("formats and aligns values")
  func formats() {
    func text(_ message: OSLogMessage) -> String { message.text }
    #expect(
      text("\(255, format: .hex)|\(255, format: .hex(includePrefix: true, uppercase: true))")
        == "ff|0XFF")
    #expect(
      text(
        "\(-5, format: .decimal(minDigits: 3))|\(5, format: .decimal(explicitPositiveSign: true))")
        == "-005|+5")
    #expect(
      text("\(8, format: .octal)|\(Int8.min)|\(UInt64.max)") == "10|-128|18446744073709551615")
    #expect(
      text(
        "\(1.5, format: .fixed(precision: 2))|\(1.5 as Float, format: .exponential(precision: 1))")
        == "1.50|1.5e+00")
    #expect(text("\(7, align: .right(columns: 3))|\(7, align: .left(columns: 3))|") == "  7|7  |")
    #expect(text("\(true, format: .answer)|\(Int.self)") == "yes|Int")
    // Columns and digits are limited.
    #expect(text("\(1, align: .right(columns: .max))").count == 1000)
    #expect(text("\(1.0, format: .fixed(precision: .max))").count == 102)
    #expect(text("\(1, format: .decimal(minDigits: .max))").count == 200)
    #expect(text("\(1, align: .right(columns: .min))") == "1")
  }

  @Test("has the formats of C, with marks")
  func formatsOfC() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      os_log(
        "%d %u %x %ld %lld %5.1f %c %%", Int32(-1), UInt32.max, Int32(-1), -2, Int64.min, 2.25,
        Int32(65))
      os_log(
        "%{public}d %{private}d %{public, name=rate}.2f", log: .default, type: .error, 1, 2, 3.0)
      os_log(.fault, "%s %{public}s", strdup("secret"), strdup("shown"))
      os_log("%*d|%-*d|%.*f|%.*f|%*d", 4, 1, 4, 2, 1, 2.25, -1, 0.5, -3, 5)
      os_log("no width: %*d")
      os_log("no integer: %*d", 0.5, 1)
      errno = ENOENT
      os_log("%m|%-27m|%d", 1)
      os_log("%Lf %Lg %lf", 0.5, 0.5 as Float, 0.25)
      os_log("%d %f %x %p", 1.5, 2, 3.5, 4.5)
      os_log("more values than %d", 1, 2)
      os_log("fewer values: %d %d", 1)
      os_log("an end: %")
      os_log("no end: %{public", 1)
      os_log(.error, "interpolated \(1)")
      // Four characters without an end.
      os_log(
        "%{public}.4s|%{public}-6s|%{public}6.2s|%{public}.0s|", strdup("lpcmXYZ"), strdup("a"),
        strdup("bcd"), strdup("e"))
      os_log("%n %{public}d", 7, 8)
      os_log("%{public}.*s", 2, strdup("lpcm"))
      os_log("%{public}.-5s|", strdup("text"))
    }
    let expected = [
      "-1 4294967295 ffffffff -2 -9223372036854775808   2.2 A %", "1 <private> 3.00",
      "<private> shown", "   1|2   |2.2|0.500000|5  ", "no width: %*d", "no integer: %*d",
      "No such file or directory|No such file or directory  |1", "0.500000 0.5 0.250000",
      "1.5 2 3.5 4.5", "more values than 1", "fewer values: 1 %d", "an end: %",
      "no end: %{public", "interpolated 1", "lpcm|a     |    bc||",
      "7 8", "lp", "|",
    ]
    for (line, expected) in zip(try errors(result), expected) { #expect(line == expected) }
    #expect(try errors(result).count == expected.count)
  }

  @Test("writes the longest messages, widths and names whole or cut")
  func long() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let text = String(repeating: "x", count: 100_000)
      Logger(subsystem: text, category: text).error("\(text, privacy: .public)")
      os_log("%99999d|%.99999f|%*d", 1, 0.5, Int.max, 2)
      os_log("%2147483648d", 1)
    }
    let lines = try errors(result)
    // A number has at most 511 characters; of the last message, nothing is left.
    #expect(lines.map(\.count) == [300_004, 511 + 1 + 511 + 1 + 400])
  }

  @Test("does not change errno, which a message reads")
  func keepsErrno() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let name = "first"
      errno = EACCES
      Logger().log("\(name) \(errno)")
      Logger().log("\(errno)")
      guard errno == EACCES else { exit(2) }
    }
    #expect(try errors(result) == ["<private> \(EACCES)", "\(EACCES)"])
  }

  @Test("goes to the journal if standard error does, with its priority and names")
  func journal() async {
    await #expect(processExitsWith: .success) {
      // A socket in place of the journal's.
      let path = "/tmp/audiotoolbox-journal-\(getpid())"
      let journal = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let bound = withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(journal, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      guard bound == 0 else { exit(2) }
      defer { unlink(path) }
      var file = stat()
      fstat(2, &file)
      setenv("JOURNAL_STREAM", "\(file.st_dev):\(file.st_ino)", 1)
      setenv("AUDIOTOOLBOX_JOURNAL_SOCKET", path, 1)
      Logger(subsystem: "org.example", category: "tests").error("one\ntwo")
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = recv(journal, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { exit(3) }
      let message = String(decoding: bytes[..<count], as: UTF8.self)
      let length: [UInt8] = [7, 0, 0, 0, 0, 0, 0, 0]
      guard message.hasPrefix("PRIORITY\n"),
        message.contains("MESSAGE\n" + String(decoding: length, as: UTF8.self) + "one\ntwo\n"),
        message.contains("org.example\n"), message.contains("tests\n"),
        message.split(separator: "\n")[1].hasSuffix("3")
      else { exit(4) }
    }
  }

  @Test("does not make a message that is not written")
  func lazy() {
    var made = 0
    func text() -> String {
      made += 1
      return ""
    }
    Logger(.disabled).fault("\(text())")
    #expect(made == 0)
  }

  @Test("masks a value with the same mark in one run, and with another in the next")
  func masks() async throws {
    var marks: [String] = []
    for _ in 0..<2 {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        setenv("AUDIOTOOLBOX_LOG_PRIVATE", "0", 1)
        let (name, other) = ("Ada", "Bob")
        Logger().log("\(name, privacy: .private(mask: .hash))")
        Logger().log("\(name, privacy: .sensitive(mask: .hash))")
        Logger().log("\(other, privacy: .private(mask: .hash))")
      }
      let lines = try errors(result)
      try #require(lines.count == 3)
      #expect(lines[0] == lines[1] && lines[0] != lines[2])
      marks.append(lines[0])
    }
    #expect(marks[0] != marks[1])
  }

  @Test("has signposts with the messages of intervals of functions and animations")
  func intervals() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let signposter = OSSignposter(subsystem: "s", category: "c")
      let silent = signposter.withIntervalSignpost("silent", "\(unwanted())") { 3 }
      setenv("AUDIOTOOLBOX_LOG", "1", 1)
      let number = signposter.withIntervalSignpost("load", "file \(silent)") { silent + 1 }
      let state = signposter.beginAnimationInterval("move", "\(number)")
      signposter.endInterval("move", state)
      signposter.endInterval("move", signposter.beginAnimationInterval("move"))
    }
    let lines = try errors(result)
    try #require(lines.count == 6)
    #expect(lines[0] == "[s:c] begin load: file 3")
    #expect(lines[1].hasPrefix("[s:c] end load after "))
    #expect(lines[2] == "[s:c] begin move: 4")
    #expect(lines[4] == "[s:c] begin move")
  }

  @Test("has signposts that measure their intervals")
  func signposts() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let signposter = OSSignposter(subsystem: "s", category: .pointsOfInterest)
      signposter.emitEvent("silent")
      setenv("AUDIOTOOLBOX_LOG", "1", 1)
      let outer = signposter.beginInterval("load", id: signposter.makeSignpostID(), "\(1)")
      let inner = signposter.beginInterval("load", id: signposter.makeSignpostID())
      signposter.endInterval("load", outer, "done")
      signposter.endInterval("load", inner)
      signposter.endInterval("load", inner)
      os_signpost(.event, log: OSLog(subsystem: "s", category: "c"), name: "hit", "%d", 3)
    }
    let lines = try errors(result)
    #expect(lines[0] == "[s:PointsOfInterest] begin load: 1")
    #expect(lines[1] == "[s:PointsOfInterest] begin load")
    #expect(lines[2].contains("end load after ") && lines[2].hasSuffix(" ms: done"))
    #expect(lines[3].contains("end load after "))
    // An interval ends once.
    #expect(lines[4] == "[s:PointsOfInterest] end load")
    #expect(lines[5] == "[s:c] event hit: 3")
  }
}
