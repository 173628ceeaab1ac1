// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The child process in which a unit is checked.
public enum ValidationWorker {
  /// The word that makes a program this process.
  static let word = "--validation-worker"

  /// [main thread] Makes the checks and ends the process, when the program was started for that; to be
  /// called before anything else. Units that the program registers must be registered before.
  public static func runIfStarted() {
    let words = CommandLine.arguments
    guard words.count > 1, [word, PlugInFile.word].contains(words[1]) else { return }
    // What a unit prints must not stand between the findings.
    let channel = dup(STDOUT_FILENO)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    if words[1] == PlugInFile.word, words.count == 3 {
      PlugInFile(words[2]).printCandidates { send($0, to: channel) }
      _exit(0)
    }
    let numbers = words.dropFirst(2).prefix(6).compactMap { UInt32($0) }
    guard numbers.count == 6, words.count <= 9 else { exit(64) }
    if words.count == 9 {
      do { try PlugInFile(words[8]).load() } catch { exit(65) }
    }
    var wanted = AudioComponentDescription()
    (wanted.componentType, wanted.componentSubType) = (numbers[0], numbers[1])
    wanted.componentManufacturer = numbers[2]
    guard let component = AudioComponentFindNext(nil, &wanted),
      let subject = try? Subject(component, isFull: numbers[4] != 0)
    else { exit(65) }
    for check in Check.all.prefix(Int(numbers[5]) + Int(numbers[3])).dropFirst(Int(numbers[5])) {
      send(["begin", check.name, ""], to: channel)
      let (outcome, reason) = result(of: check, subject)
      send([outcome.rawValue, check.name, reason], to: channel)
    }
    // Without the ends of static objects: a unit that was left open is no fault here.
    _exit(0)
  }

  /// Makes one check.
  static func result(of check: Check, _ subject: Subject) -> (Finding.Outcome, String) {
    do {
      return (.pass, try check.run(subject) ?? "")
    } catch let skip as Skip {
      return (.skip, skip.description)
    } catch {
      return (.fail, "\(error)")
    }
  }

  /// A line of fields between tabs.
  private static func send(_ fields: [String], to file: Int32) {
    let plain = fields.map { $0.replacing("\n", with: " ").replacing("\t", with: " ") }
    let bytes = Array((plain.joined(separator: "\t") + "\n").utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if count > 0 { sent += count } else if errno != EINTR { _exit(66) }
    }
  }
}
