// SPDX-License-Identifier: Apache-2.0
private import COperatingSystem

/// Whether a value is written.
public struct OSLogPrivacy: Sendable {
  enum Kind { case automatic, visible, hidden }
  let kind: Kind
  let mask: Mask

  /// What is written in place of a private value.
  public enum Mask: Sendable {
    /// The same for equal values of one run of a program, so that messages about one value can be
    /// found. Another run has other marks: a table of likely values does not tell which one it was.
    case hash
    /// `<private>`.
    case none
  }

  /// Texts and objects are private; numbers are not.
  public static let auto = OSLogPrivacy(kind: .automatic, mask: .none)
  /// The value is written.
  public static let `public` = OSLogPrivacy(kind: .visible, mask: .none)
  /// The value is written only on a terminal, or with AUDIOTOOLBOX_LOG_PRIVATE=1.
  public static let `private` = OSLogPrivacy(kind: .hidden, mask: .none)
  /// As `private`.
  public static let sensitive = OSLogPrivacy(kind: .hidden, mask: .none)

  /// Texts and objects are private; numbers are not.
  public static func auto(mask: Mask) -> OSLogPrivacy { .init(kind: .automatic, mask: mask) }

  /// The value is written only on a terminal, or with AUDIOTOOLBOX_LOG_PRIVATE=1.
  public static func `private`(mask: Mask) -> OSLogPrivacy { .init(kind: .hidden, mask: mask) }

  /// As `private(mask:)`.
  public static func sensitive(mask: Mask) -> OSLogPrivacy { .init(kind: .hidden, mask: mask) }

  /// The value, or what is written in its place.
  func shown(_ value: String, isText: Bool) -> String {
    let hides = kind == .hidden || kind == .automatic && isText
    guard hides, !system_log_shows_private() else { return value }
    guard mask == .hash else { return "<private>" }
    // The standard library's hash, but with a key that no variable of the environment can fix.
    var hasher = Hasher()
    hasher.combine(maskKey)
    hasher.combine(value)
    let hash = UInt64(truncatingIfNeeded: hasher.finalize())
    return "<mask.hash: \(String(hash, radix: 16))>"
  }
}

/// A key of this run of the program, for the marks of private values.
private let maskKey = UInt64.random(in: .min ... .max)

/// A column for a value.
public struct OSLogStringAlignment: Sendable {
  let width: Int
  let isRight: Bool

  /// As wide as the value.
  public static let none = OSLogStringAlignment(width: 0, isRight: false)

  /// At the left of so many columns.
  public static func left(columns: @autoclosure () -> Int) -> OSLogStringAlignment {
    .init(width: columns(), isRight: false)
  }

  /// At the right of so many columns.
  public static func right(columns: @autoclosure () -> Int) -> OSLogStringAlignment {
    .init(width: columns(), isRight: true)
  }

  /// A text in its column. [any thread]
  func aligned(_ text: String) -> String {
    // A limit, because the width may be computed.
    let spaces = String(repeating: " ", count: max(0, max(0, min(width, 1000)) - text.count))
    return isRight ? spaces + text : text + spaces
  }
}
