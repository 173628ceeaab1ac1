// SPDX-License-Identifier: Apache-2.0

/// The parameters of a command line: an option, a flag or a positional argument.
public protocol Parameter: Sendable {
  /// How it is told apart, and how it is written: "--level" or "FREQUENCY".
  var name: String { get }
  /// How it stands in a line of usage: "--level DB", "[FREQUENCY]".
  var usage: String { get }
  /// One sentence without a full stop.
  var help: String { get }
  /// What a shell may offer for its value.
  var completion: Completion { get }
  /// What is expected of its value; nil when it takes none.
  var expected: String? { get }
  /// The value when the line does not say it, as text; nil when there is none.
  var defaultText: String? { get }
  /// Whether it is told by its place, and whether the line must have it.
  var isPositional: Bool { get }
  var isRequired: Bool { get }
  /// Whether it takes all words that the arguments after it leave.
  var isRepeated: Bool { get }
  /// What it can be called as well: "-o".
  var shortName: String? { get }
  /// Checks a text and turns it into a value; nil when the text is wrong.
  func value(of text: String) -> (any Sendable)?
  /// What stands when the line says it again: the later value, unless it gathers them.
  func joined(_ earlier: any Sendable, _ later: any Sendable) -> any Sendable
}

extension Parameter {
  public func joined(_ earlier: any Sendable, _ later: any Sendable) -> any Sendable { later }
  public var defaultText: String? { nil }
  public var isRequired: Bool { false }
  public var isRepeated: Bool { false }
  public var shortName: String? { nil }
}

/// `--name VALUE`.
public struct Option<Value: Sendable>: Parameter {
  public let name: String
  public let help: String
  public let defaultText: String?
  /// The value when the line does not say it.
  public let defaultValue: Value
  let placeholder: String
  private let read: @Sendable (String) -> Value?
  private let expectedText: String
  public let completion: Completion

  /// An option with a default.
  public init(
    _ name: String, _ placeholder: String, _ reader: ValueReader<Value>, default value: Value,
    _ help: String
  ) {
    self.init(name, placeholder, reader.expected, reader.completion, help, value, "\(value)") {
      reader.read($0)
    }
  }

  /// An option whose values are words, with one of them as the default.
  public init(_ name: String, _ placeholder: String, default value: Value, _ help: String)
  where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    let reader = ValueReader<Value>.choice()
    self.init(
      name, placeholder, reader.expected, reader.completion, help, value, value.rawValue
    ) { reader.read($0) }
  }

  /// An option that may be left out.
  public init<Wrapped: Sendable>(
    _ name: String, _ placeholder: String, _ reader: ValueReader<Wrapped>, _ help: String
  ) where Value == Wrapped? {
    self.init(name, placeholder, reader.expected, reader.completion, help, nil, nil) {
      reader.read($0).map { .some($0) }
    }
  }

  private init(
    _ name: String, _ placeholder: String, _ expected: String, _ completion: Completion,
    _ help: String, _ defaultValue: Value, _ defaultText: String?,
    _ read: @escaping @Sendable (String) -> Value?
  ) {
    self.name = "--\(name)"
    self.placeholder = placeholder
    self.help = help
    self.defaultText = defaultText
    self.defaultValue = defaultValue
    self.read = read
    self.completion = completion
    expectedText = expected
  }

  /// The short names are the same in every command.
  public var shortName: String? { ["--output": "-o", "--device": "-d"][name] }
  public var usage: String { (shortName.map { "\($0), " } ?? "") + "\(name) \(placeholder)" }
  public var expected: String? { expectedText }
  public var isPositional: Bool { false }
  public func value(of text: String) -> (any Sendable)? { read(text) }
}

/// `--name VALUE`, as often as wanted: all values, in their order.
public struct RepeatedOption<Value: Sendable>: Parameter {
  public let name: String
  public let help: String
  private let placeholder: String
  private let reader: ValueReader<Value>

