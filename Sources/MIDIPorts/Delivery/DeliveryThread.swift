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
  private static let pauseLength: UInt64 = 50_000

  private let lock = ConditionLock()
  // Guarded by `lock`.
  private var schedule = Schedule()
  private var isDelivering = false
  /// Whether the thread sleeps, and nobody has woken it since.
  private var isAsleep = false
  /// Whether messages come in bursts: one came soon after the one before, and the last pause was not in
  /// vain. To be woken for each message of a burst costs more than to deliver it.
  private var expectsMore = false
  /// Whether it has paused since it last slept.
  private var hasPaused = false
  private var thread: WorkerThread?

  /// Senders add under the lock; the thread subtracts.
  private let waitingBytes = Atomic(0)
  private let isStopped = Atomic(false)

  /// [any thread] Delivers lists at their times. Those whose time is over, or that have none, follow
  /// what is due already. All are refused if there is no room for them.
  func post(_ deliveries: [Delivery]) throws(AudioError) {
    let byteCount = deliveries.reduce(0) { $0 + $1.memorySize }
    try post(byteCount) { now in
      for delivery in deliveries { schedule.insert(delivery, notBefore: now) }
    }
  }

  /// [any thread] The same for one.
  func post(_ delivery: Delivery) throws(AudioError) {
    try post(delivery.memorySize) { schedule.insert(delivery, notBefore: $0) }
  }

  private func post(_ byteCount: Int, _ insert: (_ now: UInt64) -> Void) throws(AudioError) {
    let wakes = try lock.withLock { () throws(AudioError) in
      let waiting = waitingBytes.load(ordering: .relaxed)
      guard waiting + byteCount <= Self.byteLimit else {
        throw AudioError(status: kMIDIMessageSendErr).because(
          "\(waiting) bytes are waiting to be delivered; no room for \(byteCount) more")
      }
      try ensureRunning()
      waitingBytes.add(byteCount, ordering: .relaxed)
      let former = schedule.nextTime ?? .max
      insert(rt_host_time())
      // The thread sleeps until what was the first.
      let wakes = isAsleep && (schedule.nextTime ?? .max) < former
      if wakes { isAsleep = false }
      return wakes
    }
    // Without the lock, for which the thread would wait as soon as it is awake. The lock has no end
    // before the thread.
    if wakes { lock.signal() }
  }

  /// [under the lock] Starts the thread with the first message.
  private func ensureRunning() throws(AudioError) {
    guard thread == nil, !isStopped.load(ordering: .relaxed) else { return }
    let new = WorkerThread(name: "midi-delivery", requestsRealTime: true) { [self] _ in run() }
    try new.start()
    thread = new
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
      lock.signal()
      return self.thread
    }
    thread?.stop()
  }

  /// The most deliveries for which memory is kept.
  private static let keptCapacity = 1_024

  private func run() {
    var batch: [Delivery] = []
    while takeDue(&batch) {
      // What it has looked up of endpoints is kept no longer than the batch.
      var receivers = KnownReceivers()
      for delivery in batch {
        guard !isStopped.load(ordering: .relaxed) else { return }
        delivery.endpoint.deliver(delivery, &receivers)
        waitingBytes.subtract(delivery.memorySize, ordering: .relaxed)
        delivery.whenDone?()
        // The kernel ends a process whose real-time thread never waits.
        rt_rest_if_due()
      }
      batch.removeAll(keepingCapacity: batch.count <= Self.keptCapacity)
    }
  }

  /// Waits for deliveries that are due, and moves them to an empty batch; false at the end.
  private func takeDue(_ batch: inout [Delivery]) -> Bool {
    lock.withLock {
      isDelivering = false
      var hasJustPaused = false
      while !isStopped.load(ordering: .relaxed) {
        schedule.removeDue(at: rt_host_time(), into: &batch)
        if hasJustPaused { expectsMore = !batch.isEmpty }
        if !batch.isEmpty {
          isDelivering = true
          return true
        }
        hasJustPaused = expectsMore && !hasPaused
        if hasJustPaused { pause() } else { sleep() }
      }
      return false
    }
  }

  /// [under the lock] Waits for what is sent next, without being woken by it.
  private func pause() {
    hasPaused = true
    lock.wait(until: min(rt_host_time() + Self.pauseLength, schedule.nextTime ?? .max))
  }

  /// [under the lock] Waits until a message that is due wakes it.
  private func sleep() {
    let start = rt_host_time()
    isAsleep = true
    lock.wait(until: schedule.nextTime)
    isAsleep = false
    hasPaused = false
    if rt_host_time() < start + Self.pauseLength { expectsMore = true }
  }
}
