// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Work on a thread of its own. Tasks share as many threads as there are processors: one that waits
/// for another in the same test could keep it from ever beginning.
final class OwnThread<Value: Sendable>: @unchecked Sendable {
  private let done = DispatchSemaphore(value: 0)
  private var result: Value?

  /// Begins at once.
  init(_ work: @escaping @Sendable () -> Value) {
    Thread.detachNewThread { [self] in
      result = work()
      done.signal()
    }
  }

  /// Waits for the end of the work, and gives what came of it. Called once.
  func join() -> Value {
    done.wait()
    guard let result else { fatalError("signalled without a result") }
    return result
  }
}
