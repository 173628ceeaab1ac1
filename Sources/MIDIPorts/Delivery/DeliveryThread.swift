// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI
import CRealTime
import MIDIMessages
import Synchronization

/// The thread that passes messages to their receivers, one list after the other, when they are due.
/// It has real-time priority where the user may have it, and exists from the first message on.
final class DeliveryThread: @unchecked Sendable {
  /// The most bytes of memory that wait for their delivery. A sender is told if there is no room.
  static let byteLimit = 64 << 20

  /// How long it collects the messages of a burst, in nanoseconds. A message takes twenty times as long
  /// on a wire.
  private static let collectionTime: UInt64 = 50_000

  private let lock = ConditionLock()
  // Guarded by `lock`, so that their accesses need not be checked when the program runs.
  @exclusivity(unchecked) private var schedule = Schedule()
  @exclusivity(unchecked) private var isDelivering = false
  /// When the thread wakes; 0 while it is awake.
  @exclusivity(unchecked) private var wakeTime: UInt64 = 0
  /// Whether it sleeps longer than it could, to collect what comes.
  @exclusivity(unchecked) private var isCollecting = false
  /// Whether messages come in bursts: one came soon after the one before, and the last collection was not
  /// in vain. To be woken for each message of a burst costs more than to deliver it.
  @exclusivity(unchecked) private var expectsMore = false
  private var thread: WorkerThread?
  private var alarm: Alarm?

  /// Senders add under the lock; the thread subtracts.
  private let waitingBytes = Atomic(0)
  private let isStopped = Atomic(false)

  /// [any thread] Delivers lists at their times. Those whose time is over at `now`, the time of the call,
  /// or that have none, follow what is due already. All are refused if there is no room for them.
  func post(_ deliveries: [Delivery], at now: UInt64) throws(AudioError) {
    let byteCount = deliveries.reduce(0) { $0 + $1.memorySize }
    try post(byteCount) {
      for delivery in deliveries { schedule.insert(delivery, notBefore: now) }
    }
  }

  /// [any thread] The same for one.
  func post(_ delivery: Delivery, at now: UInt64 = rt_host_time()) throws(AudioError) {
    try post(delivery.memorySize) { schedule.insert(delivery, notBefore: now) }
  }

  private func post(_ byteCount: Int, _ insert: () -> Void) throws(AudioError) {
    let ringing = try lock.withLock { () throws(AudioError) in
      let waiting = waitingBytes.load(ordering: .relaxed)
      guard waiting + byteCount <= Self.byteLimit else {
        throw AudioError(status: kMIDIMessageSendErr).because(
          "\(waiting) bytes are waiting to be delivered; no room for \(byteCount) more")
      }
      try ensureRunning()
      waitingBytes.add(byteCount, ordering: .relaxed)
      insert()
      return setAlarm() ? alarm : nil
    }
    // Without the lock, for which the thread would wait as soon as it is awake.
    ringing?.set(at: 0)
  }

  /// [under the lock] Lets the thread wake for what is due first, if it would wake later; true if that
  /// is now.
  private func setAlarm() -> Bool {
    guard let due = schedule.nextTime else { return false }
    let isDue = due <= schedule.latestNow
    let time = isDue && expectsMore ? due + Self.collectionTime : due
    guard time < wakeTime else { return false }
    wakeTime = time
    isCollecting = time > due
    // A time to come is set with the lock: it must not replace an earlier one of another sender.
    if time > schedule.latestNow { alarm?.set(at: time) }
    return time <= schedule.latestNow
  }

  /// [under the lock] Starts the thread with the first message.
  private func ensureRunning() throws(AudioError) {
    guard thread == nil, !isStopped.load(ordering: .relaxed) else { return }
    let alarm = try Alarm()
    let new = WorkerThread(name: "midi-delivery", requestsRealTime: true) { [self] _ in
      run(alarm)
    }
    try new.start()
    (thread, self.alarm) = (new, alarm)
  }

  /// [any thread] Whether the caller runs on the thread.
  var isCurrent: Bool { lock.withLock { thread?.isCurrent ?? false } }

  /// [any thread] Whether something is being delivered, or was due at a host time.
  func isBusy(at time: UInt64) -> Bool {
    lock.withLock {
      !isStopped.load(ordering: .relaxed) && (isDelivering || (schedule.nextTime ?? .max) <= time)
    }
  }

  /// [any thread] Drops what is scheduled for endpoints that match, but not what was to be delivered
  /// at once.
  func drop(where matches: (Endpoint) -> Bool) {
    lock.withLock {
      for delivery in schedule.removeScheduled(where: { matches($0.endpoint) }) {
        waitingBytes.subtract(delivery.memorySize, ordering: .relaxed)
      }
    }
  }

  /// [control thread] Ends the thread; nothing is delivered any more.
  func stop() {
    let thread = lock.withLock {
      isStopped.store(true, ordering: .relaxed)
      alarm?.set(at: 0)
      return self.thread
    }
    thread?.stop()
  }

  /// The most deliveries for which memory is kept.
  private static let keptCapacity = 64

  private func run(_ alarm: Alarm) {
    var batch: [Delivery] = []
    var receivers = KnownReceivers()
    while takeDue(&batch, alarm) {
      for delivery in batch {
        guard !isStopped.load(ordering: .relaxed) else { return }
        delivery.endpoint.deliver(delivery, &receivers)
        waitingBytes.subtract(delivery.memorySize, ordering: .relaxed)
        delivery.whenDone?()
        // The kernel ends a process whose real-time thread never waits.
        rt_rest_if_due()
      }
      batch.removeAll(keepingCapacity: batch.capacity <= Self.keptCapacity)
      // What it has looked up of endpoints is kept no longer than the batch.
      receivers.forget()
    }
  }

  /// Waits for deliveries that are due, and moves them to an empty batch; false at the end.
  private func takeDue(_ batch: inout [Delivery], _ alarm: Alarm) -> Bool {
    var sleepStart: UInt64 = 0
    while !isStopped.load(ordering: .relaxed) {
      lock.withLock {
        let now = rt_host_time()
        schedule.removeDue(at: now, into: &batch)
        isDelivering = !batch.isEmpty
        if isCollecting {
          (isCollecting, expectsMore) = (false, batch.count > 1)
        } else if isDelivering, now < sleepStart + Self.collectionTime {
          expectsMore = true
        }
        wakeTime = isDelivering ? 0 : schedule.nextTime ?? .max
        guard !isDelivering else { return }
        sleepStart = now
        if let next = schedule.nextTime { alarm.set(at: next) }
      }
      if !batch.isEmpty { return true }
      alarm.wait()
    }
    return false
  }
}
