// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Synchronization

/// The slots behind the handles of one kind of object.
///
/// A handle is not an address: it consists of a slot's number, the generation of that slot and a
/// mark that no valid address has. So a stale, foreign or invented handle is recognised without
/// touching memory that is not ours. Slots are never unmapped, and a freed slot waits behind all
/// other free slots before its number is used again. `HandleTable` adds the types.
public struct HandleSlots: ~Copyable {
  /// Bits 56–63 of every handle; user space ends far below.
  private let mark: UInt64
  /// Whether the objects contain units: a use of one does not keep a unit alive.
  let holdsUnits: Bool
  private let lock = Lock()
  private let chunks: UnsafeMutablePointer<Atomic<UInt>>
  /// In separate memory, so that changing it does not count as changing the slots that other
  /// threads read.
  private let stock: UnsafeMutablePointer<Stock>

  /// The existing and the free slots; accessed only under the lock.
  private struct Stock {
    var slotCount = 0
    var free: [Int] = []
    var firstFree = 0
  }

  /// A table whose handles contain `kind`, so that it refuses a handle of another table.
  init(kind: UInt8, holdsUnits: Bool) {
    self.holdsUnits = holdsUnits
    mark = 0x5A << 56 | UInt64(kind) << 48
    chunks = .allocate(capacity: HandleLayout.chunkCount)
    for index in 0..<HandleLayout.chunkCount { (chunks + index).initialize(to: Atomic(0)) }
    stock = .allocate(capacity: 1)
    stock.initialize(to: Stock())
    rt_begin_use()
  }

  /// [control thread] Gives `object` a handle and keeps it alive until `remove`.
  func insert(_ object: UnsafeMutableRawPointer) throws(AudioError) -> UInt {
    lock.lock()
    defer { lock.unlock() }
    let index = try reserveIndex()
    let slot = slot(index)
    slot.pointee.object = object
    let word = slot.pointee.word.bitwiseOr(HandleLayout.live, ordering: .releasing).newValue
    return handle(index: index, generation: word >> 40)
  }

  /// [control thread, under the lock] Reserves a free slot and returns its number.
  private func reserveIndex() throws(AudioError) -> Int {
    // A freed slot is used again only after many others, so that stale handles stay recognisable.
    if stock.pointee.free.count - stock.pointee.firstFree > HandleLayout.quarantine {
      let index = stock.pointee.free[stock.pointee.firstFree]
      stock.pointee.firstFree += 1
      if stock.pointee.firstFree > 4096 {
        stock.pointee.free.removeFirst(stock.pointee.firstFree)
        stock.pointee.firstFree = 0
      }
      return index
    }
    guard stock.pointee.slotCount < HandleLayout.capacity else {
      throw .outOfMemory.because("there are already \(HandleLayout.capacity) of these")
    }
    let index = stock.pointee.slotCount
    if index % HandleLayout.chunkSlots == 0 {
      let chunk = UnsafeMutablePointer<Slot>.allocate(capacity: HandleLayout.chunkSlots)
      for slot in 0..<HandleLayout.chunkSlots { (chunk + slot).initialize(to: Slot()) }
      chunks[index / HandleLayout.chunkSlots].store(UInt(bitPattern: chunk), ordering: .releasing)
    }
    stock.pointee.slotCount += 1
    return index
  }

  /// [any thread] Counts one use of the object behind `handle`; nil if the handle is invalid. Each
  /// non-nil result must be followed by `leave`.
  @_noLocks
  public func enter(_ handle: UInt) -> UnsafeMutableRawPointer? {
    guard let slot = slot(of: handle) else { return nil }
    let word = slot.pointee.word.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
    guard isLive(word, handle, slot), let object = slot.pointee.object else {
      slot.pointee.word.wrappingSubtract(1, ordering: .releasing)
      return nil
    }
    countUse(1)
    return object
  }

  /// [any thread] Ends one use that `enter` counted.
  @_noLocks
  public func leave(_ handle: UInt) {
    slot(of: handle)?.pointee.word.wrappingSubtract(1, ordering: .releasing)
    countUse(-1)
  }

  /// Counts a use by this thread.
  @_noLocks @inline(__always)
  private func countUse(_ change: Int32) {
    if holdsUnits {
      rt_current().pointee.graph_uses += change
    } else {
      rt_current().pointee.uses += change
    }
  }

  /// [any thread] The current number of uses of the object.
  @_noLocks
  public func users(of handle: UInt) -> Int {
    guard let slot = slot(of: handle) else { return 0 }
    return Int(slot.pointee.word.load(ordering: .sequentiallyConsistent) & HandleLayout.userMask)
  }

