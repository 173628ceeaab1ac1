// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

/// A list on its way to an endpoint.
struct Delivery: Sendable {
  /// When it is due, in host time.
  fileprivate(set) var time: UInt64
  /// Whether it was given a time.
  let isScheduled: Bool
  let list: MessageList
  let endpoint: Endpoint
  /// Of a part of a system exclusive request: whether a message continues in the next part.
  let leavesOpen: Bool?
  /// [delivery thread] Called after the delivery.
  let whenDone: (@Sendable () -> Void)?
  /// Its place among those with the same time.
  fileprivate(set) var order: UInt64 = 0

  /// A delivery at a time; 0 is now.
  init(
    _ list: MessageList, to endpoint: Endpoint, at time: UInt64 = 0,
    leavesOpen: Bool? = nil, whenDone: (@Sendable () -> Void)? = nil
  ) {
    (self.list, self.endpoint, self.time, self.whenDone) = (list, endpoint, time, whenDone)
    self.leavesOpen = leavesOpen
    isScheduled = time != 0
  }

  /// About the bytes of memory that it takes, with its place in the schedule.
  var memorySize: Int { list.memorySize + MemoryLayout<Delivery>.stride }

  fileprivate func precedes(_ other: Delivery) -> Bool {
    (time, order) < (other.time, other.order)
  }
}

/// What is to be delivered: what has no time, in the order in which it came, and a binary heap of what
/// has one. So what is sent at once, which is most, needs no heap, and is taken all at once.
struct Schedule {
  private var immediate: [Delivery] = []
  private var heap: [Delivery] = []
  private var lastOrder: UInt64 = 0
  /// The latest time at which something was added. Senders read the clock before they have the lock.
  private(set) var latestNow: UInt64 = 0

  /// The time of the first; nil if there is none.
  var nextTime: UInt64? {
    // Nothing but the time is read of an entry: a copy of it would be counted.
    let time = min(
      immediate.isEmpty ? .max : immediate[0].time, heap.isEmpty ? .max : heap[0].time)
    return time == .max ? nil : time
  }

  /// Adds a delivery, which is due at `now` if its time is over or if it has none.
  mutating func insert(_ delivery: consuming Delivery, notBefore now: UInt64) {
    lastOrder += 1
    latestNow = max(latestNow, now)
    delivery.time = max(delivery.time, latestNow)
    delivery.order = lastOrder
    guard delivery.isScheduled else { return immediate.append(delivery) }
    heap.append(delivery)
    var index = heap.count - 1
    while index > 0, heap[index].precedes(heap[(index - 1) / 2]) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Moves what is due at `time` to the end of `batch`, in order: one that has a time, or all others up
  /// to the next that has one. What has a time can be dropped until it is delivered, so it never waits in
  /// a batch.
  mutating func removeDue(at time: UInt64, into batch: inout [Delivery]) {
    guard let first = immediate.first else {
      if let next = removeFirst(dueAt: time) { batch.append(next) }
      return
    }
    guard let scheduled = heap.first, scheduled.time <= time else {
      // The two exchange their memory.
      if batch.isEmpty { return swap(&batch, &immediate) }
      batch += immediate
      return immediate.removeAll()
    }
    if scheduled.precedes(first), let next = removeFirst(dueAt: time) { return batch.append(next) }
    let before = immediate.prefix { $0.precedes(scheduled) }
    batch += before
    immediate.removeFirst(before.count)
  }

  /// Removes and returns the next delivery that has a time, if it is due at `time`.
  private mutating func removeFirst(dueAt time: UInt64) -> Delivery? {
    guard let first = heap.first, first.time <= time, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return first }
    heap[0] = last
    sink(0)
    return first
  }

  /// Moves an entry behind those that precede it.
  private mutating func sink(_ start: Int) {
    var index = start
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < heap.count && heap[child].precedes(heap[least]) {
        least = child
      }
      guard least != index else { return }
      heap.swapAt(index, least)
      index = least
    }
  }

  /// Removes what has a time and matches, and returns it.
  mutating func removeScheduled(where matches: (Delivery) -> Bool) -> [Delivery] {
    let removed = heap.filter(matches)
    guard !removed.isEmpty else { return [] }
    heap.removeAll(where: matches)
    for index in (0..<heap.count / 2).reversed() { sink(index) }
    return removed
  }
}
