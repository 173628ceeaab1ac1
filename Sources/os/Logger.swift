// SPDX-License-Identifier: Apache-2.0

/// Writes messages of a subsystem and a category; see `OSLog` for where they go.
///
/// A message is made only if its type is enabled. [any thread but a render thread]
public struct Logger: Sendable {
  private let log: OSLog

  /// [any thread] Makes a logger without a name.
  public init() { log = .default }

  /// [any thread] Makes a logger with names.
  public init(subsystem: String, category: String) {
    log = OSLog(subsystem: subsystem, category: category)
  }

  /// [any thread] Makes a logger that writes to a log.
  public init(_ logObj: OSLog) { log = logObj }

  private func write(_ type: OSLogType, _ message: () -> OSLogMessage) {
    log.write(message().text, type: type)
  }

  /// Writes a message of the default type.
  public func log(_ message: @autoclosure () -> OSLogMessage) { write(.default, message) }

  /// Writes a message of a type.
  public func log(level: OSLogType, _ message: @autoclosure () -> OSLogMessage) {
    write(level, message)
  }

  /// Writes a debug message.
  public func trace(_ message: @autoclosure () -> OSLogMessage) { write(.debug, message) }

  /// Writes a debug message.
  public func debug(_ message: @autoclosure () -> OSLogMessage) { write(.debug, message) }

  /// Writes an info message.
  public func info(_ message: @autoclosure () -> OSLogMessage) { write(.info, message) }

  /// Writes a message of the default type.
  public func notice(_ message: @autoclosure () -> OSLogMessage) { write(.default, message) }

  /// Writes an error.
  public func warning(_ message: @autoclosure () -> OSLogMessage) { write(.error, message) }

  /// Writes an error.
  public func error(_ message: @autoclosure () -> OSLogMessage) { write(.error, message) }

  /// Writes a fault.
  public func critical(_ message: @autoclosure () -> OSLogMessage) { write(.fault, message) }

  /// Writes a fault.
  public func fault(_ message: @autoclosure () -> OSLogMessage) { write(.fault, message) }
}
