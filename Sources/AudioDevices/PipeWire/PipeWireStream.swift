// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import CRealTime
import Glibc
import Synchronization

/// A stream of one direction, which the session manager links, or a filter of both on one clock,
/// which is linked from here.
final class PipeWireStream: DeviceStream {
  // A pointer that only the library looks behind, and what it calls.
  private struct Run: @unchecked Sendable {
    var pointer: OpaquePointer
    var callee: PipeWireCallee
    /// The server counts for those who ask, and takes some time for that.
    var asksForXruns = false

    var xruns: Int? {
      guard asksForXruns else { return nil }
      let gaps = pipewire_stream_gaps(pointer)
      return gaps < 0 ? nil : Int(gaps)
    }
  }

  private let request: StreamRequest
  private let devices: RequestedDevices
  private let handler: CycleHandler
  private let current: Guarded<Device>
  private let run = Guarded<Run?>(nil)
  /// Makes one start at a time.
  private let starting = Guarded(())
  private let earlierXruns = Guarded((ours: 0, server: Int?.none))

  /// Seconds within which a stream has to be linked.
  private static let linkTime = 1.0

  init(
    _ request: StreamRequest, _ devices: RequestedDevices, _ handler: CycleHandler
  ) throws(AudioError) {
    guard let device = devices.device(input: request.usesInput, output: request.usesOutput),
      !request.usesOutput || device.outputChannelCount > 0,
      !request.usesInput || device.inputChannelCount > 0
    else {
      let direction = request.usesOutput ? "plays" : "captures"
      throw .failedInitialization.because("PipeWire has no device that \(direction)")
    }
    self.request = request
    self.devices = devices
    self.handler = handler
    current = Guarded(device)
  }

  deinit { stop() }

  var device: Device { current.withLock { $0 } }

  func start() throws(AudioError) {
    if let run = run.withLock({ $0 }), run.callee.cycles.gate.isHeldHere {
      throw .cannotDoInCurrentContext.because("a stream cannot be started by its own thread")
    }
    try starting.withLock { _ throws(AudioError) in
      guard run.withLock({ $0 == nil }) else { return }
      let isDuplex = request.usesInput && request.usesOutput
      if let reason = try begin(asFilter: isDuplex) {
        // Without a session manager it may still be linked from here.
        guard !isDuplex, try begin(asFilter: true) == nil else {
          throw .failedInitialization.because("PipeWire: \(reason)")
        }
      }
    }
  }

  /// Starts it and waits for the first cycle; the reason when none comes.
  private func begin(asFilter: Bool) throws(AudioError) -> String? {
    let device = device
    let callee = PipeWireCallee(
      ServerCycles(to: handler, startHostTime: request.startHostTime), EventOutlet(to: handler),
      current, device, isFilter: asFilter)
    let pointer = try open(device, callee, asFilter)
    run.withLock { $0 = Run(pointer: pointer, callee: callee) }
    callee.cycles.gate.open()
    for _ in 0..<Int(Self.linkTime / 0.002) {
      if callee.cycles.hasBegun { return nil }
      if callee.isLost { break }
      usleep(2_000)
    }
    var missing = [CChar](repeating: 0, count: 400)
    pipewire_stream_missing(pointer, &missing, UInt32(missing.count))
    stop()
    let reason = text(missing)
    return reason.isEmpty ? "\(device.uid) gave no cycle within a second" : reason
  }

  private func open(
    _ device: Device, _ callee: PipeWireCallee, _ isFilter: Bool
  ) throws(AudioError) -> OpaquePointer {
    let output = request.usesOutput ? devices.output.flatMap { DeviceName($0.uid).device } : nil
    var input = request.usesInput ? devices.input.flatMap { DeviceName($0.uid).device } : nil
    let isMonitor =
      input?.hasSuffix(PipeWireBackend.monitorSuffix) ?? false
      && devices.input?.name.hasPrefix("Monitor of ") ?? false
    if isMonitor { input?.removeLast(PipeWireBackend.monitorSuffix.count) }
    var reason = [CChar](repeating: 0, count: 256)
    let pointer = request.owner.withCString { owner in
      withOptionalCString(output) { output in
        withOptionalCString(input) { input in
          var setup = PipeWireSetup()
          setup.name = owner
          setup.playback_node = output
          setup.capture_node = input
          setup.captures_monitor = isMonitor
          setup.playback_channels = UInt32(device.outputChannelCount)
          setup.capture_channels = UInt32(device.inputChannelCount)
          setup.rate = UInt32(device.sampleRate)
          setup.quantum = UInt32(device.cycleFrames)
          setup.is_filter = isFilter
          setup.is_pinned = request.isPinned
          setup.context = Unmanaged.passUnretained(callee).toOpaque()
          setup.cycle = pipeWireCycle
          setup.changed = { PipeWireCallee.from($0)?.changed($1, $2) }
          setup.shaped = { PipeWireCallee.from($0)?.shaped(rate: $1, frames: $2) }
          return pipewire_stream_open(&setup, &reason, UInt32(reason.count))
        }
      }
    }
    guard let pointer else { throw .failedInitialization.because(text(reason)) }
    return pointer
  }

  func stop() {
    guard let run = run.withLock({ $0 }) else { return }
    run.callee.cycles.gate.close()
    if run.callee.cycles.gate.isHeldHere || run.callee.isTellingHere { return }
    run.callee.events.close()
    let isOurs = self.run.withLock { current in
      guard current?.pointer == run.pointer else { return false }
      current = nil
      return true
    }
    guard isOurs else { return }
    earlierXruns.withLock {
      $0.ours += run.callee.cycles.xrunCount
      if let told = run.xruns { $0.server = ($0.server ?? 0) + told }
    }
    pipewire_stream_close(run.pointer)
  }

