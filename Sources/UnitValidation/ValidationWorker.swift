// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import AudioUnitCore

/// The child process that checks a unit.
public enum ValidationWorker {
  /// The argument that makes a program this process.
  static let word = "--validation-worker"

  /// [main thread] Runs the checks and ends the process if the program was started as a worker. A
  /// program calls this before anything else, except that it registers its own units first.
  public static func runIfStarted() {
    let words = CommandLine.arguments
    guard words.count > 1, [word, PlugInFile.word].contains(words[1]) else { return }
    // Output of the unit must not mix with the findings.
    let channel = dup(STDOUT_FILENO)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    if words[1] == PlugInFile.word, words.count == 3 {
      PlugInFile(words[2]).printRegisteredComponents { send($0, to: channel) }
      _exit(0)
    }
    let numbers = words.dropFirst(2).prefix(6).compactMap { UInt32($0) }
    guard numbers.count == 6, words.count <= 9 else { exit(64) }
    if words.count == 9 {
      do { try PlugInFile(words[8]).load(into: Library.components) } catch { exit(65) }
    }
    var description = AudioComponentDescription()
    (description.componentType, description.componentSubType) = (numbers[0], numbers[1])
    description.componentManufacturer = numbers[2]
    guard let component = AudioComponentFindNext(nil, &description),
      let subject = try? TestedComponent(component, isFull: numbers[4] != 0)
    else { exit(65) }
    for check in Check.all.prefix(Int(numbers[5]) + Int(numbers[3])).dropFirst(Int(numbers[5])) {
      send(["begin", check.name, ""], to: channel)
      let (outcome, reason) = result(of: check, subject)
      send([outcome.rawValue, check.name, reason], to: channel)
    }
    // Ends without static destructors: a unit that is still open is not a fault.
    _exit(0)
  }

  /// Runs one check.
  static func result(of check: Check, _ subject: TestedComponent) -> (Finding.Outcome, String) {
    do {
      return (.pass, try check.run(subject) ?? "")
    } catch let skip as Skip {
      return (.skip, skip.description)
    } catch {
      return (.fail, "\(error)")
    }
  }

  /// Writes a line of tab-separated fields.
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
