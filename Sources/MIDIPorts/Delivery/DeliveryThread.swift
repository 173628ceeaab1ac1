// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI
import CRealTime
import MIDIMessages

/// The thread that passes messages to their receivers, one list after the other, when they are due.
/// It has real-time priority where the user may have it, and exists from the first message on.
final class DeliveryThread: @unchecked Sendable {
  /// The most bytes of memory that wait for their delivery. A sender is told if there is no room.
  static let byteLimit = 64 << 20

  private let lock = ConditionLock()
  // Guarded by `lock`.
  private var schedule = Schedule()
  private var waitingBytes = 0
  private var isDelivering = false
  private var thread: WorkerThread?
  private var isStopped = false

  /// [any thread] Delivers lists at their times. Those whose time is over, or that have none, follow
  /// what is due already. All are refused if there is no room for them.
  func post(_ deliveries: [Delivery]) throws(AudioError) {
    let byteCount = deliveries.reduce(0) { $0 + $1.memorySize }
    try lock.withLock { () throws(AudioError) in
      guard waitingBytes + byteCount <= Self.byteLimit else {
        throw AudioError(status: kMIDIMessageSendErr).because(
          "\(waitingBytes) bytes are waiting to be delivered; no room for \(byteCount) more")
      }
      try ensureRunning()
      waitingBytes += byteCount
      let now = rt_host_time()
      for delivery in deliveries { schedule.insert(delivery, notBefore: now) }
      lock.signal()
    }
  }

  private func ensureRunning() throws(AudioError) {
    guard thread == nil, !isStopped else { return }
    let new = WorkerThread(name: "midi-delivery", requestsRealTime: true) { [self] _ in run() }
    try new.start()
    thread = new
  }

  /// [any thread] Whether the caller runs on the thread.
  var isCurrent: Bool { lock.withLock { thread?.isCurrent ?? false } }

  /// [any thread] Whether something is being delivered, or was due at a host time.
  func isBusy(at time: UInt64) -> Bool {
    lock.withLock { !isStopped && (isDelivering || (schedule.nextTime ?? .max) <= time) }
  }

  /// [any thread] Drops what is scheduled for endpoints that match, but not what was to be delivered
  /// at once.
  func drop(where matches: (Endpoint) -> Bool) {
    lock.withLock {
      for delivery in schedule.remove(where: { $0.isScheduled && matches($0.endpoint) }) {
        waitingBytes -= delivery.memorySize
      }
    }
  }

  /// [control thread] Ends the thread; nothing is delivered any more.
  func stop() {
    let thread = lock.withLock {
      isStopped = true
      lock.signal()
      return self.thread
    }
    thread?.stop()
  }

  private func run() {
    while let delivery = next() {
      delivery.endpoint.deliver(delivery)
      lock.withLock { waitingBytes -= delivery.memorySize }
      delivery.whenDone?()
      // The kernel ends a process whose real-time thread never waits.
      rt_rest_if_due()
    }
  }

  /// Waits for a delivery that is due; nil at the end.
  private func next() -> Delivery? {
    lock.withLock {
      isDelivering = false
      while !isStopped {
        if let delivery = schedule.removeFirst(dueAt: rt_host_time()) {
          isDelivering = true
          return delivery
        }
        lock.wait(until: schedule.nextTime)
      }
      return nil
    }
  }
}
