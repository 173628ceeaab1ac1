// SPDX-License-Identifier: Apache-2.0
import Foundation
import PlainText

/// A program: some commands, or a single one without a name.
public struct Program: Sendable {
  /// The version of this package, which all of its programs have.
  public static let packageVersion = "1.0.0"

  /// The word that starts it.
  public let name: String
  /// One line, without a full stop.
  public let summary: String
  /// What it does; one command with an empty name makes a program without commands.
  public let commands: [Command]
  /// What is written below the manual's commands: environment variables, each with its meaning.
  public let environment: [(name: String, meaning: String)]
  /// The words of a kind that a text may become, for shells that complete; nil where none is
  /// requested.
  let answer: (@Sendable (_ kind: String, _ text: String) -> [String])?

  /// A program.
  public init(
    _ name: String, _ summary: String, commands: [Command],
    environment: [(name: String, meaning: String)] = [],
    answer: (@Sendable (_ kind: String, _ text: String) -> [String])? = nil
  ) {
    self.name = name
    self.summary = summary
    self.environment = environment
    self.commands = commands
    self.answer = answer
  }

  /// The command of a program that has just one.
  var single: Command? { commands.first { $0.name.isEmpty } }

  /// Runs what the words ask for and ends the process: 0 when it was done, 1 when it failed, 64 when
  /// the words are wrong.
  public func main(_ words: [String]) -> Never {
    do {
      try run(words)
      exit(0)
    } catch let error as UsageError {
      complain(error.description, words)
      exit(64)
    } catch {
      Console.error("\(name): \(error)")
      exit(1)
    }
  }

  private func run(_ words: [String]) throws {
    if let single {
      try run(single, words)
    } else if let word = words.first {
      try choose(word, Array(words.dropFirst()))
    } else {
      Console.print(Help(self).text)
    }
  }

  private func choose(_ word: String, _ rest: [String]) throws {
    switch word {
    case "--help", "-h": Console.print(Help(self).text)
    case "--version": Console.print("\(name) \(Self.packageVersion)")
    case "help": try help(rest)
    case "completions": try completions(rest)
    case "manual": Console.print(Manual(self).text)
    case "words" where answer != nil: words(rest)
    default: try run(try command(word), rest)
    }
  }

  private func run(_ command: Command, _ words: [String]) throws {
    // Asking for help is never wrong, whatever else the line says.
    let options = words.prefix { $0 != "--" }
    if options.contains("--help") || options.contains("-h") {
      return Console.print(Help(self, command).text)
    }
    if command.name.isEmpty, options.contains("--version") {
      return Console.print("\(name) \(Self.packageVersion)")
    }
    if command.name.isEmpty, options.contains("--manual") {
      return Console.print(Manual(self).text)
    }
    var parser = Parser(command)
    try command.run(try parser.parse(words))
  }

  private func help(_ words: [String]) throws {
    guard let word = words.first else { return Console.print(Help(self).text) }
    Console.print(Help(self, try command(word)).text)
  }

  /// What a shell asks while somebody types: the words of a kind that a text may become, a line each.
  private func words(_ rest: [String]) {
    guard let kind = rest.first else { return }
    let text = rest.dropFirst().first ?? ""
    let words = (answer?(kind, text) ?? []).filter { $0.hasPrefix(text) }
    if !words.isEmpty { Console.print(words.joined(separator: "\n")) }
  }

  private func completions(_ words: [String]) throws {
    if let shell = words.first.flatMap(Shell.init(rawValue:)) {
      return Console.print(Completions(self).script(for: shell))
    }
    let given = words.first.map { "is \(Excerpt.quoted($0))" } ?? "is missing"
    let shells = Shell.allCases.map(\.rawValue).joined(separator: ", ")
    throw UsageError("SHELL \(given): expected \(shells)")
  }

  private func command(_ word: String) throws -> Command {
    if let command = commands.first(where: { $0.name == word }) { return command }
    let names = commands.map(\.name) + ["help"]
    let hint = nearest(to: word, in: names).map { "; did you mean \"\($0)\"?" } ?? ""
    throw UsageError("there is no command \(Excerpt.quoted(word))\(hint)")
  }

  private func complain(_ message: String, _ words: [String]) {
    let command = words.first.flatMap { word in commands.first { $0.name == word } }
    let subject = command.map { "\(name) \($0.name)" } ?? name
    Console.error("\(subject): \(message)")
    Console.error("Try `\(subject) --help`.")
  }
}

/// What people read.
public enum Console {
  /// [any thread] Writes to standard output, with a line end, at once. What cannot be written, as on
  /// a full disk, ends the process with 1.
  public static func print(_ text: String) {
    // Not by way of stdio: to flush its streams is to wait for a thread that reads a line.
    guard !write(text, to: STDOUT_FILENO) else { return }
    let reason = String(cString: strerror(errno))
    error("standard output: cannot be written: \(reason)")
    exit(1)
  }

  /// [any thread] Writes a line to standard error.
  public static func error(_ text: String) {
    _ = write(Excerpt.of(text, limit: errorLimit, keepsLines: true), to: STDERR_FILENO)
  }

  /// What is said of a mistake at most, in characters.
  private static let errorLimit = 4_000

  /// Writes all of a text, without what a terminal obeys; false, with `errno`, when that fails.
  private static func write(_ text: String, to descriptor: Int32) -> Bool {
    let plain = Excerpt.of(text, limit: .max, keepsLines: true)
    var rest = Array((plain.hasSuffix("\n") ? plain : plain + "\n").utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // Whoever started the process reads slowly.
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, -1)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}
