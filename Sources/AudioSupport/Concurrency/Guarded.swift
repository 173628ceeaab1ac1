// SPDX-License-Identifier: Apache-2.0

/// A value that several threads share, one at a time.
///
/// Unlike the standard library's `Mutex` it uses our own lock, which the thread sanitizer sees, and
/// the tests for locks that are held while a function of the program is called.
package final class Guarded<Value>: @unchecked Sendable {  // `value` is touched under `lock` only
  private let lock = Lock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  /// [control thread] Runs `body` while no other thread has the value.
  package func withLock<Result: ~Copyable, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

extension Array {
  /// The same elements in memory of their own, to be looked at without the lock under which others change
  /// the array. Only counts of references tell those that nobody looks at its memory any more, and the
  /// thread sanitizer does not see these.
  package func copied() -> [Element] { map { $0 } }
}
