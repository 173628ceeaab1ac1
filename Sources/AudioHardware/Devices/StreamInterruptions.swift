// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import SignalProcessing

/// The streams of this process that should run but do not, because their device left or another
/// program has it; for notifying the program.
package final class StreamInterruptions: Sendable {
  /// One of them.
  package struct Interruption: Sendable {
    /// The stream's device.
    package let uid: String
    package let reason: String
    /// Host time at which it was noticed.
    package let since: UInt64
  }

  package static let shared = StreamInterruptions()

  private struct State {
    var current: [ObjectIdentifier: Interruption] = [:]
    var observers: [Int: @Sendable () -> Void] = [:]
    var lastNumber = 0
  }

  private let lock = Lock()
  // Touched under `lock` only.
  private nonisolated(unsafe) let state = UnsafeMutablePointer.cell(State())

  private init() {}

  /// [any thread] The current interruptions.
  package var all: [Interruption] { lock.withLock { Array(state.pointee.current.values) } }

  /// [any thread but a render thread] The stream of `owner` was interrupted.
  package func began(_ owner: AnyObject, on uid: String, _ reason: String) {
    lock.withLock {
      state.pointee.current[ObjectIdentifier(owner)] = Interruption(
        uid: uid, reason: reason, since: rt_host_time())
    }
    notify()
  }

  /// [any thread but a render thread] The stream of `owner` runs again, or is no longer wanted.
  package func ended(_ owner: AnyObject) {
    let wasInterrupted = lock.withLock {
      state.pointee.current.removeValue(forKey: ObjectIdentifier(owner)) != nil
    }
    if wasInterrupted { notify() }
  }

  /// [control thread] Has `observer` called after each change, on the thread that made it, until
  /// `removeObserver`.
  package func addObserver(_ observer: @escaping @Sendable () -> Void) -> Int {
    lock.withLock {
      state.pointee.lastNumber += 1
      state.pointee.observers[state.pointee.lastNumber] = observer
      return state.pointee.lastNumber
    }
  }

  /// [control thread] Removes the observer of `addObserver`.
  package func removeObserver(_ number: Int) {
    lock.withLock { _ = state.pointee.observers.removeValue(forKey: number) }
  }

  private func notify() {
    for observer in lock.withLock({ Array(state.pointee.observers.values) }) { observer() }
  }
}
