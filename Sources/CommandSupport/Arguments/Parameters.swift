// SPDX-License-Identifier: Apache-2.0

/// A parameter of a command: an option, a flag or a positional argument.
public protocol Parameter: Sendable {
  /// Its unique name, as written: "--level" or "FREQUENCY".
  var name: String { get }
  /// Its form in a usage line: "--level DB", "[FREQUENCY]".
  var usage: String { get }
  /// One sentence without a full stop.
  var help: String { get }
  /// The completions that a shell may offer.
  var completion: Completion { get }
  /// A description of valid values; nil if it has no value.
  var expected: String? { get }
  /// What help adds to the first clause of its meaning: ", from 1 to 64".
  var limits: String { get }
  /// The default value as text; nil if there is none.
  var defaultText: String? { get }
  /// Whether it is identified by its position, and whether it must be given.
  var isPositional: Bool { get }
  var isRequired: Bool { get }
  /// Whether it collects all words that the arguments after it do not need.
  var isRepeated: Bool { get }
  /// A short form, such as "-o".
  var shortName: String? { get }
  /// Converts a text to a value; nil if the text is invalid.
  func value(of text: String) -> (any Sendable)?
  /// Combines the values of two occurrences: the later value, unless the parameter collects them.
  func joined(_ earlier: any Sendable, _ later: any Sendable) -> any Sendable
}

extension Parameter {
  public func joined(_ earlier: any Sendable, _ later: any Sendable) -> any Sendable { later }
  public var limits: String { "" }
  public var defaultText: String? { nil }
  public var isRequired: Bool { false }
  public var isRepeated: Bool { false }
  public var shortName: String? { nil }
}

/// The short names of frequent options.
private let shortNames = [
  "--output": "-o", "--device": "-d", "--rate": "-r", "--channels": "-c", "--bits": "-b",
  "--format": "-f", "--jobs": "-j", "--gain": "-g", "--level": "-l", "--seconds": "-t",
]

/// `--name VALUE`.
public struct Option<Value: Sendable>: Parameter {
  public let name: String
  public let help: String
  public let defaultText: String?
  /// The value if the option is not given.
  public let defaultValue: Value
  let placeholder: String
  private let read: @Sendable (String) -> Value?
  private let expectedText: String
  public let limits: String
  public let completion: Completion

  /// An option with a default.
  public init(
    _ name: String, _ placeholder: String, _ reader: ValueReader<Value>, default value: Value,
    _ help: String
  ) {
    self.init(name, placeholder, reader, help, value, "\(value)") { reader.read($0) }
  }

  /// An option with one of several words as its value, and a default.
  public init(_ name: String, _ placeholder: String, default value: Value, _ help: String)
  where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    let reader = ValueReader<Value>.choice()
    self.init(name, placeholder, reader, help, value, value.rawValue) { reader.read($0) }
  }

  /// An optional option, without a default.
  public init<Wrapped: Sendable>(
    _ name: String, _ placeholder: String, _ reader: ValueReader<Wrapped>, _ help: String
  ) where Value == Wrapped? {
    self.init(name, placeholder, reader, help, nil, nil) { reader.read($0).map { .some($0) } }
  }

  private init<Read>(
    _ name: String, _ placeholder: String, _ reader: ValueReader<Read>, _ help: String,
    _ defaultValue: Value, _ defaultText: String?, _ read: @escaping @Sendable (String) -> Value?
  ) {
    self.name = "--\(name)"
    self.placeholder = placeholder
    self.help = help
    self.defaultText = defaultText
    self.defaultValue = defaultValue
    self.read = read
    completion = reader.completion
    limits = reader.limits
    expectedText = reader.expected
  }

  /// The short names are the same in all commands.
  public var shortName: String? { shortNames[name] }
  public var usage: String { (shortName.map { "\($0), " } ?? "") + "\(name) \(placeholder)" }
  public var expected: String? { expectedText }
  public var isPositional: Bool { false }
  public func value(of text: String) -> (any Sendable)? { read(text) }
}

