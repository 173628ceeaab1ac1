// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CoreAudio
import Foundation

/// A parameter listener or event listener: its subscriptions, its pending events and their
/// delivery.
///
/// Events are collected for the notification interval, then delivered by the scheduler. `lock`
/// guards all state, and is never held during a call of the host.
final class ParameterListener: @unchecked Sendable {
  /// An event to report to one of the listener's objects.
  struct Notice {
    var event: ListenedEvent
    /// The subscription that it matches.
    var subscription: ListenedEvent
    var object: UnsafeMutableRawPointer?
    var value: AudioUnitParameterValue
    /// The host time of the event; of several changes reported as one, that of the last.
    var hostTime: UInt64
    /// The host time of the first of several changes that are reported as one.
    var firstHostTime: UInt64
  }

  /// The settings of a listener.
  struct Setup {
    /// Whether it receives all kinds of events, not only changes of parameter values.
    var receivesEvents: Bool
    /// Seconds for which changes are collected.
    var interval: Double
    /// Pending changes of a parameter less than this many seconds apart are reported as one; nil:
    /// all of them.
    var granularity: Double?
    /// Calls the host.
    var call: (Notice) -> Void
  }

  /// The largest number of pending notices. Beyond it, a change of a parameter replaces the
  /// parameter's last one.
  private static let capacity = 4096

  let receivesEvents: Bool
  /// Its handle; set before other threads know the listener.
  var handle: UInt = 0
  private let interval: Double
  private let granularity: UInt64
  private let call: (Notice) -> Void
  private let lock = Lock()
  private var scheduler: (any ListenerScheduler)?
  /// The subscribed objects, by event.
  private var subscriptions: [ListenedEvent: [UnsafeMutableRawPointer?]] = [:]
  private var pending: [Notice] = []
  private var isScheduled = false
  /// The host calls in progress.
  private let calls = ProgramCalls.Entry()
  private var hasEnded = false

  init(_ setup: Setup) {
    receivesEvents = setup.receivesEvents
    // Intervals are limited to 0 to 1 day; NaN counts as 0.
    interval = min(max(0, setup.interval.isNaN ? 0 : setup.interval), 86_400)
    granularity =
      setup.granularity.map { seconds in
        UInt64(min(max(0, seconds.isNaN ? 0 : seconds), 86_400) * 1e9)
      } ?? .max
    call = setup.call
  }

  /// [control thread] Sets the scheduler that calls the host.
  func setScheduler(_ scheduler: any ListenerScheduler) {
    lock.withLock { self.scheduler = scheduler }
  }

  // MARK: Subscriptions

  /// [control thread] Subscribes `object` to an event. False when it is subscribed already.
  func add(_ subscription: ListenedEvent, for object: UnsafeMutableRawPointer?) -> Bool {
    lock.withLock {
      guard !hasEnded, subscriptions[subscription]?.contains(object) != true else { return false }
      subscriptions[subscription, default: []].append(object)
      return true
    }
  }

  /// [control thread] Ends that subscription, and drops its pending notices. False when there is no
  /// such subscription.
  func remove(_ subscription: ListenedEvent, for object: UnsafeMutableRawPointer?) -> Bool {
    lock.withLock {
      guard let index = subscriptions[subscription]?.firstIndex(of: object) else { return false }
      subscriptions[subscription]?.remove(at: index)
      if subscriptions[subscription]?.isEmpty == true { subscriptions[subscription] = nil }
      pending.removeAll { $0.subscription == subscription && $0.object == object }
      return true
    }
  }

  // MARK: Receiving

  /// [any thread but a render thread] Collects an event for the subscribed objects. `asSender`:
  /// this listener sent the report.
  func receive(_ report: EventReport, asSender: Bool, isLate: Bool) {
    let notices = notices(of: report, asSender: asSender)
    guard !notices.isEmpty else { return }
    if interval == 0, !isLate, lock.withLock({ scheduler })?.allowsAnyThread == true {
      deliver(notices)
      return
    }
    lock.withLock {
      guard !hasEnded else { return }
      for notice in notices { collect(notice) }
      schedule()
    }
  }

  private func notices(of report: EventReport, asSender: Bool) -> [Notice] {
    let event = report.event
    let matches = lock.withLock { () -> [(ListenedEvent, UnsafeMutableRawPointer?)] in
      if event.isOfAnyParameter {
        return subscriptions.filter { $0.key.unit == event.unit && $0.key.type == event.type }
          .flatMap { subscription, objects in objects.map { (subscription, $0) } }
      }
      return [event, event.ofAnyParameter].compactMap { $0 }.flatMap { subscription in
        (subscriptions[subscription] ?? []).map { (subscription, $0) }
      }
    }
    return matches.compactMap { subscription, object in
      if asSender, report.senderObject == 0 || report.senderObject == UInt(bitPattern: object) {
        return nil
      }
      var reported = report.event
      var value = report.value
      if event.isOfAnyParameter, event.type == .parameterValueChange {
        reported = subscription
        value = subscription.currentValue ?? 0
      }
      return Notice(
        event: reported, subscription: subscription, object: object, value: value,
        hostTime: report.hostTime,
        firstHostTime: report.hostTime)
    }
  }

  /// Adds a notice to the pending ones, or merges it with the last pending change of the parameter.
  private func collect(_ notice: Notice) {
    if notice.event.type == .parameterValueChange,
      let index = pending.lastIndex(where: { precedes($0, notice) }),
      pending[index].event.type == .parameterValueChange
    {
      let age = notice.hostTime &- pending[index].firstHostTime
      if age < granularity || pending.count >= Self.capacity {
        pending[index].value = notice.value
        pending[index].hostTime = notice.hostTime
        return
      }
    }
    pending.append(notice)
  }

  /// Whether a change must be delivered after a pending notice, which is a change or gesture of the
  /// same parameter.
  private func precedes(_ pending: Notice, _ change: Notice) -> Bool {
    pending.object == change.object && pending.event.hasSameParameter(as: change.event)
      && (pending.subscription == change.subscription
        || pending.event.type != .parameterValueChange)
  }

  private func schedule() {
    guard !isScheduled, !pending.isEmpty, let scheduler else { return }
    isScheduled = true
    scheduler.schedule(after: interval)
  }

  // MARK: Delivering

  /// [called by the scheduler] Delivers the pending notices.
  func deliverPending() {
    let due = lock.withLock {
      isScheduled = false
      defer { pending = [] }
      return pending
    }
    border { deliver(due) }
  }

  private func deliver(_ notices: [Notice]) {
    ProgramCalls.shared.run(calls) { [self] in
      for notice in notices {
        // The host may end a subscription, or dispose of the listener, during a call.
        let isSubscribed = lock.withLock {
          !hasEnded && subscriptions[notice.subscription]?.contains(notice.object) == true
        }
        if isSubscribed { call(notice) }
      }
    }
  }

  /// [control thread] Disposes of the listener, and returns its subscriptions. Waits until no host
  /// call is in progress, unless called from within one.
  func end() -> [ListenedEvent] {
    let ended = lock.withLock {
      hasEnded = true
      scheduler?.cancel()
      scheduler = nil
      pending = []
      defer { subscriptions = [:] }
      return subscriptions.flatMap { subscription, objects in objects.map { _ in subscription } }
    }
    ProgramCalls.shared.remove([calls])
    return ended
  }
}
