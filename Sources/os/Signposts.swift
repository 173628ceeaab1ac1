// SPDX-License-Identifier: Apache-2.0
private import COperatingSystem

/// The identifier of an interval, which tells overlapping ones of equal name apart.
public struct OSSignpostID: Hashable, Comparable, Sendable {
  /// The identifier as a number.
  public let rawValue: UInt64

  /// [any thread] The identifier of a number.
  public init(_ value: UInt64) { rawValue = value }

  /// [any thread] Makes an identifier that differs from all others of the process.
  public init(log: OSLog) { rawValue = system_log_identifier() }

  /// [any thread] The identifier of an object.
  public init(log: OSLog, object: AnyObject) {
    rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(object)))
  }

  /// For intervals that do not overlap.
  public static let exclusive = OSSignpostID(0xEEEE_B0B5_B2B2_EEEE)
  /// An identifier that no interval has.
  public static let invalid = OSSignpostID(.max)
  /// The identifier from a log that is disabled.
  public static let null = OSSignpostID(0)

  public static func < (a: OSSignpostID, b: OSSignpostID) -> Bool { a.rawValue < b.rawValue }
}

/// What a signpost marks.
public struct OSSignpostType: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A moment.
  public static let event = OSSignpostType(rawValue: 0)
  /// The beginning of an interval.
  public static let begin = OSSignpostType(rawValue: 1)
  /// The end of an interval.
  public static let end = OSSignpostType(rawValue: 2)
}

extension OSLog {
  /// [any thread but a render thread] Writes a mark as a debug message.
  func mark(
    _ type: OSSignpostType, _ name: StaticString, _ identifier: OSSignpostID,
    _ text: () -> String
  ) {
    guard signpostsEnabled else { return }
    var line: String
    switch type {
    case .begin:
      system_log_begin(name.description, identifier.rawValue)
      line = "begin \(name)"
    case .end:
      line = "end \(name)"
      let milliseconds = system_log_end(name.description, identifier.rawValue)
      if milliseconds >= 0 {
        line += " after \(OSLogFloatFormatting.fixed(precision: 3).text(milliseconds)) ms"
      }
    default: line = "event \(name)"
    }
    let text = text()
    write(text.isEmpty ? line : "\(line): \(text)", type: .debug)
  }
}

/// Marks a moment, or the beginning or end of an interval. Marks are debug messages: without
/// AUDIOTOOLBOX_LOG=1, they cost one test. [any thread but a render thread]
///
/// - Parameters:
///   - type: Whether it is a moment, a beginning or an end.
///   - dso: The image of the caller, which is not written.
///   - log: The log.
///   - name: The name of the moment or the interval.
///   - signpostID: What tells intervals that overlap from each other.
public func os_signpost(
  _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
  signpostID: OSSignpostID = .exclusive
) {
  log.mark(type, name, signpostID) { "" }
}

/// Marks with a text in the format of C; see `os_log`. [any thread but a render thread]
///
/// - Parameters:
///   - type: Whether it is a moment, a beginning or an end.
///   - dso: The image of the caller, which is not written.
///   - log: The log.
///   - name: The name of the moment or the interval.
///   - signpostID: What tells intervals that overlap from each other.
///   - format: The format.
///   - arguments: The values of the format, in their order.
public func os_signpost(
  _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
  signpostID: OSSignpostID = .exclusive, _ format: StaticString, _ arguments: any CVarArg...
) {
  log.mark(type, name, signpostID) { FormatText.text(format, arguments) }
}