/// `--name VALUE`, any number of times: all values, in order.
public struct RepeatedOption<Value: Sendable>: Parameter {
  public let name: String
  public let help: String
  private let placeholder: String
  private let reader: ValueReader<Value>

  /// An option without values by default.
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
  public var limits: String { reader.limits }
  public var isPositional: Bool { false }
  public func value(of text: String) -> (any Sendable)? { reader.read(text).map { [$0] } }
  public func joined(_ earlier: any Sendable, _ later: any Sendable) -> any Sendable {
    (earlier as? [Value] ?? []) + (later as? [Value] ?? [])
  }
}

/// `--name`: given or not.
public struct Flag: Parameter {
  public let name: String
  public let help: String

  /// A flag that is off by default.
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

/// Several values, identified by their position, in order.
public struct RepeatedArgument<Value: Sendable>: Parameter {
  public let name: String
  public let help: String
  private let reader: ValueReader<Value>

  /// An argument that must be given at least once.
  public init(_ name: String, _ reader: ValueReader<Value>, _ help: String) {
    self.init(name, reader, help, isRequired: true)
  }

  /// An argument that may be left out.
  public init(optional name: String, _ reader: ValueReader<Value>, _ help: String) {
    self.init(name, reader, help, isRequired: false)
  }

  private init(
    _ name: String, _ reader: ValueReader<Value>, _ help: String, isRequired: Bool
  ) {
    (self.name, self.reader, self.help) = (name, reader, help)
    self.isRequired = isRequired
  }

  public var usage: String { isRequired ? "\(name)..." : "[\(name)...]" }
  public var completion: Completion { reader.completion }
  public var expected: String? { reader.expected }
  public var limits: String { reader.limits }
  public var isPositional: Bool { true }
  public let isRequired: Bool
  public var isRepeated: Bool { true }
  public func value(of text: String) -> (any Sendable)? { reader.read(text).map { [$0] } }
  public func joined(_ earlier: any Sendable, _ later: any Sendable) -> any Sendable {
    (earlier as? [Value] ?? []) + (later as? [Value] ?? [])
  }
}

/// A value identified by its position.
public struct Argument<Value: Sendable>: Parameter {
  public let name: String
  public let help: String
  public let isRequired: Bool
  public let defaultText: String?
  public let completion: Completion
  /// The default value; nil if the argument is required.
  let defaultValue: Value?
  private let expectedText: String
  public let limits: String
  private let read: @Sendable (String) -> Value?

  /// A required argument.
  public init(_ name: String, _ reader: ValueReader<Value>, _ help: String) {
    self.init(name, reader, help, nil, nil, isRequired: true) { reader.read($0) }
  }

  /// An argument with a default.
  public init(_ name: String, _ reader: ValueReader<Value>, default value: Value, _ help: String) {
    self.init(name, reader, help, value, "\(value)", isRequired: false) { reader.read($0) }
  }

  /// An optional argument, without a default.
  public init<Wrapped: Sendable>(
    optional name: String, _ reader: ValueReader<Wrapped>, _ help: String
  ) where Value == Wrapped? {
    self.init(name, reader, help, .some(nil), nil, isRequired: false) {
      reader.read($0).map { .some($0) }
    }
  }

  private init<Read>(
    _ name: String, _ reader: ValueReader<Read>, _ help: String, _ defaultValue: Value?,
    _ defaultText: String?,
    isRequired: Bool, _ read: @escaping @Sendable (String) -> Value?
  ) {
    self.name = name
    self.help = help
    self.isRequired = isRequired
    self.defaultText = defaultText
    self.defaultValue = defaultValue
    completion = reader.completion
    limits = reader.limits
    self.read = read
    expectedText = reader.expected
  }

  public var usage: String { isRequired ? name : "[\(name)]" }
  public var expected: String? { expectedText }
  public var isPositional: Bool { true }
  public func value(of text: String) -> (any Sendable)? { read(text) }
}
