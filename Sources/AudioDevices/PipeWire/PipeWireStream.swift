// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import Glibc

/// A stream of one direction, which the session manager links, or a filter of both on one clock,
/// which is linked from here.
final class PipeWireStream: DeviceStream {
  private let request: StreamRequest
  private let devices: RequestedDevices
  private let handler: CycleHandler
  private let current: Guarded<Device>
  private let runs = ServerRuns<PipeWireRun>()

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
    try runs.start { () throws(AudioError) in
      let isDuplex = request.usesInput && request.usesOutput
      if let error = try begin(asFilter: isDuplex) {
        // Without a session manager it may still be linked from here.
        guard !isDuplex, try begin(asFilter: true) == nil else { throw error }
      }
    }
  }

  /// Starts it and waits for the first cycle; why there is none, when none comes.
  private func begin(asFilter: Bool) throws(AudioError) -> AudioError? {
    let device = device
    let callee = PipeWireCallee(
      ServerCycles(to: handler, startHostTime: request.startHostTime), EventOutlet(to: handler),
      current, device, isFilter: asFilter)
    let run = PipeWireRun(try open(device, callee, asFilter), callee)
    do throws(AudioError) {
      try runs.begin(run) { () throws(AudioError) in
        for _ in 0..<Int(Self.linkTime / 0.002) {
          if callee.cycles.hasBegun { return }
          if callee.isLost { break }
          usleep(2_000)
        }
        let reason = run.missing ?? "\(device.uid) gave no cycle within a second"
        throw .failedInitialization.because("PipeWire: \(reason)")
      }
      return nil
    } catch { return error }
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
      withOptionalCStrings(output, input, DevicePreferences.current.all.role) {
        output, input, role in
        var setup = PipeWireSetup()
        setup.name = owner
        setup.role = role
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
    guard let pointer else { throw .failedInitialization.because(text(reason)) }
    return pointer
  }

  func stop() { runs.stop() }

  func latency(_ direction: StreamDirection) -> Double {
    runs.look { $0.latency(direction) } ?? 0
  }

  var xrunCount: Int { runs.xrunCount }

  /// Gaps of the clock that drives it and cycles that it did not finish, since this was first asked for.
  var serverXrunCount: Int? {
    _ = runs.look { $0.askForXruns() }
    return runs.serverXrunCount
  }

  var stallLimit: Double? { stallLimit(of: device) }
  var scheduling: ThreadScheduling? { runs.look { $0.scheduling } }
}

private func withOptionalCStrings<Result>(
  _ one: String?, _ two: String?, _ three: String?,
  _ body: (UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Result
) -> Result {
  withOptionalCString(one) { one in
    withOptionalCString(two) { two in withOptionalCString(three) { body(one, two, $0) } }
  }
}

private func withOptionalCString<Result>(
  _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
) -> Result {
  if let text { text.withCString { body($0) } } else { body(nil) }
}
