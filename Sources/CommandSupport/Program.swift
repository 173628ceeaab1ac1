// SPDX-License-Identifier: Apache-2.0
import Foundation
import PlainText

/// A program with several commands, or with one command without a name.
public struct Program: Sendable {
  /// The version of this package and of all its programs.
  public static let packageVersion = "1.0.0"

  /// Its file name.
  public let name: String
  /// One line, without a full stop.
  public let summary: String
  /// The commands; a single command with an empty name makes a program without subcommands.
  public let commands: [Command]
  /// What people want to do, each with a command line; printed when there is no command.
  let jobs: [(job: String, line: String)]
  /// The environment variables in the manual, each with its meaning.
  public let environment: [(name: String, meaning: String)]
  let dynamicWords: DynamicWords?

  /// The words of a kind that may begin with a text, for completions after other arguments.
  public typealias DynamicWords =
    @Sendable (_ kind: String, _ text: String, _ earlier: [String]) -> [String]

  /// A program.
  public init(
    _ name: String, _ summary: String, commands: [Command],
    jobs: [(job: String, line: String)] = [], environment: [(name: String, meaning: String)] = [],
    dynamicWords: DynamicWords? = nil
  ) {
    self.name = name
    self.summary = summary
    self.jobs = jobs
    self.environment = environment
    self.commands = commands
    self.dynamicWords = dynamicWords
  }

  /// The command of a program without subcommands.
  var single: Command? { commands.first { $0.name.isEmpty } }

  /// Runs the command line and ends the process: with 0 on success, 2 if the command line is wrong, and
  /// otherwise with the error's own exit code, or 1.
  public func main(_ words: [String]) -> Never {
    do {
      try run(words)
      exit(0)
    } catch let error as UsageError {
      reportUsageError(error.description, words)
      exit(2)
    } catch {
      Console.error("\(name): \(error)")
      exit((error as? any ExitCoded)?.exitCode ?? 1)
    }
  }

  private func run(_ words: [String]) throws {
    if let single {
      try run(single, words)
    } else if let word = words.first {
      try choose(word, Array(words.dropFirst()))
    } else {
      Console.print(jobs.isEmpty ? Help(self).text : Help(self).jobs)
    }
  }

  private func choose(_ word: String, _ rest: [String]) throws {
    switch word {
    case "--help", "-h": Console.print(Help(self).text)
    case "--version", "-v", "version": Console.print("\(name) \(Self.packageVersion)")
    case "help": try help(rest)
    case "completions": try completions(rest)
    case "manual": Console.print(try manual(rest).text)
    case "words" where dynamicWords != nil: words(rest)
    default: try run(try command(word), rest)
    }
  }

  private func run(_ command: Command, _ words: [String]) throws {
    // A request for help is accepted even if the rest of the line is wrong.
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

  /// The manual page of the program, or of one of its commands.
  private func manual(_ words: [String]) throws -> Manual {
    guard let word = words.first else { return Manual(self) }
    return Manual(self, try command(word))
  }

  /// Prints the completions that a shell requests, one per line: `KIND TEXT` are the words of a kind that
  /// begin with a text, `- TEXT COMMAND WORD...` those of the argument after the words of a command.
  private func words(_ rest: [String]) {
    guard let kind = rest.first, let dynamicWords else { return }
    let text = rest.dropFirst().first ?? ""
    var words = dynamicWords(kind, text, [])
    if kind == "-", let name = rest.dropFirst(2).first {
      let command = commands.first { $0.name == name }
      let (completions, earlier) = command?.completions(after: Array(rest.dropFirst(3))) ?? ([], [])
      words = completions.flatMap { completion in
        switch completion {
        case .none: [String]()
        case .file: [Completion.files]
        case .words(let words): words
        case .dynamic(let kind): dynamicWords(kind, text, earlier)
        }
      }
    }
    let matching = words.filter { $0.hasPrefix(text) || $0 == Completion.files }
    if !matching.isEmpty { Console.print(matching.joined(separator: "\n")) }
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
    let hint = NearWords.question(for: word, in: names) { Excerpt.quoted($0) }
    throw UsageError("there is no command \(Excerpt.quoted(word))\(hint)")
  }

  private func reportUsageError(_ message: String, _ words: [String]) {
    let command = words.first.flatMap { word in commands.first { $0.name == word } }
    let subject = command.map { "\(name) \($0.name)" } ?? name
    Console.error("\(subject): \(message)")
    Console.error("Try `\(subject) --help`.")
  }
}

/// An error that chooses the exit code of the program.
public protocol ExitCoded: Error {
  /// 1: the command failed. 75: it may succeed if it is called again.
  var exitCode: Int32 { get }
}

/// Text output to the terminal.
public enum Console {
  /// [any thread] Writes to standard output immediately, with a line end. A write error, such as a
  /// full disk, ends the process with 1.
  public static func print(_ text: String) {
    // Not through stdio: flushing its streams waits for threads that read a line.
    guard !write(text, to: STDOUT_FILENO) else { return }
    let reason = String(cString: strerror(errno))
    error("standard output: cannot be written: \(reason)")
    exit(1)
  }

  /// [any thread] Writes a line to standard error.
  public static func error(_ text: String) {
    _ = write(Excerpt.of(text, limit: errorLimit, keepsLines: true), to: STDERR_FILENO)
  }

  /// The most characters of an error message.
  private static let errorLimit = 4_000

  /// Writes all of a text, without control characters; false, with `errno` set, if that fails.
  private static func write(_ text: String, to descriptor: Int32) -> Bool {
    let plain = Excerpt.of(text, limit: .max, keepsLines: true)
    var rest = Array((plain.hasSuffix("\n") ? plain : plain + "\n").utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // The reader of a non-blocking pipe is slow.
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, -1)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}
