// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// The output of a unit and its readers: the connected units, and the frames that they need.
///
/// `isQuiet` is whether no reader can still use replaced tables.
final class SharedOutput: @unchecked Sendable {
  let consumers = Consumers()
  private let side: UnsafeMutablePointer<RenderSide>
  /// The layout of the output samples while the unit is initialised; guarded by `consumers`.
  private var shape: [RenderHistory.Bus]?

  init(_ side: UnsafeMutablePointer<RenderSide>) { self.side = side }

  /// [control thread] Adds or removes a connection to `consumer`.
  func change(_ consumer: UnitInstance, isConnected: Bool, isQuiet: () -> Bool) {
    let pending = side.pointee.pending
    consumers.change(consumer, isConnected: isConnected) { pending.set(.shared, $0) }
    fit(isQuiet: isQuiet)
  }

  /// [control thread] Sets the layout of the output that an initialised unit stores for its
  /// readers; nil: it stores nothing.
  func setShape(_ new: [RenderHistory.Bus]?, isQuiet: () -> Bool) {
    consumers.withReaders { readers in
      shape = new
      fitHistory(readers, isNew: true, isQuiet)
    }
  }

  /// [control thread] Resizes the stored output to the largest render of several readers, if that
  /// is larger than a render of this unit.
  func fit(isQuiet: () -> Bool) {
    consumers.withReaders { fitHistory($0, isNew: false, isQuiet) }
  }

  private func fitHistory(_ readers: [UnitInstance], isNew: Bool, _ isQuiet: () -> Bool) {
    let history = side.pointee.history
    let own = RenderHistory(address: history.pointee.load()).renderFrames
    var frames = 0
    if shape != nil, readers.count > 1 {
      let limits = readers.compactMap { $0.renderSide?.pointee.frameLimit.load(ordering: .relaxed) }
      frames = limits.filter { $0 < .max }.max().map(Int.init) ?? 0
      if frames <= Int(side.pointee.frameLimit.load(ordering: .relaxed)) { frames = 0 }
    }
    guard isNew ? own > 0 || frames > 0 : own < frames else { return }
    let buses = frames > 0 ? shape ?? [] : []
    history.pointee.publish(RenderHistory.allocate(buses, frames: frames), isQuiet: isQuiet)
    // The next render differs from the previous one.
    side.pointee.pending.raise(.values)
  }
}
