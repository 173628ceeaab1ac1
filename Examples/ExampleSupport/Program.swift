// SPDX-License-Identifier: Apache-2.0
import AVFoundation

/// Why a program ends; its text is for people.
public struct Failure: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}

/// A command line that is not right; its text is for people.
public struct UsageFailure: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}

/// Runs a program: what fails is told on standard error, and the process ends with status 1, or with
/// 64 when the command line is not right.
///
/// The usage is the program and the names of its arguments, as in "PassThrough [SECONDS]"; `--help`
/// prints it.
public func run(_ usage: String, _ body: (Arguments) throws -> Void) -> Never {
  let words = Array(CommandLine.arguments.dropFirst())
  let name = usage.prefix { $0 != " " }
  func complain(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
  if ["-h", "--help"].contains(words.first) {
    show("Usage: \(usage)")
    exit(0)
  }
  do {
    try body(Arguments(usage, words))
    exit(0)
  } catch let error as UsageFailure {
    complain("\(name): \(error)")
    complain("Try `\(name) --help`.")
    exit(64)
  } catch {
    complain("\(name): \(error)")
    exit(1)
  }
}

/// The words of the command line, by the names that the usage gives them.
public struct Arguments {
  private let words: [String: String]

  init(_ usage: String, _ words: [String]) throws {
    let names = usage.split(separator: " ").dropFirst().map {
      $0.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    }
    guard words.count <= names.count else {
      throw UsageFailure("\"\(words[names.count])\": one argument too many")
    }
    self.words = Dictionary(uniqueKeysWithValues: zip(names, words))
  }

  /// An argument as it was given.
  public subscript(name: String) -> String? { words[name] }

  /// An argument that must be there.
  public func text(_ name: String) throws -> String {
    guard let word = words[name] else { throw UsageFailure("\(name) is missing") }
    return word
  }

  /// An argument as a number; `default` where it was not given.
  public func number(
    _ name: String, in range: ClosedRange<Double>, default: Double
  ) throws -> Double {
    try words[name].map { try readNumber(name, $0, in: range) } ?? `default`
  }
}

/// The number that a word is; a text that is none, or one out of range, is refused.
public func readNumber(
  _ name: String, _ word: String, in range: ClosedRange<Double>
) throws -> Double {
  guard let number = Double(word), range.contains(number) else {
    let ends = [range.lowerBound, range.upperBound].map { String(format: "%g", $0) }
    throw UsageFailure(
      "\(name) is \"\(word)\": expected a number from \(ends[0]) to \(ends[1])")
  }
  return number
}

/// Writes a line at once, also where the output is a file or a pipe, and on any thread.
public func show(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// Waits while the audio thread plays.
public func wait(seconds: Double) { Thread.sleep(forTimeInterval: seconds) }
