// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// A value that threads share, each having it to itself for a moment.
///
/// The library's `Mutex` would do, but the thread sanitizer does not see that one on Linux and takes
/// every contended use for a race.
final class Guarded<Value>: @unchecked Sendable {  // `value` is touched under `lock` only
  private let lock = Lock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  /// Runs `body` while no other thread has the value.
  func withLock<Result: ~Copyable, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
