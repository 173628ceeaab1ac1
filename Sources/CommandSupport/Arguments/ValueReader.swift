// SPDX-License-Identifier: Apache-2.0
import Foundation
import PlainText

/// How the text of an argument becomes a value; help, errors and completions follow from it.
public struct ValueReader<Value>: Sendable {
  /// What is expected, as in `expected a number of Hz from 20 to 20000`.
  public let expected: String
  /// What a shell may offer.
  public let completion: Completion
  /// The value of a text; nil when the text is not what is expected.
  public let read: @Sendable (String) -> Value?

  /// A reader of its own.
  public init(
    expected: String, completion: Completion = .none, read: @escaping @Sendable (String) -> Value?
  ) {
    self.expected = expected
    self.completion = completion
    self.read = read
  }
}

/// What a shell may offer for a value.
public enum Completion: Equatable, Sendable {
  case none, file
  case words([String])
  /// What the program knows by then: `PROGRAM words KIND TEXT` prints it.
  case asked(String)
}

extension ValueReader {
  /// Any text.
  public static func text(
    _ expected: String = "a text", _ completion: Completion = .none
  ) -> Self where Value == String {
    Self(expected: expected, completion: completion) { $0.isEmpty ? nil : $0 }
  }

  /// The path of a file.
  public static func path(_ expected: String = "a path") -> Self where Value == String {
    Self(expected: expected, completion: .file) { $0.isEmpty ? nil : $0 }
  }

  /// A number within a range; `of` names what it counts.
  public static func number(
    of what: String = "", in range: ClosedRange<Double>
  ) -> Self where Value == Double {
    let counted = what.isEmpty ? "" : " of \(what)"
    let limits = "from \(plain(range.lowerBound)) to \(plain(range.upperBound))"
    return Self(expected: "a number\(counted) \(limits)") { text in
      // Double("0x1p3") and Double("nan") are numbers too, but nobody types them.
      guard text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }),
        let value = Double(text), range.contains(value)
      else { return nil }
      return value
    }
  }

  /// A frequency within a range of hertz, or a note.
  public static func frequency(in range: ClosedRange<Double>) -> Self where Value == Double {
    quantity(.frequency(), "a frequency", "Hz", in: range)
  }

  /// A level within a range of decibels.
  public static func level(in range: ClosedRange<Double>) -> Self where Value == Double {
    quantity(.decibels, "a level", "dB", in: range)
  }

  /// A time within a range of seconds.
  public static func seconds(in range: ClosedRange<Double>) -> Self where Value == Double {
    quantity(.seconds, "a time", "seconds", in: range)
  }

  /// A share within a range of percent.
  public static func percent(in range: ClosedRange<Double>) -> Self where Value == Double {
    quantity(.percent, "a share", "percent", in: range)
  }

  /// A sample rate within a range of hertz.
  public static func sampleRate(in range: ClosedRange<Double>) -> Self where Value == Double {
    quantity(.sampleRate, "a sample rate", "Hz", in: range)
  }

  /// A sample rate within a range of hertz, in whole frames per second.
  public static func wholeSampleRate(in range: ClosedRange<Int>) -> Self where Value == Int {
    let reader = ValueReader<Double>.sampleRate(
      in: Double(range.lowerBound)...Double(range.upperBound))
    return Self(expected: reader.expected) { text in reader.read(text).flatMap(Int.init(exactly:)) }
  }

  /// A number as people of the field type it.
  private static func quantity(
    _ quantity: Quantity, _ what: String, _ unit: String, in range: ClosedRange<Double>
  ) -> Self where Value == Double {
    let limits = "from \(plain(range.lowerBound)) to \(plain(range.upperBound)) \(unit)"
    return Self(expected: "\(what) \(limits), such as \(quantity.examples)") { text in
      quantity.value(of: text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// A whole number within a range; `of` names what it counts.
  public static func wholeNumber(
    of what: String, in range: ClosedRange<Int>
  ) -> Self where Value == Int {
    Self(
      expected: "a whole number of \(what) from \(range.lowerBound) to \(range.upperBound)"
    ) { text in
      guard let value = Int(text), range.contains(value) else { return nil }
      return value
    }
  }

  /// A number without a fraction that says nothing.
  private static func plain(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
  }
}

extension ValueReader
where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
  /// One of some words.
  public static func choice() -> Self {
    let words = Value.allCases.map(\.rawValue)
    return Self(expected: words.joined(separator: ", "), completion: .words(words)) {
      Value(rawValue: $0)
    }
  }
}
