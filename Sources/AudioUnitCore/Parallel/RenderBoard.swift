// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import SignalProcessing
import Synchronization

/// Where branches lie that somebody may take.
struct RenderBoard: ~Copyable {
  /// As many units may have put up their branches at once.
  private static var slotCount: Int { 32 }
  /// Nanoseconds for which a helper without work stays awake.
  private static var patience: UInt64 { 50_000 }

  /// Nanoseconds of work from which on it is put up.
  let leastWork: UInt64
  private let memory = OwnedMemory()
  private let slots: UnsafeMutablePointer<BoardSlot>
  /// Changes whenever something was put up: what sleepers sleep on.
  private let bell: UnsafeMutablePointer<Atomic<UInt32>>
  private let sleepers = Atomic<Int32>(0)
  /// Whether the thread that renders has real-time priority, so that its helpers need it too.
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

  /// [render thread] Runs every task of `fork`, with whatever help there is; task 0 on this thread.
  @_noLocks
  borrowing func run(_ fork: Fork) {
    let shared = fork.taskCount - 1
    guard shared > 0, fork.work >= leastWork, let slot = reserveSlot() else {
      for task in 0..<fork.taskCount { fork.run(task) }
      return
    }
    // Whoever takes a task sees it.
    isRealTime.store(rt_is_real_time(), ordering: .relaxed)
    slot.pointee.open(fork, tasks: shared)
    ring(for: shared)
    fork.run(0)
    while let task = slot.pointee.claim() { slot.pointee.run(task) }
    var looks = 0
    while slot.pointee.isUnfinished {
      if runAny() { continue }
      looks &+= 1
      // Its thread may have been put off the processor that this one keeps busy.
      if looks & 1023 == 0 { rt_yield() } else { rt_pause() }
    }
    slot.pointee.free()
  }

  /// [control thread] Has the helpers leave.
  borrowing func end() {
    isEnding.store(true, ordering: .sequentiallyConsistent)
    ring(for: Int(Int32.max))
  }

  /// [helper thread] Takes what is put up, until the end.
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
    // What was put up before the bell was read has not been rung for.
    if !helpAny(&isAhead), !isEnding.load(ordering: .sequentiallyConsistent) {
      rt_sleep(word, heard)
    }
    sleepers.wrappingSubtract(1, ordering: .sequentiallyConsistent)
  }

  private var word: UnsafePointer<UInt32> {
    @_noLocks get { UnsafeRawPointer(bell).assumingMemoryBound(to: UInt32.self) }
  }

  /// Wakes sleepers for so many tasks.
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

  /// Runs a task of anybody's; false when there is none.
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

  /// As `runAny`, outside of a render call, with the priority of the thread that renders.
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

  /// Takes the priority that the thread that renders has, or gives it back.
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
  /// Which use of the slot this is (32 bits), how many tasks it has and how many of them are taken (16
  /// each): whoever raises the last has a task, and the slot stays as it is until that is done.
  private let tickets = Atomic<UInt64>(0)
  private let unfinished = Atomic<Int>(0)
  /// In memory of its own: it is written while others look at the tickets.
  private let fork: UnsafeMutablePointer<Fork?>

  init(in memory: OwnedMemory) { fork = memory.cell(nil) }

  /// [render thread] Takes the slot, unless somebody has it.
  @_noLocks
  borrowing func reserve() -> Bool {
    guard !isReserved.load(ordering: .relaxed) else { return false }
    return isReserved.compareExchange(
      expected: false, desired: true, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// [render thread] Gives the slot back; all of its tasks are done.
  @_noLocks
  borrowing func free() { isReserved.store(false, ordering: .releasing) }

  /// [render thread, having reserved it] Puts up tasks 1 and on of `fork`.
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

  /// Whether a task has not been done.
  var isUnfinished: Bool {
    @_noLocks borrowing get { unfinished.load(ordering: .acquiring) > 0 }
  }
}
