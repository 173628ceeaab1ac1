// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import SignalProcessing
import Synchronization

/// A board where units post branches for the threads of a team.
struct RenderBoard: ~Copyable {
  /// How many units may have posted branches at the same time.
  private static var slotCount: Int { 32 }
  /// Nanoseconds for which a helper without work stays awake.
  private static var patience: UInt64 { 50_000 }

  /// The least work that is posted, in nanoseconds.
  let leastWork: UInt64
  private let memory = OwnedMemory()
  private let slots: UnsafeMutablePointer<BoardSlot>
  /// Changes with each post: the word on which sleeping helpers wait.
  private let bell: UnsafeMutablePointer<Atomic<UInt32>>
  private let sleepers = Atomic<Int32>(0)
  /// Whether the render thread has real-time priority, so that its helpers need it too.
  private let isRealTime = Atomic<Bool>(false)
  private let isEnding = Atomic<Bool>(false)

  /// [control thread]
  init(leastWork: UInt64) {
    self.leastWork = leastWork
    let memory = memory
    slots = memory.cells(Self.slotCount) { _ in BoardSlot(in: memory) }
    bell = memory.cell(Atomic(0))
  }

  deinit { memory.deallocate() }

  /// [render thread] Runs every task of `fork`, with the help that is available; task 0 on this
  /// thread.
  @_noLocks
  borrowing func run(_ fork: Fork) {
    let shared = fork.taskCount - 1
    guard shared > 0, fork.work >= leastWork, let slot = reserveSlot() else {
      for task in 0..<fork.taskCount { fork.run(task) }
      return
    }
    // A thread that takes a task sees this value.
    isRealTime.store(rt_is_real_time(), ordering: .relaxed)
    slot.pointee.open(fork, tasks: shared)
    ring(for: shared)
    fork.run(0)
    while let task = slot.pointee.claim() { slot.pointee.run(task) }
    var looks = 0
    while slot.pointee.isUnfinished {
      if runAny() { continue }
      looks &+= 1
      // The thread may have been displaced from the processor that this one keeps busy.
      if looks & 1023 == 0 { rt_yield() } else { rt_pause() }
    }
    slot.pointee.free()
  }

  /// [control thread] Makes the helpers return.
  borrowing func end() {
    isEnding.store(true, ordering: .sequentiallyConsistent)
    ring(for: Int(Int32.max))
  }

  /// [helper thread] Runs posted tasks until `end`.
  borrowing func help() {
    var isAhead = false
    while !isEnding.load(ordering: .sequentiallyConsistent) {
      guard !helpAny(&isAhead) else {
        rt_rest_if_due()
        continue
      }
      let end = rt_host_time() + Self.patience
      var hasHelped = false
      while !hasHelped, rt_host_time() < end {
        for _ in 0..<32 { rt_pause() }
        hasHelped = helpAny(&isAhead)
      }
      if !hasHelped { sleep(&isAhead) }
    }
  }

  private borrowing func sleep(_ isAhead: inout Bool) {
    sleepers.wrappingAdd(1, ordering: .sequentiallyConsistent)
    let heard = bell.pointee.load(ordering: .sequentiallyConsistent)
    // Looks for tasks that were posted before the bell was read: they do not wake this thread.
    if !helpAny(&isAhead), !isEnding.load(ordering: .sequentiallyConsistent) {
      rt_sleep(word, heard)
    }
    sleepers.wrappingSubtract(1, ordering: .sequentiallyConsistent)
  }

  private var word: UnsafePointer<UInt32> {
    @_noLocks get { UnsafeRawPointer(bell).assumingMemoryBound(to: UInt32.self) }
  }

  /// Wakes sleeping helpers for a number of tasks.
  @_noLocks
  private borrowing func ring(for tasks: Int) {
    bell.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
    let asleep = sleepers.load(ordering: .sequentiallyConsistent)
    if asleep > 0 { rt_wake(word, min(asleep, Int32(clamping: tasks))) }
  }

  @_noLocks
  private borrowing func reserveSlot() -> UnsafeMutablePointer<BoardSlot>? {
    for index in 0..<Self.slotCount where slots[index].reserve() { return slots + index }
    return nil
  }

  /// Runs any posted task; false if there is none.
  @_noLocks
  private borrowing func runAny() -> Bool {
    for index in 0..<Self.slotCount {
      if let task = slots[index].claim() {
        slots[index].run(task)
        return true
      }
    }
    return false
  }

  /// As `runAny`, outside of a render call, with the priority of the render thread.
  private borrowing func helpAny(_ isAhead: inout Bool) -> Bool {
    for index in 0..<Self.slotCount {
      if let task = slots[index].claim() {
        follow(&isAhead)
        rt_enter()
        slots[index].run(task)
        rt_leave()
        return true
      }
    }
    return false
  }

  /// Takes on the priority of the render thread, or returns to the ordinary one.
  private borrowing func follow(_ isAhead: inout Bool) {
    let shouldBeAhead = isRealTime.load(ordering: .relaxed)
    guard shouldBeAhead != isAhead else { return }
    isAhead = shouldBeAhead
    if isAhead { _ = RealTimePriority.ask() } else { RealTimePriority.giveBack() }
  }
}

/// The branches of one unit on the board.
private struct BoardSlot: ~Copyable {
  private let isReserved = Atomic<Bool>(false)
  /// The number of the slot's use (32 bits), how many tasks it has and how many of them are taken
  /// (16 each). A thread that raises the last has a task, and the slot does not change until that
  /// is done.
  private let tickets = Atomic<UInt64>(0)
  private let unfinished = Atomic<Int>(0)
  /// In separate memory, as it is written while others read the tickets.
  private let fork: UnsafeMutablePointer<Fork?>

  init(in memory: OwnedMemory) { fork = memory.cell(nil) }

  /// [render thread] Reserves the slot, unless it is taken.
  @_noLocks
  borrowing func reserve() -> Bool {
    guard !isReserved.load(ordering: .relaxed) else { return false }
    return isReserved.compareExchange(
      expected: false, desired: true, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// [render thread] Releases the slot; all of its tasks are done.
  @_noLocks
  borrowing func free() { isReserved.store(false, ordering: .releasing) }

  /// [render thread, having reserved it] Posts the tasks of `fork` from task 1 on.
  @_noLocks
  borrowing func open(_ fork: Fork, tasks: Int) {
    self.fork.pointee = fork
    unfinished.store(tasks, ordering: .relaxed)
    let use = (tickets.load(ordering: .relaxed) >> 32) &+ 1
    tickets.store(use << 32 | UInt64(tasks) << 16, ordering: .sequentiallyConsistent)
  }

  /// [render thread] Takes a task; nil when none is left.
  @_noLocks
  borrowing func claim() -> Int? {
    var seen = tickets.load(ordering: .sequentiallyConsistent)
    while seen & 0xFFFF < (seen >> 16) & 0xFFFF {
      let (isOurs, now) = tickets.compareExchange(
        expected: seen, desired: seen + 1, ordering: .sequentiallyConsistent)
      if isOurs { return Int(seen & 0xFFFF) + 1 }
      seen = now
    }
    return nil
  }

  /// [render thread, having taken it] Runs a task.
  @_noLocks
  borrowing func run(_ task: Int) {
    fork.pointee?.run(task)
    unfinished.wrappingSubtract(1, ordering: .acquiringAndReleasing)
  }

  /// Whether a task is not done yet.
  var isUnfinished: Bool {
    @_noLocks borrowing get { unfinished.load(ordering: .acquiring) > 0 }
  }
}
