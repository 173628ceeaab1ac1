// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import SignalProcessing

/// The streams of this process that should run but do not, because their device was removed or
/// another program uses it exclusively. For notifying the program.
package final class StreamInterruptions: Sendable {
  /// An interrupted stream.
  package struct Interruption: Sendable {
    /// The stream's device.
    package let uid: String
    package let reason: String
    /// When the interruption was noticed, in host time.
    package let since: UInt64
  }

  package static let shared = StreamInterruptions()

  private struct State {
    var current: [ObjectIdentifier: Interruption] = [:]
    var observers: [Int: @Sendable () -> Void] = [:]
    var lastNumber = 0
  }

  private let lock = Lock()
  // Accessed only under `lock`.
  private nonisolated(unsafe) let state = UnsafeMutablePointer.cell(State())

  private init() {}

  /// [any thread] The current interruptions.
  package var all: [Interruption] { lock.withLock { Array(state.pointee.current.values) } }

  /// [any thread but a render thread] Notes that the stream of `owner` was interrupted.
  package func began(_ owner: AnyObject, on uid: String, _ reason: String) {
    lock.withLock {
      state.pointee.current[ObjectIdentifier(owner)] = Interruption(
        uid: uid, reason: reason, since: rt_host_time())
    }
    notify()
  }

  /// [any thread but a render thread] Notes that the stream of `owner` runs again or is no longer
  /// needed.
  package func ended(_ owner: AnyObject) {
    let wasInterrupted = lock.withLock {
      state.pointee.current.removeValue(forKey: ObjectIdentifier(owner)) != nil
    }
    if wasInterrupted { notify() }
  }

  /// [control thread] Calls `observer` after each change, on the thread that made the change, until
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
