// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import CRealTime
import SignalProcessing

/// The render observers of a unit, in the order in which they were added.
final class RenderObservers: @unchecked Sendable {  // the table is published, the rest is guarded
  private let lock = Lock()
  private var observers: [(token: Int, block: AURenderObserver)] = []
  private var lastToken = 0
  /// What a render uses, in memory, so that it counts no references.
  let side: UnsafeMutablePointer<ObserverSide> = .cell(ObserverSide())

  deinit { side.endCell() }

  /// [control thread] Adds an observer and returns its token.
  func add(_ block: @escaping AURenderObserver) -> Int {
    let token = lock.withLock {
      lastToken += 1
      observers.append((lastToken, block))
      publish()
      return lastToken
    }
    freeUnused()
    return token
  }

  /// [control thread] Removes an observer. Afterwards it is not called any more, unless this is
  /// called within a render.
  func remove(_ token: Int) {
    let removed = lock.withLock {
      let removed = observers.filter { $0.token == token }
      observers.removeAll { $0.token == token }
      publish()
      return removed
    }
    if rt_current().pointee.depth == 0 { side.pointee.gate.waitUntilIdle() }
    freeUnused()
    withExtendedLifetime(removed) {}
  }

  /// [under the lock] Publishes the observers. The replaced table is kept until `freeUnused`.
  private func publish() {
    side.pointee.table.publish(
      BlockTable.allocate(observers.map { StoredObserver(call: $0.block) }),
      in: { side.pointee.gate.round })
  }

  /// Frees the tables that no render uses any more: without the lock, because that frees what the
  /// program keeps in its observers.
  private func freeUnused() {
    let unused = lock.withLock {
      side.pointee.table.takeUnused { _, round in side.pointee.gate.isPast(round) }
    }
    for table in unused { table.deallocate() }
  }
}

/// The render observers as render threads see them.
struct ObserverSide: ~Copyable {
  fileprivate let table = Published(BlockTable.allocate([]))
  /// Entered while observers are called.
  fileprivate let gate = RenderGate()

  /// [render thread] Calls the observers with the flags of a render, to which `added` is added.
  @_noLocks
  borrowing func call(
    _ flags: AudioUnitRenderActionFlags, adding added: UInt32,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, _ bus: Int
  ) {
    // Another render of this unit, on another thread, is refused anyway.
    guard gate.tryEnter() else { return }
    BlockTable(address: table.load()).call(flags.rawValue | added, time, frames, bus)
    gate.leave()
  }
}

/// Observers in memory that does not change.
private struct BlockTable: Publishable, BitwiseCopyable {
  private struct Memory {
    let owner: OwnedMemory
    let blocks: [StoredObserver]
  }

  let address: UnsafeMutableRawPointer
  private var memory: UnsafeMutablePointer<Memory> {
    address.assumingMemoryBound(to: Memory.self)
  }

  @_noLocks
  init(address: UnsafeMutableRawPointer) { self.address = address }

  /// [control thread] A table of observers, which it retains.
  static func allocate(_ blocks: [StoredObserver]) -> Self {
    let owner = OwnedMemory()
    return Self(address: owner.cell(Memory(owner: owner, blocks: blocks)))
  }

  func deallocate() { memory.pointee.owner.deallocate() }

  /// [render thread] Calls code of the program, which the compiler cannot check.
  @_semantics("no_performance_analysis") @inline(never)
  func call(
    _ flags: UInt32, _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, _ bus: Int
  ) {
    for block in memory.pointee.blocks {
      block.call(AudioUnitRenderActionFlags(rawValue: flags), time, frames, bus)
    }
  }
}
