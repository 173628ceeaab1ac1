// SPDX-License-Identifier: Apache-2.0
import AVFoundation

/// Why a program ends; the text is printed.
public struct Failure: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}

/// An error in the command line; the text is printed.
public struct UsageFailure: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}

/// Runs a program. An error is printed on standard error, and the process exits with 1, or with 64
/// for an error in the command line.
///
/// The usage is the name of the program and of its arguments, as in "PassThrough [SECONDS]";
/// `--help` prints it.
public func run(_ usage: String, _ body: (Arguments) throws -> Void) -> Never {
  let words = Array(CommandLine.arguments.dropFirst())
  let name = usage.prefix { $0 != " " }
  func printError(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
  if ["-h", "--help"].contains(words.first) {
    show("Usage: \(usage)")
    exit(0)
  }
  do {
    try body(Arguments(usage, words))
    exit(0)
  } catch let error as UsageFailure {
    printError("\(name): \(error)")
    printError("Try `\(name) --help`.")
    exit(64)
  } catch {
    printError("\(name): \(error)")
    exit(1)
  }
}

/// The arguments, by their names in the usage.
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

  /// The text of an argument; nil if it was not given.
  public subscript(name: String) -> String? { words[name] }

  /// The text of a required argument.
  public func text(_ name: String) throws -> String {
    guard let word = words[name] else { throw UsageFailure("\(name) is missing") }
    return word
  }

  /// An argument as a number; `default` if it was not given.
  public func number(
    _ name: String, in range: ClosedRange<Double>, default: Double
  ) throws -> Double {
    try words[name].map { try readNumber(name, $0, in: range) } ?? `default`
  }
}

/// Reads a number, and refuses other texts and numbers out of range.
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

/// Writes a line immediately, even to a file or a pipe, from any thread.
public func show(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// Waits while the audio thread plays.
public func wait(seconds: Double) { Thread.sleep(forTimeInterval: seconds) }
