// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The text of `--help`.
struct Help {
  private static let width = 79

  private let program: Program
  private let command: Command?

  /// The help of a program, or of one of its commands.
  init(_ program: Program, _ command: Command? = nil) {
    self.program = program
    self.command = command ?? program.single
  }

  var text: String {
    let sections = command.map(sections(of:)) ?? overview
    return sections.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  /// What the program prints without a command: a line for each job.
  var jobs: String {
    let column = (program.jobs.map(\.job.count).max() ?? 0) + 4
    let lines = program.jobs.map { job, line in
      "  \(job)\(String(repeating: " ", count: column - 2 - job.count))\(line)"
    }
    let name = program.name
    return """
      \(title(name, program.summary))

      \(lines.joined(separator: "\n"))

      `\(name) help` lists all commands, `\(name) help COMMAND` explains one.

      """
  }

  private var overview: [String] {
    let commands = program.commands.map { ($0.name, $0.summary) }
    let builtIn = [
      ("help COMMAND", "explain a command"),
      ("completions SHELL", "print a completion script for a shell: bash, zsh or fish"),
    ]
    return [
      title(program.name, program.summary),
      "Usage: \(program.name) COMMAND ...",
      section("Commands:", table(commands + builtIn)),
      section("Options:", table([helpRow, versionRow])),
      environment,
      examples(program.commands.compactMap(\.examples.first)),
    ]
  }

  private func sections(of command: Command) -> [String] {
    let isWhole = command.name.isEmpty
    let subject = isWhole ? program.name : "\(program.name) \(command.name)"
    let arguments = command.positionals.map { ($0.name, Self.explanation($0)) }
    let options = command.options.map { ($0.usage, Self.explanation($0)) }
    return [
      title(subject, isWhole ? program.summary : command.summary),
      "Usage: \(program.name) \(command.usage)",
      examples(command.examples),
      command.discussion.components(separatedBy: "\n\n").map { Self.wrap($0, indent: 0) }
        .joined(separator: "\n\n"),
      section("Arguments:", table(arguments)),
      section("Options:", table(options + [helpRow] + (isWhole ? [versionRow] : []))),
      isWhole ? environment : "",
    ]
  }

  /// The meaning of a parameter, its valid values and its default, as one sentence.
  static func explanation(_ parameter: any Parameter) -> String {
    var text = parameter.help
    var end = parameter.defaultText.map { " (default: \(Self.plain($0)))" } ?? ""
    // A default in words belongs to the end.
    if text.hasSuffix(")"), let start = text.range(of: " (default: ", options: .backwards) {
      end = String(text[start.lowerBound...])
      text = String(text[..<start.lowerBound])
    }
    // What the values are belongs to the first clause; the others say more about it.
    let clause = text.range(of: "; ")?.lowerBound ?? text.endIndex
    return text[..<clause] + parameter.limits + text[clause...] + end
  }

  /// A number without an empty fraction: 440 and not 440.0.
  static func plain(_ number: String) -> String {
    number.hasSuffix(".0") ? String(number.dropLast(2)) : number
  }

  private var helpRow: (String, String) { ("--help", "show this text") }
  private var versionRow: (String, String) { ("--version", "show the version") }

  private var environment: String {
    section("Environment:", table(program.environment.map { ($0.name, $0.meaning) }))
  }

  private func title(_ subject: String, _ summary: String) -> String { "\(subject) - \(summary)" }

  private func examples(_ examples: [Command.Example]) -> String {
    let lines = examples.map { "  \($0.line)\n\(Self.wrap($0.meaning, indent: 6))" }
    return section("Examples:", lines.joined(separator: "\n"))
  }

  private func section(_ title: String, _ body: String) -> String {
    body.isEmpty ? "" : "\(title)\n\(body)"
  }

  private func table(_ rows: [(String, String)]) -> String {
    let column = min(26, (rows.map(\.0.count).max() ?? 0) + 4)
    return rows.map { name, meaning in
      let left = "  \(name)"
      let right = Self.wrap(meaning, indent: column)
      guard left.count + 2 <= column else { return "\(left)\n\(right)" }
      return left + right.dropFirst(left.count)
    }.joined(separator: "\n")
  }

  /// Breaks a paragraph into lines that begin after `indent` spaces.
  static func wrap(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(margin + line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    if !line.isEmpty { lines.append(margin + line) }
    return lines.joined(separator: "\n")
  }
}
