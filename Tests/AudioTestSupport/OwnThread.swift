// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Work on its own thread. Tasks share as many threads as there are processors, so a task that
/// waits for another one of the same test could prevent it from ever starting.
public final class OwnThread<Value: Sendable>: @unchecked Sendable {
  private let done = DispatchSemaphore(value: 0)
  private var result: Value?

  /// Starts the work immediately.
  public init(_ work: @escaping @Sendable () -> Value) {
    Thread.detachNewThread { [self] in
      result = work()
      done.signal()
    }
  }

  /// Waits for the end of the work, and returns its result. Must be called once.
  public func join() -> Value {
    done.wait()
    guard let result else { fatalError("signalled without a result") }
    return result
  }
}
