// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CRealTime
import SignalProcessing

/// A block of the program that control threads replace while render threads call it.
///
/// `Value` is a structure that has the block.
final class ReplaceableBlock<Value>: @unchecked Sendable {  // published, or guarded by the lock
  private let lock = Lock()
  private var present: Value?
  private let side: UnsafeMutablePointer<BlockSide> = .cell(BlockSide())

  deinit { side.endCell() }

  /// [control thread] The present block.
  var value: Value? { lock.withLock { present } }

  /// [control thread] Whether there is a block.
  var isSet: Bool { lock.withLock { present != nil } }

  /// [control thread] Replaces the block. Afterwards the old one is not called any more, unless this
  /// is called within a render.
  func replace(by new: Value?) {
    let old = lock.withLock { () -> Value? in
      let old = present
      present = new
      side.pointee.current.publish(
        new.map { ImmutableCell($0) }, in: { side.pointee.gate.round })
      return old
    }
    let mayWait = rt_current().pointee.depth == 0 && !side.pointee.gate.isHeldByThisThread
    waitPolling(every: 50) {
      let (unused, isUsed) = lock.withLock {
        let unused = side.pointee.current.takeUnused { _, round in
          side.pointee.gate.isPast(round)
        }
        return (unused, side.pointee.current.retiredCount > 0)
      }
      // Without the lock, because freeing a block frees what the program keeps in it.
      for value in unused { value.deallocate() }
      return isUsed && mayWait
    }
    withExtendedLifetime(old) {}
  }

  /// [render thread] Calls the block; `kAudioUnitErr_NoConnection` if there is none.
  func call(_ body: (Value) -> OSStatus) -> OSStatus {
    guard side.pointee.gate.tryEnter() else { return kAudioUnitErr_CannotDoInCurrentContext }
    defer { side.pointee.gate.leave() }
    guard let address = side.pointee.current.loadIfAny() else { return kAudioUnitErr_NoConnection }
    return body(address.assumingMemoryBound(to: Value.self).pointee)
  }
}

/// What render threads use.
private struct BlockSide: ~Copyable {
  let current = Published()
  /// Entered while the block is called.
  let gate = RenderGate()
}

/// Memory of one value, which does not change.
struct ImmutableCell<Value>: Publishable {
  let address: UnsafeMutableRawPointer

  init(_ value: Value) {
    address = UnsafeMutableRawPointer(UnsafeMutablePointer<Value>.cell(value))
  }

  func deallocate() { address.assumingMemoryBound(to: Value.self).endCell() }
}
