// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// The sources of a unit's inputs for render threads. Each change is published as a whole.
///
/// `isQuiet` is whether no reader can still use replaced tables.
struct SourcePublisher {
  private let side: UnsafeMutablePointer<RenderSide>
  /// [any thread, under the lock] The inputs that may be pulled at the same time, as a graph has
  /// set for the current sources.
  private(set) var branches: Branches?

  init(_ side: UnsafeMutablePointer<RenderSide>) { self.side = side }

  /// [control thread, under the lock] Publishes the sources of all inputs.
  mutating func publish(_ inputs: [Element], isQuiet: () -> Bool) {
    // Which of these sources may be pulled at the same time is unknown.
    branches = nil
    side.pointee.sources.publish(SourceTable.allocate(inputs.map(\.source)), isQuiet: isQuiet)
  }

  /// [any thread, under the lock] Prepares the sources of all inputs, which a swap publishes. Must
  /// be followed by `retire` when the swap is in effect.
  mutating func prepare(_ inputs: [Element], _ branches: Branches?) -> SourceSwap.Change {
    self.branches = branches
    let table = SourceTable.allocate(inputs.map(\.source), branches)
    return SourceSwap.Change(
      side: side, old: side.pointee.sources.prepare(table), new: UInt(bitPattern: table.address))
  }

  /// [control thread, under the lock] Frees the sources that a swap has replaced, when no swap
  /// refers to them.
  func retire(isQuiet: () -> Bool) { side.pointee.sources.finishPreparation(isQuiet: isQuiet) }
}