  /// [any thread] Invalidates the handle: from now on `enter` refuses it. False if it was already
  /// invalid.
  public func invalidate(_ handle: UInt) -> Bool {
    guard let slot = slot(of: handle) else { return false }
    var word = slot.pointee.word.load(ordering: .acquiring)
    while isLive(word, handle, slot) {
      let (done, seen) = slot.pointee.word.compareExchange(
        expected: word, desired: word & ~HandleLayout.live, ordering: .sequentiallyConsistent)
      if done { return true }
      word = seen
    }
    return false
  }

  /// [the thread that invalidated the handle, before `release`] Its object.
  func invalidatedObject(_ handle: UInt) -> UnsafeMutableRawPointer? {
    slot(of: handle)?.pointee.object
  }

  /// [control thread] Waits until an invalidated handle has no uses, then returns the object, and
  /// puts the slot at the end of the queue. Never called from inside a render call.
  func release(_ handle: UInt) -> UnsafeMutableRawPointer? {
    guard let slot = slot(of: handle), let object = slot.pointee.object else { return nil }
    waitPolling(every: 50) { users(of: handle) > 0 }
    slot.pointee.object = nil
    slot.pointee.word.bitwiseAnd(~HandleLayout.stranded, ordering: .relaxed)
    // Added, not stored: an `enter` that is about to be refused counts itself in and out meanwhile.
    slot.pointee.word.wrappingAdd(HandleLayout.nextGeneration, ordering: .releasing)
    lock.lock()
    stock.pointee.free.append(Int(handle >> 4 & 0xF_FFFF))
    lock.unlock()
    return object
  }

  private func handle(index: Int, generation: UInt64) -> UInt {
    UInt(mark | (generation & 0xFF_FFFF) << 24 | UInt64(index) << 4)
  }

  @_noLocks
  private func slot(of handle: UInt) -> UnsafeMutablePointer<Slot>? {
    let bits = UInt64(handle)
    guard bits & 0xFFFF_0000_0000_000F == mark else { return nil }
    let index = Int(bits >> 4 & 0xF_FFFF)
    guard chunks[index / HandleLayout.chunkSlots].load(ordering: .acquiring) != 0 else {
      return nil
    }
    return slot(index)
  }

  @_noLocks
  private func slot(_ index: Int) -> UnsafeMutablePointer<Slot> {
    let chunk = chunks[index / HandleLayout.chunkSlots].load(ordering: .acquiring)
    // Only called with an index whose chunk exists.
    return UnsafeMutablePointer<Slot>(bitPattern: chunk).unsafelyUnwrapped
      + index % HandleLayout.chunkSlots
  }

  @_noLocks
  private func isLive(_ word: UInt64, _ handle: UInt, _ slot: UnsafeMutablePointer<Slot>)
    -> Bool
  {
    guard word & HandleLayout.live != 0 else { return false }
    guard word >> 40 == UInt64(handle) >> 24 & 0xFF_FFFF else { return false }
    return word & HandleLayout.stranded == 0
  }

  /// [the only thread of a forked process] Refuses from now on what other threads of its parent were
  /// using, because it may be half changed. If the thread that forked was itself inside the library,
  /// nothing distinguishes its uses from theirs, and nothing is refused.
  borrowing func strandUsed() {
    for chunk in 0..<HandleLayout.chunkCount {
      guard chunks[chunk].load(ordering: .relaxed) != 0 else { return }
      for index in 0..<HandleLayout.chunkSlots {
        let slot = slot(chunk * HandleLayout.chunkSlots + index)
        let users = slot.pointee.word.load(ordering: .relaxed) & HandleLayout.userMask
        guard users > 0 else { continue }
        slot.pointee.word.wrappingSubtract(users, ordering: .relaxed)
        slot.pointee.word.bitwiseOr(HandleLayout.stranded, ordering: .relaxed)
      }
    }
  }
}

/// The positions of the parts of a handle and of a slot's word.
private enum HandleLayout {
  static var chunkSlots: Int { @_noLocks get { 256 } }
  static var chunkCount: Int { 4096 }
  static var capacity: Int { chunkSlots * chunkCount }
  /// How many freed slots wait before the first of them is used again.
  static var quarantine: Int { 1024 }
  static var live: UInt64 { @_noLocks get { 1 << 39 } }
  /// Set in a forked process for what another thread was using at the fork.
  static var stranded: UInt64 { @_noLocks get { 1 << 38 } }
  static var userMask: UInt64 { @_noLocks get { 0xFFFF_FFFF } }
  /// Added to a slot's word, it increments the generation; the top bits wrap around.
  static var nextGeneration: UInt64 { 1 << 40 }
}

/// Memory for one object. The word holds the generation (24 bits), whether the handle is valid
/// (1 bit), whether a fork has stranded it (1 bit) and the number of uses (32 bits).
private struct Slot: ~Copyable {
  let word = Atomic<UInt64>(0)
  var object: UnsafeMutableRawPointer?
}
