// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioUnitCore

/// What a device calls: it hands the cycles to the engine and the events to the unit. There is one
/// for each run of a unit.
final class IOHandler: CycleHandler, @unchecked Sendable {
  /// Changed only while no cycle runs or inside the unit's gate.
  var engine: UnsafeMutablePointer<IOEngine>?
  private let side: UnsafeMutablePointer<RenderSide>
  private weak var unit: OutputUnit?

  init(_ unit: OutputUnit) {
    side = unit.side
    self.unit = unit
  }

  deinit { engine?.deinitialize(count: 1).deallocate() }

  /// [render thread] Renders one cycle, alone in the unit; silence when that cannot be now.
  @_noLocks
  override func render(_ cycle: DeviceCycle) {
    guard side.pointee.gate.tryEnter() else { return cycle.silenceOutput(from: 0) }
    defer { side.pointee.gate.leave() }
    guard side.pointee.isReadyToRender, let engine, engine.pointee.fits(cycle) else {
      return cycle.silenceOutput(from: 0)
    }
    engine.pointee.render(cycle)
  }

  override func streamChanged(_ event: StreamEvent) { unit?.streamChanged(event, of: self) }
}
