// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import SignalProcessing
import Synchronization

/// The tasks that units offer to the helper threads of a team.
struct RenderTaskPool: ~Copyable {
  /// How many units can offer tasks at the same time.
  private static var slotCount: Int { 32 }
  /// Nanoseconds for which a helper without work spins before it sleeps.
  private static var spinTime: UInt64 { 50_000 }

  /// Units with less work than this, in nanoseconds, do not use helpers.
  let minimumWork: UInt64
  private let memory = OwnedMemory()
  private let slots: UnsafeMutablePointer<TaskSlot>
  /// Counts wake-ups: the word on which sleeping helpers wait.
  private let wakeCount: UnsafeMutablePointer<Atomic<UInt32>>
  private let sleepers = Atomic<Int32>(0)
  /// Whether the render thread has real-time priority, so that its helpers need it too.
  private let isRealTime = Atomic<Bool>(false)
  private let isEnding = Atomic<Bool>(false)

  /// [control thread] An empty pool.
  init(minimumWork: UInt64) {
    self.minimumWork = minimumWork
    let memory = memory
    slots = memory.cells(Self.slotCount) { _ in TaskSlot(in: memory) }
    wakeCount = memory.cell(Atomic(0))
  }

  deinit { memory.deallocate() }

  /// [render thread] Runs every task of `parallelPull`, with the available helpers; task 0 runs on
  /// this thread.
  @_noLocks
  borrowing func run(_ parallelPull: ParallelPull) {
    let shared = parallelPull.taskCount - 1
    guard shared > 0, parallelPull.work >= minimumWork, let slot = reserveSlot() else {
      for task in 0..<parallelPull.taskCount { parallelPull.run(task) }
      return
    }
    // Visible to each thread that claims a task.
    isRealTime.store(rt_is_real_time(), ordering: .relaxed)
    slot.pointee.open(parallelPull, tasks: shared)
    wakeHelpers(for: shared)
    parallelPull.run(0)
    while let task = slot.pointee.claim() { slot.pointee.run(task) }
    var spins = 0
    while slot.pointee.isUnfinished {
      if runAny() { continue }
      spins &+= 1
      // The helper may be waiting for the processor that this thread keeps busy.
      if spins & 1023 == 0 { rt_yield() } else { rt_pause() }
    }
    slot.pointee.free()
  }

  /// [control thread] Makes the helpers return.
  borrowing func end() {
    isEnding.store(true, ordering: .sequentiallyConsistent)
    wakeHelpers(for: Int(Int32.max))
  }

  /// [helper thread] Runs tasks until `end`.
  borrowing func runHelper() {
    var isRealTimeHelper = false
    while !isEnding.load(ordering: .sequentiallyConsistent) {
      guard !helpWithAny(&isRealTimeHelper) else {
        rt_rest_if_due()
        continue
      }
      let end = rt_host_time() + Self.spinTime
      var hasHelped = false
      while !hasHelped, rt_host_time() < end {
        for _ in 0..<32 { rt_pause() }
        hasHelped = helpWithAny(&isRealTimeHelper)
      }
      if !hasHelped { sleep(&isRealTimeHelper) }
    }
  }

  private borrowing func sleep(_ isRealTimeHelper: inout Bool) {
    sleepers.wrappingAdd(1, ordering: .sequentiallyConsistent)
    let seenWakeCount = wakeCount.pointee.load(ordering: .sequentiallyConsistent)
    // Tasks offered before the count was read do not wake this thread: it checks again.
    if !helpWithAny(&isRealTimeHelper), !isEnding.load(ordering: .sequentiallyConsistent) {
      rt_sleep(word, seenWakeCount)
    }
    sleepers.wrappingSubtract(1, ordering: .sequentiallyConsistent)
  }

  private var word: UnsafePointer<UInt32> {
    @_noLocks get { UnsafeRawPointer(wakeCount).assumingMemoryBound(to: UInt32.self) }
  }

  /// Wakes sleeping helpers for a number of tasks.
  @_noLocks
  private borrowing func wakeHelpers(for tasks: Int) {
    wakeCount.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
    let asleep = sleepers.load(ordering: .sequentiallyConsistent)
    if asleep > 0 { rt_wake(word, min(asleep, Int32(clamping: tasks))) }
  }

  @_noLocks
  private borrowing func reserveSlot() -> UnsafeMutablePointer<TaskSlot>? {
    for index in 0..<Self.slotCount where slots[index].reserve() { return slots + index }
    return nil
  }

  /// Runs any task of the pool; false if there is none.
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

  /// As `runAny`, for a helper: outside of a render call, with the render thread's priority.
  private borrowing func helpWithAny(_ isRealTimeHelper: inout Bool) -> Bool {
    for index in 0..<Self.slotCount {
      if let task = slots[index].claim() {
        adoptPriority(&isRealTimeHelper)
        rt_enter()
        slots[index].run(task)
        rt_leave()
        return true
      }
    }
    return false
  }

  /// Gives this helper the same priority as the render thread: real-time or ordinary.
  private borrowing func adoptPriority(_ isRealTimeHelper: inout Bool) {
    let shouldBeRealTime = isRealTime.load(ordering: .relaxed)
    guard shouldBeRealTime != isRealTimeHelper else { return }
    isRealTimeHelper = shouldBeRealTime
    if isRealTimeHelper {
      _ = ThreadScheduling.requestRealTime()
    } else {
      ThreadScheduling.releaseRealTime()
    }
  }
}

/// The tasks of one unit in the pool.
private struct TaskSlot: ~Copyable {
  private let isReserved = Atomic<Bool>(false)
  /// How often the slot was used (32 bits), its number of tasks and how many of them are claimed
  /// (16 bits each). A thread that increments the last number has claimed a task; the slot does not
  /// change until that task is done.
  private let tickets = Atomic<UInt64>(0)
  private let unfinished = Atomic<Int>(0)
  /// In separate memory, because it is written while other threads read the tickets.
  private let parallelPull: UnsafeMutablePointer<ParallelPull?>

  init(in memory: OwnedMemory) { parallelPull = memory.cell(nil) }

  /// [render thread] Reserves the slot; false if another unit has it.
  @_noLocks
  borrowing func reserve() -> Bool {
    guard !isReserved.load(ordering: .relaxed) else { return false }
    return isReserved.compareExchange(
      expected: false, desired: true, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// [render thread] Releases the slot when all of its tasks are done.
  @_noLocks
  borrowing func free() { isReserved.store(false, ordering: .releasing) }

  /// [render thread that has reserved it] Offers the tasks of `parallelPull` from task 1 on.
  @_noLocks
  borrowing func open(_ parallelPull: ParallelPull, tasks: Int) {
    self.parallelPull.pointee = parallelPull
    unfinished.store(tasks, ordering: .relaxed)
    let use = (tickets.load(ordering: .relaxed) >> 32) &+ 1
    tickets.store(use << 32 | UInt64(tasks) << 16, ordering: .sequentiallyConsistent)
  }

  /// [render thread] Claims a task; nil when none is left.
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

  /// [render thread that has claimed it] Runs a task.
  @_noLocks
  borrowing func run(_ task: Int) {
    parallelPull.pointee?.run(task)
    unfinished.wrappingSubtract(1, ordering: .acquiringAndReleasing)
  }

  /// Whether a task is not done yet.
  var isUnfinished: Bool {
    @_noLocks borrowing get { unfinished.load(ordering: .acquiring) > 0 }
  }
}
