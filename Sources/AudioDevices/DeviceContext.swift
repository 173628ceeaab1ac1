// SPDX-License-Identifier: Apache-2.0
import CRealTime
import AudioSupport

/// The environment and the preferences that calls of the program use: those of the process.
///
/// A function of the program has no argument for an environment, and tests, which run in parallel,
/// need one each. `use` replaces those of the process for the calls of one thread. Whatever
/// outlives a call, such as a running stream, is passed its environment and never asks again.
public struct DeviceContext: Sendable {
  /// Nil for the variables of the process.
  public var environment: DeviceEnvironment?
  public var preferences: DevicePreferences

  /// The environment of the process, or another one.
  public init(
    _ environment: DeviceEnvironment? = nil, preferences: DevicePreferences = .process
  ) {
    self.environment = environment
    self.preferences = preferences
  }

  /// The contexts that replace the process's, by thread.
  private static let replacements = Guarded<[UInt64: DeviceContext]>([:])

  /// [control thread] The context of the calling thread.
  public static var current: DeviceContext {
    let thread = rt_thread_id()
    return replacements.withLock { $0[thread] } ?? DeviceContext()
  }

  /// [control thread] Runs `body`, whose calls on this thread use this context.
  @discardableResult
  public func use<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let thread = rt_thread_id()
    let before = Self.replacements.withLock { $0.updateValue(self, forKey: thread) }
    defer { Self.replacements.withLock { $0[thread] = before } }
    return try body()
  }
}

extension DeviceEnvironment {
  /// [control thread] Runs `body`, whose calls on this thread use this environment.
  @discardableResult
  public func use<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    var context = DeviceContext.current
    context.environment = self
    return try context.use(body)
  }
}
