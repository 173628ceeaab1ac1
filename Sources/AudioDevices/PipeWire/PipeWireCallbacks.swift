// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing
import Synchronization

/// The library's callbacks for one run of a stream.
final class PipeWireCallbacks: Sendable {
  let cycles: ServerCycles
  let events: EventSender
  private let current: Guarded<Device>
  private let rate: UInt32
  private let isFilter: Bool
  private let onRateMismatch: @Sendable (Double) -> Void
  // `cycles` again, without reference counting.
  private let cyclesReference: Unmanaged<ServerCycles>
  private let loss = Atomic(false)

  init(
    _ cycles: ServerCycles, _ events: EventSender, _ current: Guarded<Device>, _ device: Device,
    isFilter: Bool, onRateMismatch: @escaping @Sendable (Double) -> Void
  ) {
    self.onRateMismatch = onRateMismatch
    self.cycles = cycles
    cyclesReference = .passUnretained(cycles)
    self.events = events
    self.current = current
    self.isFilter = isFilter
    rate = UInt32(saturating: device.sampleRate)
  }

  /// Whether the stream is lost and will have no more cycles.
  var isLost: Bool { loss.load(ordering: .relaxed) }

  /// The object behind the context pointer of a callback.
  static func from(_ context: UnsafeMutableRawPointer?) -> PipeWireCallbacks? {
    context.map { Unmanaged<PipeWireCallbacks>.fromOpaque($0).takeUnretainedValue() }
  }

  /// [render thread] Runs one cycle of the graph. A filter runs at the graph's rate. If that
  /// differs from the rate it was opened for, it stays silent until it is reopened.
  @_noLocks
  func cycle(_ cycle: UnsafePointer<PipeWireCycle>) {
    let it = cycle.pointee
    let seconds = it.rate > 0 ? Double(it.duration) / Double(it.rate) : 0
    let period = Elementary.nanoseconds(min(seconds, 3_600))
    let deviceCycle = DeviceCycle(
      frameCount: Int(it.frames), sampleTime: 0, hostTime: it.nanoseconds,
      rateScalar: it.rate_scalar, input: readable(it.input),
      inputChannelCount: Int(it.input_channels), output: readable(it.output),
      outputChannelCount: Int(it.output_channels))
    if isFilter { guard it.rate == rate else { return deviceCycle.silenceOutput(from: 0) } }
    cyclesReference._withUnsafeGuaranteedRef { cycles in
      if it.missed > 0 { cycles.countXrun() }
      cycles.run(deviceCycle, deadline: it.nanoseconds > 0 ? it.nanoseconds &+ period : 0)
    }
  }

  /// [connection's thread] Handles a changed state of the stream.
  func changed(_ state: PipeWireState, _ reason: UnsafePointer<CChar>?) {
    guard state == PipeWireStateLost else { return }
    loss.store(true, ordering: .relaxed)
    events.send(.lost(reason: reason.map { String(cString: $0) } ?? "the stream is gone"))
  }

  /// [connection's thread] Handles a changed rate or cycle size of the graph.
  func graphChanged(rate: UInt32, frames: UInt32) {
    guard rate == self.rate else {
      onRateMismatch(Double(rate))
      return events.send(.lost(reason: "the server's rate is now \(rate) Hz"))
    }
    let moved = current.withLock { device -> Device? in
      guard device.cycleFrames != Int(frames) else { return nil }
      device.cycleFrames = Int(frames)
      return device
    }
    if let moved { events.send(.moved(to: moved)) }
  }
}

/// [render thread] Called by the library.
@_noLocks
func pipeWireCycle(
  _ context: UnsafeMutableRawPointer?, _ cycle: UnsafePointer<PipeWireCycle>?
) {
  guard let context, let cycle else { return }
  rt_enter()
  Unmanaged<PipeWireCallbacks>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.cycle(cycle) }
  rt_leave()
}

/// [render thread] The table of channels as non-optional pointers.
@_noLocks
private func readable(
  _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
) -> UnsafePointer<UnsafeMutablePointer<Float>>? {
  channels.map {
    UnsafeRawPointer($0).assumingMemoryBound(to: UnsafeMutablePointer<Float>.self)
  }
}
