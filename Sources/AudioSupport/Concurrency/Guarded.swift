// SPDX-License-Identifier: Apache-2.0

/// A value that several threads share; only one of them uses it at a time.
///
/// Unlike the standard library's `Mutex` it uses our own `Lock`. The thread sanitizer sees that
/// lock, and so do the tests that check that no lock is held while a function of the program is
/// called.
package final class Guarded<Value>: @unchecked Sendable {  // `value` is touched under `lock` only
  private let lock = Lock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  /// [control thread] Runs `body` while no other thread can use the value.
  package func withLock<Result: ~Copyable, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

extension Array {
  /// A copy in its own memory, for reading without the lock that guards the array.
  ///
  /// An ordinary copy shares its memory until one of the two changes. Only reference counts then
  /// protect the readers, and the thread sanitizer does not see those.
  package func copied() -> [Element] { map { $0 } }
}
