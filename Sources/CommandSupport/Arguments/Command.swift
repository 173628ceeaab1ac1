// SPDX-License-Identifier: Apache-2.0

/// A command of a program. Its parser, its help, its part of the manual and its completions are
/// derived from this declaration.
public struct Command: Sendable {
  /// The word that selects it.
  public let name: String
  /// One line, without a full stop.
  public let summary: String
  /// Paragraphs below the summary; may be empty.
  public let discussion: String
  /// Positional arguments in their order, then options and flags.
  public let parameters: [any Parameter]
  /// Example command lines, each with its effect.
  public let examples: [Example]
  /// Chooses the argument of each word that is no option, where their order is not enough; it gets
  /// the words and the values of the options. Nil: they follow each other as they are declared.
  let arrange: Arrangement?
  /// What to write in place of options that other programs have, by their names with the minus.
  let hints: [String: String]
  /// Executes it. An error that it throws ends the program.
  public let run: @Sendable (Values) throws -> Void

  /// The arguments of words, one for each.
  public typealias Arrangement =
    @Sendable (_ words: [String], _ values: Values) throws -> [any Parameter]

  /// An example command line, and its effect.
  public struct Example: Sendable {
    let line: String
    let meaning: String

    /// An example: the line and its meaning.
    public init(_ line: String, _ meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  /// A command.
  public init(
    _ name: String, _ summary: String, discussion: String = "", parameters: [any Parameter] = [],
    examples: [Example] = [], hints: [String: String] = [:], arrange: Arrangement? = nil,
    run: @escaping @Sendable (Values) throws -> Void
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.parameters = parameters
    self.examples = examples
    self.hints = hints
    self.arrange = arrange
    self.run = run
  }

  var positionals: [any Parameter] { parameters.filter(\.isPositional) }
  var options: [any Parameter] { parameters.filter { !$0.isPositional } }

  /// The completions of the argument after some words, and the arguments among these.
  func completions(after words: [String]) -> ([Completion], earlier: [String]) {
    var earlier: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      guard Parser.isOption(word) else {
        earlier.append(word)
        continue
      }
      let option = options.first { [$0.name, $0.shortName].contains(word) }
      if option?.expected != nil { rest = rest.dropFirst() }
    }
    // After an argument that takes any number of words, it may be any of those that follow.
    let repeated = positionals.firstIndex(where: \.isRepeated) ?? positionals.count
    if earlier.count >= repeated { return (positionals[repeated...].map(\.completion), earlier) }
    let next = positionals.dropFirst(earlier.count).first
    return ([next?.completion ?? .none], earlier)
  }

  /// The usage line, without the program's name.
  var usage: String {
    var words = name.isEmpty ? [] : [name]
    words += positionals.map(\.usage)
    if !options.isEmpty { words.append("[options]") }
    return words.joined(separator: " ")
  }
}

/// The parsed values of a command line.
public struct Values: Sendable {
  var given: [String: any Sendable] = [:]
  /// The values as they were typed; an empty text for a flag.
  var texts: [String: [String]] = [:]

  /// The value of an option, or its default.
  public subscript<Value>(option: Option<Value>) -> Value {
    given[option.name] as? Value ?? option.defaultValue
  }

  /// All values of an option that may be repeated.
  public subscript<Value>(option: RepeatedOption<Value>) -> [Value] {
    given[option.name] as? [Value] ?? []
  }

  /// All values of an argument that may be repeated.
  public subscript<Value>(argument: RepeatedArgument<Value>) -> [Value] {
    given[argument.name] as? [Value] ?? []
  }

  /// Whether a flag was given.
  public subscript(flag: Flag) -> Bool { given[flag.name] != nil }

  /// The value of an argument, or its default.
  public subscript<Value>(argument: Argument<Value>) -> Value {
    guard let value = given[argument.name] as? Value ?? argument.defaultValue else {
      preconditionFailure("\(argument.name) is no parameter of this command")
    }
    return value
  }

  /// The given values as they were typed, in the order of their names; without those of some parameters.
  public func texts(without parameters: [any Parameter]) -> [String] {
    let names = Set(parameters.map(\.name))
    return texts.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }
      .flatMap { name, texts in texts.map { $0.isEmpty ? name : "\(name)=\($0)" } }
  }

  /// Whether the command line has a value for a parameter.
  public func has(_ parameter: any Parameter) -> Bool { given[parameter.name] != nil }
}
