// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import SignalProcessing

/// The locks of several units, for calls that change them together.
package enum ControlLocks {
  /// The lock that calls which connect two units acquire before the units' own locks.
  static let connecting = Lock()

  /// [any thread] Runs `body` with the locks of several units held. A render thread gets an error
  /// if it would have to wait.
  package static func hold<Result>(of units: [any GraphUnit], _ body: () -> Result)
    throws(AudioError) -> Result
  {
    try connecting.acquire()
    var held = [connecting]
    defer { for lock in held.reversed() { lock.unlock() } }
    for unit in units {
      if let lock = try unit.acquireLock() { held.append(lock) }
    }
    return body()
  }
}

extension Lock {
  /// [any thread] Acquires the lock; on a render thread it fails instead of waiting.
  func acquire() throws(AudioError) {
    guard rt_current().pointee.depth > 0 else { return lock() }
    guard tryLock() else { throw .cannotDoInCurrentContext }
  }
}

extension RenderGate {
  /// [any thread] Waits until the current render has ended, unless this thread is inside a render.
  borrowing func waitUntilIdleUnlessRendering() {
    guard rt_current().pointee.depth == 0 else { return }
    waitUntilIdle()
  }
}
