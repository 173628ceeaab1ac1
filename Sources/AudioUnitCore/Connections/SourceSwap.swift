// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import SignalProcessing

/// New sources for many units. They take effect together, between two renders of the head, the unit
/// that pulls all the others. A pointer to memory.
///
/// Each unit's sources are `Published`. What `Published` cannot do is to replace those of many units
/// between two renders of one: that is the swap, which readers apply once, rather than read.
///
/// The head applies the swap at the start of its next render, or a control thread does while
/// nothing is being rendered. If both do so simultaneously, each goes through all changes and skips
/// those already made. So no render sees only some of the changes, and neither thread waits.
package struct SourceSwap: BitwiseCopyable, @unchecked Sendable {
  /// The change of one unit.
  package struct Change: BitwiseCopyable {
    let side: UnsafeMutablePointer<RenderSide>
    let old: UInt
    let new: UInt
  }

  private struct Memory {
    let owner: OwnedMemory
    var changes: UnsafeMutablePointer<Change>
    var count: Int
  }

  private let memory: UnsafeMutablePointer<Memory>

  /// The swap that a head's word points at; nil for zero.
  @_noLocks
  init?(_ bits: UInt) {
    guard let memory = UnsafeMutablePointer<Memory>(bitPattern: bits) else { return nil }
    self.memory = memory
  }

  /// [control thread] Allocates a swap; its units must outlive it.
  package static func allocate(_ changes: [Change]) -> Self? {
    let owner = OwnedMemory()
    let memory = owner.cell(
      Memory(owner: owner, changes: owner.array(changes), count: changes.count))
    return Self(UInt(bitPattern: memory))
  }

  /// [control thread] Frees the memory; no head reads it any more.
  package func deallocate() { memory.pointee.owner.deallocate() }

  /// [any thread] Applies every change that is not yet in effect.
  @_noLocks
  func apply() {
    for index in 0..<memory.pointee.count {
      let change = memory.pointee.changes[index]
      change.side.pointee.sources.replace(change.old, by: change.new)
    }
  }

  /// [control thread] Applies every change immediately, because there is no head whose renders
  /// could see only some of them.
  package func applyNow() { apply() }

  var bits: UInt { UInt(bitPattern: memory) }
}

extension RenderSide {
  /// [render thread, inside the gate] Applies a graph's edits at the start of a render, before the
  /// sources are read.
  @_noLocks
  package borrowing func applyPendingSwap() {
    guard pending.consume(.swap) else { return }
    let bits = pendingSwap.load(ordering: .sequentiallyConsistent)
    guard let swap = SourceSwap(bits) else { return }
    swap.apply()
    _ = pendingSwap.compareExchange(
      expected: bits, desired: 0, ordering: .sequentiallyConsistent)
  }
}
