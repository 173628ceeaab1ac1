// SPDX-License-Identifier: Apache-2.0

/// An interval that has begun.
public final class OSSignpostIntervalState: Sendable {
  let identifier: OSSignpostID

  init(_ identifier: OSSignpostID) { self.identifier = identifier }

  /// [any thread] The state of an interval that another part of the program began.
  public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { .init(id) }
}

/// Marks moments and intervals of a subsystem and a category, as debug messages.
///
/// Without AUDIOTOOLBOX_LOG=1, a mark costs one test, and its message is not made.
/// [any thread but a render thread]
public struct OSSignposter: Sendable {
  private let log: OSLog

  /// [any thread] Makes a signposter without a name.
  public init() { log = .default }

  /// [any thread] Makes a signposter with names.
  public init(subsystem: String, category: String) {
    log = OSLog(subsystem: subsystem, category: category)
  }

  /// [any thread] Makes a signposter with a name of one of the named categories.
  public init(subsystem: String, category: OSLog.Category) {
    log = OSLog(subsystem: subsystem, category: category)
  }

  /// [any thread] Makes a signposter that writes to a log.
  public init(logHandle: OSLog) { log = logHandle }

  /// The signposter that writes nothing.
  public static let disabled = OSSignposter(logHandle: .disabled)

  /// Whether marks are written. [any thread]
  public var isEnabled: Bool { log.signpostsEnabled }

  /// [any thread] Makes an identifier that differs from all others of the process.
  public func makeSignpostID() -> OSSignpostID { OSSignpostID(log: log) }

  /// [any thread] The identifier of an object.
  public func makeSignpostID(from object: AnyObject) -> OSSignpostID {
    OSSignpostID(log: log, object: object)
  }

  /// Marks the beginning of an interval.
  public func beginInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive
  ) -> OSSignpostIntervalState {
    log.mark(.begin, name, id) { "" }
    return OSSignpostIntervalState(id)
  }

  /// Marks the beginning of an interval, with a message.
  public func beginInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive, _ message: @autoclosure () -> OSLogMessage
  ) -> OSSignpostIntervalState {
    log.mark(.begin, name, id) { message().text }
    return OSSignpostIntervalState(id)
  }

  /// Marks the beginning of an interval of an animation; the mark is that of any interval.
  public func beginAnimationInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive
  ) -> OSSignpostIntervalState { beginInterval(name, id: id) }

  /// Marks the beginning of an interval of an animation, with a message.
  public func beginAnimationInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive, _ message: @autoclosure () -> OSLogMessage
  ) -> OSSignpostIntervalState { beginInterval(name, id: id, message()) }

  /// Marks the end of an interval.
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {
    log.mark(.end, name, state.identifier) { "" }
  }

  /// Marks the end of an interval, with a message.
  public func endInterval(
    _ name: StaticString, _ state: OSSignpostIntervalState,
    _ message: @autoclosure () -> OSLogMessage
  ) {
    log.mark(.end, name, state.identifier) { message().text }
  }

  /// Marks a moment.
  public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive) {
    log.mark(.event, name, id) { "" }
  }

  /// Marks a moment, with a message.
  public func emitEvent(
    _ name: StaticString, id: OSSignpostID = .exclusive, _ message: @autoclosure () -> OSLogMessage
  ) {
    log.mark(.event, name, id) { message().text }
  }

  /// Marks the interval of a function.
  public func withIntervalSignpost<T>(
    _ name: StaticString, id: OSSignpostID = .exclusive, around task: () throws -> T
  ) rethrows -> T {
    let state = beginInterval(name, id: id)
    defer { endInterval(name, state) }
    return try task()
  }

  /// Marks the interval of a function, with a message at its beginning.
  public func withIntervalSignpost<T>(
    _ name: StaticString, id: OSSignpostID = .exclusive, _ message: @autoclosure () -> OSLogMessage,
    around task: () throws -> T
  ) rethrows -> T {
    let state = beginInterval(name, id: id, message())
    defer { endInterval(name, state) }
    return try task()
  }
}
