// SPDX-License-Identifier: Apache-2.0
import Foundation
import PlainText

/// Converts the text of an argument to a value; help, errors and completions are derived from it.
public struct ValueReader<Value>: Sendable {
  /// A description of valid texts, as in `expected a number of Hz from 20 to 20000`.
  public let expected: String
  /// What help adds to the meaning of a parameter, with the separator: ", from 20 to 20000 Hz"; empty where
  /// the meaning says all.
  public let limits: String
  /// The completions that a shell may offer.
  public let completion: Completion
  /// Converts a text; nil if the text is invalid.
  public let read: @Sendable (String) -> Value?

  /// A custom reader.
  public init(
    expected: String, limits: String, completion: Completion = .none,
    read: @escaping @Sendable (String) -> Value?
  ) {
    self.expected = expected
    self.limits = limits
    self.completion = completion
    self.read = read
  }
}

/// The completions that a shell may offer for a value.
public enum Completion: Equatable, Sendable {
  case none, file
  case words([String])
  /// Words that depend on the machine, or on what is typed: `PROGRAM words KIND TEXT` prints them.
  case dynamic(String)

  /// Among dynamic words: the shell offers files, too.
  public static let files = ":files:"
}

extension ValueReader {
  /// Any text.
  public static func text(
    _ expected: String = "a text", limits: String = "", _ completion: Completion = .none
  ) -> Self where Value == String {
    Self(expected: expected, limits: limits, completion: completion) { $0.isEmpty ? nil : $0 }
  }

  /// The path of a file.
  public static func path(
    _ expected: String = "a path", limits: String = ""
  ) -> Self where Value == String {
    Self(expected: expected, limits: limits, completion: .file) { $0.isEmpty ? nil : $0 }
  }

  /// A number within a range; `of` is the counted noun.
  public static func number(
    of what: String = "", in range: ClosedRange<Double>
  ) -> Self where Value == Double {
    let counted = what.isEmpty ? "" : " of \(what)"
    let limits = "from \(plain(range.lowerBound)) to \(plain(range.upperBound))"
    return Self(expected: "a number\(counted) \(limits)", limits: ", \(limits)") { text in
      // Double(_:) also reads "0x1p3" and "nan", which are refused.
      guard text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }),
        let value = Double(text), range.contains(value)
      else { return nil }
      return value
    }
  }

  /// A frequency within a range of hertz, or a note.
  public static func frequency(in range: ClosedRange<Double>) -> Self where Value == Double {
    quantity(.frequency(), "a frequency", "Hz", in: range, .dynamic("frequency"))
  }

  /// A level within a range of decibels.
  public static func level(in range: ClosedRange<Double>) -> Self where Value == Double {
    quantity(.decibels, "a level", "dB", in: range)
  }

  /// A time within a range of seconds.
  public static func seconds(in range: ClosedRange<Double>) -> Self where Value == Double {
    quantity(.seconds, "a time", "seconds", in: range)
  }

  /// A percentage within a range.
  public static func percent(in range: ClosedRange<Double>) -> Self where Value == Double {
    quantity(.percent, "a share", "percent", in: range)
  }

  /// A sample rate within a range of hertz.
  public static func sampleRate(in range: ClosedRange<Double>) -> Self where Value == Double {
    let usual = [8, 16, 22.05, 44.1, 48, 88.2, 96, 176.4, 192].map { $0 * 1_000 }
    return quantity(
      .sampleRate, "a sample rate", "Hz", in: range,
      .words(usual.filter(range.contains).map(plain)))
  }

  /// A sample rate within a range of hertz, in whole frames per second.
  public static func wholeSampleRate(in range: ClosedRange<Int>) -> Self where Value == Int {
    let reader = ValueReader<Double>.sampleRate(
      in: Double(range.lowerBound)...Double(range.upperBound))
    return Self(
      expected: reader.expected, limits: reader.limits, completion: reader.completion
    ) { text in reader.read(text).flatMap(Int.init(exactly:)) }
  }

  /// A number in one of the notations of `Quantity`.
  private static func quantity(
    _ quantity: Quantity, _ what: String, _ unit: String, in range: ClosedRange<Double>,
    _ completion: Completion = .none
  ) -> Self where Value == Double {
    let limits =
      "from \(plain(range.lowerBound)) to \(plain(range.upperBound)) \(unit), such as "
      + quantity.examples
    return Self(expected: "\(what) \(limits)", limits: ", \(limits)", completion: completion) {
      text in
      quantity.value(of: text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// A whole number within a range; `of` is the counted noun.
  public static func wholeNumber(
    of what: String, in range: ClosedRange<Int>
  ) -> Self where Value == Int {
    let limits = "from \(range.lowerBound) to \(range.upperBound)"
    return Self(expected: "a whole number of \(what) \(limits)", limits: ", \(limits)") { text in
      guard let value = Int(text), range.contains(value) else { return nil }
      return value
    }
  }

  /// A number without an empty fraction.
  private static func plain(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
  }
}

extension ValueReader
where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
  /// One of several words.
  public static func choice() -> Self {
    let words = Value.allCases.map(\.rawValue)
    let list = words.joined(separator: ", ")
    return Self(expected: list, limits: ": \(list)", completion: .words(words)) {
      Value(rawValue: $0)
    }
  }
}
