// SPDX-License-Identifier: Apache-2.0
import AudioSupport

// The readers of a unit's output: the connected units, and the frames that they need.
extension NativeUnit {
  /// [control thread] Sets the layout of the output that an initialised unit stores for its
  /// readers; nil: it stores nothing. Then the units that feed it adapt to its slice size.
  final func setHistoryShape(_ shape: [SliceHistory.Bus]?) {
    consumers.withReaders { readers in
      historyShape = shape
      fitHistory(readers, isNew: true)
    }
    guard shape != nil else { return }
    for input in inputs { input.sourceUnit?.readersChanged() }
  }

  /// [control thread] Resizes the stored output to the largest slice of several readers, if that is
  /// larger than a slice of this unit.
  final func fitHistory() {
    consumers.withReaders { fitHistory($0, isNew: false) }
  }

  private func fitHistory(_ readers: [UnitInstance], isNew: Bool) {
    let history = side.pointee.history
    let own = SliceHistory(address: history.pointee.load()).sliceFrames
    var frames = 0
    if historyShape != nil, readers.count > 1 {
      let limits = readers.compactMap { $0.renderSide?.pointee.frameLimit.load(ordering: .relaxed) }
      frames = limits.filter { $0 < .max }.max().map(Int.init) ?? 0
      if frames <= Int(side.pointee.frameLimit.load(ordering: .relaxed)) { frames = 0 }
    }
    guard isNew ? own > 0 || frames > 0 : own < frames else { return }
    let buses = frames > 0 ? historyShape ?? [] : []
    history.pointee.publish(SliceHistory.allocate(buses, frames: frames), isQuiet: { isQuiet })
    // The next slice differs from the previous one.
    side.pointee.pending.raise(.values)
  }
}
