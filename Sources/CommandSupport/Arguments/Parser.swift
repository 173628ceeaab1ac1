// SPDX-License-Identifier: Apache-2.0
import PlainText

/// An error in the command line. The program exits with 2.
public struct UsageError: Error, Equatable, CustomStringConvertible {
  /// Names the argument, its value and what was expected.
  public let description: String

  /// An error with this sentence.
  public init(_ description: String) { self.description = description }
}

/// Parses the words after a command's name.
///
/// Options are `--name VALUE` or `--name=VALUE`; the word after an option is always its value. A
/// word that begins with a minus and a digit is an argument. `--` ends the options.
struct Parser {
  let command: Command
  private var values = Values()
  private var positionals: [any Parameter]

  init(_ command: Command) {
    self.command = command
    positionals = command.positionals
  }

  /// The values in a list of words.
  mutating func parse(_ words: [String]) throws -> Values {
    var rest = words[...]
    var optionsEnded = false
    var arguments: [String] = []
    while let word = rest.popFirst() {
      if !optionsEnded, word == "--" {
        optionsEnded = true
      } else if !optionsEnded, Self.isOption(word) {
        try parseOption(word, &rest)
      } else {
        arguments.append(word)
      }
    }
    try parsePositionals(arguments)
    if let missing = positionals.first(where: \.isRequired) {
      throw UsageError("\(missing.name) is missing: expected \(missing.expected ?? "a value")")
    }
    return values
  }

  /// Whether a word is an option, and not a number such as -10868.
  static func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), let second = word.dropFirst().first else { return false }
    return !second.isNumber && second != "."
  }

  private mutating func parseOption(_ word: String, _ rest: inout ArraySlice<String>) throws {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = command.options.first(where: { [$0.name, $0.shortName].contains(name) })
    else {
      throw UsageError("there is no option \(Excerpt.name(name))\(suggestion(for: name))")
    }
    guard let expected = option.expected else {
      if parts.count > 1 {
        throw UsageError(
          "\(name) takes no value: remove \(Excerpt.quoted("=" + parts[1])) (\(option.help))")
      }
      values.texts[option.name] = [""]
      return values.given[option.name] = true
    }
    guard let text = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
      throw UsageError("\(name) needs a value: expected \(expected)")
    }
    try parse(text, for: option)
  }

  /// Assigns the words to the arguments in order; a repeated argument collects the words that the
  /// others do not need.
  private mutating func parsePositionals(_ words: [String]) throws {
    if let arrange = command.arrange {
      for (word, argument) in zip(words, try arrange(words, values)) {
        try parse(word, for: argument)
      }
      positionals.removeAll { values.given[$0.name] != nil }
      return
    }
    for (index, word) in words.enumerated() {
      while let next = positionals.first, next.isRepeated, !next.isRequired,
        words.count - index <= positionals.filter(\.isRequired).count
      {
        positionals.removeFirst()
      }
      guard let next = positionals.first else {
        throw UsageError(
          "\(Excerpt.quoted(word)): one argument too many\(suggestion(forArgument: word))")
      }
      try parse(word, for: next)
      let needed = positionals.dropFirst().filter(\.isRequired).count
      if !next.isRepeated || words.count - index - 1 <= needed { positionals.removeFirst() }
    }
  }

  private mutating func parse(_ text: String, for parameter: any Parameter) throws {
    guard let value = parameter.value(of: text) else {
      throw UsageError(
        "\(parameter.name) is \(Excerpt.quoted(text)): expected \(parameter.expected ?? "nothing")")
    }
    values.texts[parameter.name, default: []].append(text)
    values.given[parameter.name] =
      values.given[parameter.name].map { parameter.joined($0, value) } ?? value
  }

  /// What to write in place of an option that there is not.
  private func suggestion(for name: String) -> String {
    if let hint = command.hints[name] { return ": \(hint)" }
    return NearWords.question(for: name, in: command.options.map(\.name) + ["--help"])
  }

  /// What a word may be that no argument takes.
  private func suggestion(forArgument word: String) -> String {
    let output = command.options.first { $0.name == "--output" }
    guard let output, values.given[output.name] == nil, word.contains("."), Double(word) == nil
    else {
      return ""
    }
    return "; an output is written -o \(Excerpt.name(word))"
  }
}
