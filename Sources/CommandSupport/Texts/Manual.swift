// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The manual page of a program, or of one of its commands, as `man` reads it.
struct Manual {
  private let program: Program
  private let command: Command?

  init(_ program: Program, _ command: Command? = nil) {
    (self.program, self.command) = (program, command)
  }

  var text: String { command.map(page(of:)) ?? page }

  private func page(of command: Command) -> String {
    let name = "\(program.name)-\(command.name)"
    var page = """
      .\\" SPDX-License-Identifier: Apache-2.0
      .\\" Written by `\(program.name) manual \(command.name)`.
      .TH \(name) 1 "" "swift-audiotoolbox \(Program.packageVersion)" "User Commands"
      .SH NAME
      \(name) \\- \(Self.escape(command.summary))
      .SH SYNOPSIS
      .B \(program.name)
      \(Self.escape(command.usage))

      """
    page += list(".SH EXAMPLES", command.examples.map { ($0.line, $0.meaning) })
    page += paragraphs(".SH DESCRIPTION", command.discussion)
    page += ".SH OPTIONS\n" + parameters(command)
    page += """
      .SH SEE ALSO
      \(program.name)(1), whose page has the environment variables and the exit status.

      """
    return page
  }

  private var page: String {
    var page = """
      .\\" SPDX-License-Identifier: Apache-2.0
      .\\" Written by `\(program.name) \(program.single == nil ? "manual" : "--manual")`.
      .TH \(program.name) 1 "" "swift-audiotoolbox \(Program.packageVersion)" "User Commands"
      .SH NAME
      \(program.name) \\- \(Self.escape(program.summary))
      .SH SYNOPSIS

      """
    let usages = program.single.map { [$0.usage] } ?? program.commands.map(\.usage)
    for usage in usages { page += ".B \(program.name)\n\(Self.escape(usage))\n.br\n" }
    if let single = program.single {
      page += paragraphs(".SH DESCRIPTION", single.discussion)
      page += ".SH OPTIONS\n" + parameters(single)
    } else {
      page += ".SH COMMANDS\n"
      for command in program.commands {
        page += ".SS \(command.name)\n\(Self.sentence(command.summary))\n"
        page += paragraphs(".PP", command.discussion) + parameters(command)
      }
    }
    page += list(".SH ENVIRONMENT", program.environment.map { ($0.name, $0.meaning) })
    page += list(
      ".SH EXAMPLES", program.commands.flatMap(\.examples).map { ($0.line, $0.meaning) })
    page += """
      .SH EXIT STATUS
      0 on success, 1 on failure, 2 if the command line is wrong. 75 if a command for many files should be
      called again, because there was no place or memory; it continues where it stopped.

      """
    return page
  }

  private func parameters(_ command: Command) -> String {
    list("", command.parameters.map { ($0.usage, Help.explanation($0)) })
  }

  private func paragraphs(_ heading: String, _ text: String) -> String {
    guard !text.isEmpty else { return "" }
    let paragraphs = text.components(separatedBy: "\n\n").map {
      Self.protect(Help.wrap(Self.escape($0), indent: 0))
    }
    return "\(heading)\n" + paragraphs.joined(separator: "\n.PP\n") + "\n"
  }

  private func list(_ heading: String, _ rows: [(String, String)]) -> String {
    guard !rows.isEmpty else { return "" }
    let items = rows.map { usage, meaning in
      ".TP\n.B \(Self.escape(usage))\n\(Self.protect(Self.escape(Self.sentence(meaning))))\n"
    }
    return (heading.isEmpty ? "" : "\(heading)\n") + items.joined()
  }

  private static func sentence(_ text: String) -> String {
    guard let first = text.first else { return text }
    return first.uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
  }

  /// Marks lines that begin like a request of the formatter, such as ".flac", as text.
  private static func protect(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix(".") || line.hasPrefix("'") ? "\\&\(line)" : String(line)
    }.joined(separator: "\n")
  }

  private static func escape(_ text: String) -> String {
    text.replacingOccurrences(of: "\\", with: "\\e").replacingOccurrences(of: "-", with: "\\-")
  }
}