  /// An option without values until it is said.
  public init(
    _ name: String, _ placeholder: String, _ reader: ValueReader<Value>, _ help: String
  ) {
    self.name = "--\(name)"
    self.placeholder = placeholder
    self.reader = reader
    self.help = help
  }

  public var usage: String { "\(name) \(placeholder)" }
  public var completion: Completion { reader.completion }
  public var expected: String? { reader.expected }
  public var isPositional: Bool { false }
  public func value(of text: String) -> (any Sendable)? { reader.read(text).map { [$0] } }
  public func joined(_ earlier: any Sendable, _ later: any Sendable) -> any Sendable {
    (earlier as? [Value] ?? []) + (later as? [Value] ?? [])
  }
}

/// `--name`: said or not.
public struct Flag: Parameter {
  public let name: String
  public let help: String

  /// A flag that is off until it is said.
  public init(_ name: String, _ help: String) {
    self.name = "--\(name)"
    self.help = help
  }

  public var usage: String { name }
  public var completion: Completion { .none }
  public var expected: String? { nil }
  public var isPositional: Bool { false }
  public func value(of text: String) -> (any Sendable)? { true }
}

/// Values that are told by their place: one or more, in their order.
public struct RepeatedArgument<Value: Sendable>: Parameter {
  public let name: String
  public let help: String
  private let reader: ValueReader<Value>

  /// An argument that the line must have at least once.
  public init(_ name: String, _ reader: ValueReader<Value>, _ help: String) {
    self.name = name
    self.reader = reader
    self.help = help
  }

  public var usage: String { "\(name)..." }
  public var completion: Completion { reader.completion }
  public var expected: String? { reader.expected }
  public var isPositional: Bool { true }
  public var isRequired: Bool { true }
  public var isRepeated: Bool { true }
  public func value(of text: String) -> (any Sendable)? { reader.read(text).map { [$0] } }
  public func joined(_ earlier: any Sendable, _ later: any Sendable) -> any Sendable {
    (earlier as? [Value] ?? []) + (later as? [Value] ?? [])
  }
}

/// A value that is told by its place.
public struct Argument<Value: Sendable>: Parameter {
  public let name: String
  public let help: String
  public let isRequired: Bool
  public let defaultText: String?
  public let completion: Completion
  /// The value when the line does not say it; nil when the line must.
  let defaultValue: Value?
  private let expectedText: String
  private let read: @Sendable (String) -> Value?

  /// An argument that the line must have.
  public init(_ name: String, _ reader: ValueReader<Value>, _ help: String) {
    self.init(name, reader.expected, reader.completion, help, nil, nil, isRequired: true) {
      reader.read($0)
    }
  }

  /// An argument with a default.
  public init(_ name: String, _ reader: ValueReader<Value>, default value: Value, _ help: String) {
    self.init(
      name, reader.expected, reader.completion, help, value, "\(value)", isRequired: false
    ) { reader.read($0) }
  }

  /// An argument that may be left out.
  public init<Wrapped: Sendable>(
    optional name: String, _ reader: ValueReader<Wrapped>, _ help: String
  ) where Value == Wrapped? {
    self.init(
      name, reader.expected, reader.completion, help, .some(nil), nil, isRequired: false
    ) { reader.read($0).map { .some($0) } }
  }

  private init(
    _ name: String, _ expected: String, _ completion: Completion, _ help: String,
    _ defaultValue: Value?, _ defaultText: String?, isRequired: Bool,
    _ read: @escaping @Sendable (String) -> Value?
  ) {
    self.name = name
    self.help = help
    self.isRequired = isRequired
    self.defaultText = defaultText
    self.defaultValue = defaultValue
    self.completion = completion
    self.read = read
    expectedText = expected
  }

  public var usage: String { isRequired ? name : "[\(name)]" }
  public var expected: String? { expectedText }
  public var isPositional: Bool { true }
  public func value(of text: String) -> (any Sendable)? { read(text) }
}