  func latency(_ direction: StreamDirection) -> Double {
    run.withLock { run in
      run.map { pipewire_stream_latency($0.pointer, direction == .output) } ?? 0
    }
  }

  var xrunCount: Int {
    run.withLock { $0?.callee.cycles.xrunCount ?? 0 } + earlierXruns.withLock { $0.ours }
  }

  /// Gaps of the clock that drives it and cycles that it did not finish, since this was first asked for.
  var serverXrunCount: Int? {
    let now = run.withLock { run in
      run?.asksForXruns = true
      return run?.xruns
    }
    let earlier = earlierXruns.withLock { $0.server }
    return now.map { $0 + (earlier ?? 0) } ?? earlier
  }

  var stallLimit: Double? { stallLimit(of: device) }

  var scheduling: ThreadScheduling? {
    run.withLock { run in
      guard let run else { return nil }
      var priority: CInt = 0
      switch pipewire_stream_policy(run.pointer, &priority) {
      case ..<0: return nil
      case SCHED_FIFO, SCHED_RR: return .realTime(priority: Int(priority))
      default: return .ordinary(reason: "PipeWire's real-time module got no priority for it")
      }
    }
  }
}

/// What the library calls for one run of a stream.
final class PipeWireCallee: Sendable {
  let cycles: ServerCycles
  let events: EventOutlet
  private let current: Guarded<Device>
  private let rate: UInt32
  private let isFilter: Bool
  // The same as `cycles`, without a count to touch.
  private let cyclesReference: Unmanaged<ServerCycles>
  private let teller = Guarded<pthread_t?>(nil)
  private let loss = Atomic(false)

  init(
    _ cycles: ServerCycles, _ events: EventOutlet, _ current: Guarded<Device>, _ device: Device,
    isFilter: Bool
  ) {
    self.cycles = cycles
    cyclesReference = .passUnretained(cycles)
    self.events = events
    self.current = current
    self.isFilter = isFilter
    rate = UInt32(device.sampleRate)
  }

  /// Whether it will have no cycle any more.
  var isLost: Bool { loss.load(ordering: .relaxed) }

  /// Whoever a callback of the library is meant for.
  static func from(_ context: UnsafeMutableRawPointer?) -> PipeWireCallee? {
    context.map { Unmanaged<PipeWireCallee>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Whether an event is being told by the calling thread.
  var isTellingHere: Bool {
    teller.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  /// [render thread] One cycle of the graph. A filter runs at the graph's rate: another than it was
  /// opened for stays silent until it is opened anew.
  @_noLocks
  func cycle(_ cycle: UnsafePointer<PipeWireCycle>) {
    let it = cycle.pointee
    let period = it.rate > 0 ? UInt64(it.duration) * 1_000_000_000 / UInt64(it.rate) : 0
    let deviceCycle = DeviceCycle(
      frameCount: Int(it.frames), sampleTime: 0, hostTime: it.nanoseconds,
      rateScalar: it.rate_scalar, input: readable(it.input),
      inputChannelCount: Int(it.input_channels), output: readable(it.output),
      outputChannelCount: Int(it.output_channels))
    if isFilter { guard it.rate == rate else { return deviceCycle.silenceOutput(from: 0) } }
    cyclesReference._withUnsafeGuaranteedRef { cycles in
      if it.missed > 0 { cycles.noteXrun() }
      cycles.run(deviceCycle, deadline: it.nanoseconds > 0 ? it.nanoseconds + period : 0)
    }
  }

  /// [connection's thread] Its state is another.
  func changed(_ state: PipeWireState, _ reason: UnsafePointer<CChar>?) {
    guard state == PipeWireStateLost else { return }
    loss.store(true, ordering: .relaxed)
    tell(.lost(reason: reason.map { String(cString: $0) } ?? "the stream is gone"))
  }

  /// [connection's thread] The graph runs at another rate or with other cycles.
  func shaped(rate: UInt32, frames: UInt32) {
    guard rate == self.rate else {
      return tell(.lost(reason: "the server's rate is now \(rate) Hz"))
    }
    let moved = current.withLock { device -> Device? in
      guard device.cycleFrames != Int(frames) else { return nil }
      device.cycleFrames = Int(frames)
      return device
    }
    if let moved { tell(.moved(to: moved)) }
  }

  private func tell(_ event: StreamEvent) {
    teller.withLock { $0 = pthread_self() }
    events.tell(event)
    teller.withLock { $0 = nil }
  }
}

/// [render thread] What the library calls.
@_noLocks
private func pipeWireCycle(
  _ context: UnsafeMutableRawPointer?, _ cycle: UnsafePointer<PipeWireCycle>?
) {
  guard let context, let cycle else { return }
  rt_enter()
  Unmanaged<PipeWireCallee>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.cycle(cycle) }
  rt_leave()
}

/// [render thread] A table of channels, none of which is missing.
@_noLocks
private func readable(
  _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
) -> UnsafePointer<UnsafeMutablePointer<Float>>? {
  channels.map {
    UnsafeRawPointer($0).assumingMemoryBound(to: UnsafeMutablePointer<Float>.self)
  }
}

private func withOptionalCString<Result>(
  _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
) -> Result {
  if let text { text.withCString { body($0) } } else { body(nil) }
}
