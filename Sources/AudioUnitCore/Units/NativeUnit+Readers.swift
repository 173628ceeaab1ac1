// SPDX-License-Identifier: Apache-2.0
import AudioSupport

// The readers of a unit's output: its connections, and the frames that they need.
extension NativeUnit {
  /// [control thread] Records what an initialised unit keeps for its readers; nil: nothing. Then
  /// the units that feed it adapt to how much it requests.
  final func setHistoryShape(_ shape: [SliceHistory.Bus]?) {
    consumers.withReaders { readers in
      historyShape = shape
      fitHistory(readers, isNew: true)
    }
    guard shape != nil else { return }
    for input in inputs { input.sourceUnit?.readersChanged() }
  }

  /// [control thread] Keeps as many frames as the largest of several readers requests at once, if
  /// that is more than one slice of this unit.
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
