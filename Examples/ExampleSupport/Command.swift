// SPDX-License-Identifier: Apache-2.0
import AVFoundation

/// A line that a person types while a program plays: a verb and its arguments.
public struct Command {
  public let line: String
  private let words: [String]

  init(_ line: String) {
    self.line = line
    words = line.split(separator: " ").map(String.init)
  }

  /// The verb and the number of arguments, for a switch.
  public var form: (verb: String, count: Int) { (words.first ?? "", max(words.count - 1, 0)) }

  /// Everything after the verb, for names with spaces.
  public var rest: String { words.dropFirst().joined(separator: " ") }

  /// A bus, from its place among the arguments.
  public func bus(_ place: Int) throws -> UInt32 {
    guard let bus = UInt32(words[place]) else {
      throw UsageFailure("BUS is \"\(words[place])\": expected 0, 1, …")
    }
    return bus
  }

  /// A value for a control, which knows its range.
  public func value(_ place: Int) throws -> Float {
    guard let value = Float(words[place]) else {
      throw UsageFailure("VALUE is \"\(words[place])\": expected a number")
    }
    return value
  }

  /// A number of seconds.
  public func seconds(_ place: Int) throws -> Double {
    try readNumber("SECONDS", words[place], in: 0...3_600)
  }

  /// The complaint about a line that is none of a program's commands.
  public var unknown: UsageFailure {
    UsageFailure("\"\(line)\": expected one of the commands above")
  }
}

/// Reads commands, one in a line, until "quit" or the end of the input. "wait SECONDS" is common to all
/// programs. An error is shown, and the program continues.
public func readCommands(_ execute: (Command) throws -> Void) {
  while let line = readLine(), line != "quit" {
    let command = Command(line)
    do {
      if command.form == ("wait", 1) {
        try wait(seconds: command.seconds(1))
      } else {
        try execute(command)
      }
    } catch { show("\(error)") }
  }
}
