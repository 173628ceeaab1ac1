// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
package import CAudioToolbox

/// The calls of a queue to the program: its callback for buffers, and the listeners of properties.
///
/// They run on the queue's executor, while the queue holds no lock.
final class QueueCalls: @unchecked Sendable {
  let executor: any CallbackExecutor
  /// The queue's handle; set once, before the first call.
  var handle: AudioQueueRef?
  /// The calls of the program's callbacks; `stop` removes them.
  let entry = ProgramCalls.Entry()
  private let listeners = ListenerList<QueueListener>(isReportedTo: false)
  /// The queue's `lock`, which guards the state of its buffers.
  private let lock: ConditionLock

  init(on executor: any CallbackExecutor, lock: ConditionLock) {
    self.executor = executor
    self.lock = lock
  }

  /// [any thread but a render thread] Schedules a call of the program's callback for a buffer, and of
  /// `completion` after it. A buffer that the program frees before is not passed to the callback.
  func perform(
    for buffer: QueueBuffer, _ call: @escaping @Sendable (AudioQueueRef) -> Void,
    completion: @escaping @Sendable () -> Void = {}
  ) {
    guard let number = handle?.number else { return }
    executor.perform { [weak self] in
      guard let handle = AudioQueueRef(bitPattern: number) else { return }
      self?.run(for: buffer) { call(handle) }
      completion()
    }
  }

  /// [any thread but a render thread] Runs `call`, a call of the program's callback for a buffer,
  /// unless the buffer has been freed.
  func run(for buffer: QueueBuffer, _ call: @escaping () -> Void) {
    guard lock.withLock({ buffer.beginCallback() }) else { return }
    ProgramCalls.shared.run(entry, call)
    lock.withLock { buffer.endCallback() }
  }

  /// [any thread but a render thread] Schedules calls of a property's listeners.
  func notify(_ id: AudioQueuePropertyID) {
    guard let number = handle?.number else { return }
    for listener in listeners.entries(where: { $0.id == id }) {
      executor.perform {
        guard let handle = AudioQueueRef(bitPattern: number) else { return }
        listener.call { $0.call(handle) }
      }
    }
  }

  /// [control thread] Adds a listener, which is called after its property changed.
  func add(_ listener: QueueListener) { listeners.add(listener) }

  /// [control thread] Removes the listener; waits for a running call.
  func remove(_ listener: QueueListener) {
    listeners.remove(onlyFirst: true) { $0.isSame(listener) }
  }

  /// [any thread] Ends all calls of the program's functions.
  func stop() {
    listeners.remove()
    ProgramCalls.shared.remove([entry])
  }
}

/// A function of the program that observes a property.
package struct QueueListener: @unchecked Sendable {
  let id: AudioQueuePropertyID
  private let function: AudioQueuePropertyListenerProc
  private let userData: UnsafeMutableRawPointer?

  package init(
    _ id: AudioQueuePropertyID, _ function: @escaping AudioQueuePropertyListenerProc,
    _ userData: UnsafeMutableRawPointer?
  ) {
    self.id = id
    self.function = function
    self.userData = userData
  }

  /// Whether both have the same function, data and property.
  func isSame(_ other: QueueListener) -> Bool {
    id == other.id && userData == other.userData
      && unsafeBitCast(function, to: UInt.self) == unsafeBitCast(other.function, to: UInt.self)
  }

  /// Calls the function.
  func call(_ queue: AudioQueueRef) { function(userData, queue, id) }
}
