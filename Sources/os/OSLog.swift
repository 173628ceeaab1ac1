// SPDX-License-Identifier: Apache-2.0
private import COperatingSystem

/// The source of messages: their subsystem and category.
///
/// Messages go to the journal if standard error is connected to it, as in a service of systemd, and
/// otherwise to standard error, a line for each message.
public final class OSLog: Sendable {
  private let subsystem: String?
  private let category: String?
  private let isDisabled: Bool

  /// [any thread] Makes a log; logs of equal names are alike.
  public convenience init(subsystem: String, category: String) {
    self.init(subsystem, category)
  }

  /// [any thread] Makes a log of one of the named categories.
  public convenience init(subsystem: String, category: Category) {
    self.init(subsystem, category.rawValue)
  }

  private init(_ subsystem: String?, _ category: String?, isDisabled: Bool = false) {
    (self.subsystem, self.category, self.isDisabled) = (subsystem, category, isDisabled)
  }

  /// The log without a name.
  public static let `default` = OSLog(nil, nil)
  /// The log that writes nothing.
  public static let disabled = OSLog(nil, nil, isDisabled: true)

  /// Categories of signposts.
  public struct Category: Sendable {
    /// The category as text.
    public let rawValue: String
    /// Moments that a person who looks at measurements wants to see first.
    public static let pointsOfInterest = Category(rawValue: "PointsOfInterest")
    /// Intervals whose stack is of interest.
    public static let dynamicStackTracing = Category(rawValue: "DynamicStackTracing")
    /// Intervals that are measured only while somebody looks.
    public static let dynamicTracing = Category(rawValue: "DynamicTracing")
  }

  /// [any thread] Whether messages of a type are written.
  public func isEnabled(type: OSLogType) -> Bool {
    !isDisabled && system_log_writes(type.rawValue)
  }

  /// Whether signposts are written. [any thread]
  public var signpostsEnabled: Bool { isEnabled(type: .debug) }

  /// [any thread but a render thread] Writes a text, unless its type is disabled.
  func write(_ text: @autoclosure () -> String, type: OSLogType) {
    guard isEnabled(type: type) else { return }
    system_log_write(subsystem, category, type.rawValue, text())
  }
}

/// Writes a message in the format of C, where `%@` is any object and `%{public}s` shows a text that is
/// otherwise `<private>`. [any thread but a render thread]
///
/// - Parameters:
///   - message: The format.
///   - dso: The image of the caller, which is not written.
///   - log: The log; the default is that of the process.
///   - type: The importance.
///   - args: The values of the format, in their order.
public func os_log(
  _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default,
  type: OSLogType = .default, _ args: any CVarArg...
) {
  os_log(type, dso: dso, log: log, message, args)
}

/// Writes a message in the format of C, where `%@` is any object and `%{public}s` shows a text that is
/// otherwise `<private>`. The image of the caller, `dso`, is not written.
/// [any thread but a render thread]
///
/// - Parameters:
///   - type: The importance.
///   - dso: The image of the caller, which is not written.
///   - log: The log; the default is that of the process.
///   - message: The format.
///   - args: The values of the format, in their order.
public func os_log(
  _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
  _ args: any CVarArg...
) {
  os_log(type, dso: dso, log: log, message, args)
}

private func os_log(
  _ type: OSLogType, dso: UnsafeRawPointer?, log: OSLog, _ message: StaticString,
  _ args: [any CVarArg]
) {
  log.write(FormatText.text(message, args), type: type)
}

/// Writes a message with interpolated values. [any thread but a render thread]
///
/// - Parameter message: The message; texts in it are private unless they say otherwise.
public func os_log(_ message: OSLogMessage) { OSLog.default.write(message.text, type: .default) }

/// Writes a message with interpolated values. [any thread but a render thread]
///
/// - Parameters:
///   - type: The importance.
///   - log: The log; the default is that of the process.
///   - message: The message; texts in it are private unless they say otherwise.
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
  log.write(message.text, type: type)
}
