// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import CoreAudio
import Synchronization

/// Calls the observers of parameters, on a thread that exists while there is something to report
/// and shortly after.
final class ParameterDelivery: Sendable {
  static let shared = ParameterDelivery()

  private struct State {
    var scheduled: [ListenerList<ParameterObserver>.Entry] = []
    /// When the thread ends if nothing is scheduled until then, in host time.
    var end: UInt64 = 0
  }

  /// An event that a render thread left. The bits of a retained core come with it.
  private struct Message: BitwiseCopyable, Sendable {
    var event: ParameterEvent
    var core: UInt
  }

  private let state = Guarded(State())
  private let mailbox = MessageQueue<Message>(capacity: 1_024)
  private let isPrepared = Atomic(false)
  private let thread: PeriodicCheck

  private init() {
    thread = PeriodicCheck(name: "audio-parameters") { ParameterDelivery.shared.deliver() }
  }

  // MARK: Receiving

  /// [control thread] From now on the notifier's thread looks for messages of render threads.
  func prepare() {
    guard !isPrepared.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Notifier.shared.addMailbox { ParameterDelivery.shared.readMessages() }
  }

  /// [any thread but a render thread] Schedules calls of the observers except the originator.
  func pass(
    _ event: ParameterEvent, of parameter: ParameterCore,
    to observers: [ListenerList<ParameterObserver>.Entry]
  ) {
    let new = observers.filter { entry in
      UInt(bitPattern: entry.listener.token) != event.originator
        && entry.listener.receive(event, of: parameter)
    }
    guard !new.isEmpty else { return }
    state.withLock { $0.scheduled += new }
    thread.wake()
  }

  /// [render thread] Leaves a message. Keeps the core until it is read, which neither locks nor
  /// allocates.
  func leave(_ event: ParameterEvent, of parameter: ParameterCore) {
    let core = Unmanaged.passRetained(parameter)
    let message = Message(event: event, core: UInt(bitPattern: core.toOpaque()))
    if !mailbox.push(message) { core.release() }  // the caller has the core too
  }

  private func readMessages() {
    while let message = mailbox.pop() {
      guard let address = UnsafeMutableRawPointer(bitPattern: message.core) else { continue }
      let core = Unmanaged<ParameterCore>.fromOpaque(address).takeRetainedValue()
      pass(message.event, of: core, to: core.allObservers)
    }
  }

  // MARK: Delivering

  /// [the delivery thread] Calls the observers that are due. Returns the seconds until it must be
  /// called again, nil if nothing was scheduled for a second.
  private func deliver() -> Double? {
    let now = rt_host_time()
    let due = state.withLock { state in
      let split = state.scheduled.partition { $0.listener.dueTime <= now }
      defer { state.scheduled.removeSubrange(split...) }
      return Array(state.scheduled[split...])
    }
    for entry in due { entry.call { $0.deliver() } }
    return state.withLock { state in
      let now = rt_host_time()
      if !due.isEmpty || !state.scheduled.isEmpty { state.end = now + 1_000_000_000 }
      let next = state.scheduled.map(\.listener.dueTime).min() ?? state.end
      guard state.scheduled.isEmpty, next <= now else {
        return next > now ? Double(next - now) * 1e-9 : 0
      }
      return nil
    }
  }
}
