// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
@_spi(TrappingConversions) import CheckedNumbers
import Glibc

/// A stream of one direction, which the session manager links, or a filter of both directions on
/// one clock, which this process links.
final class PipeWireStream: DeviceStream {
  private let request: StreamRequest
  private let devices: RequestedDevices
  private let handler: CycleHandler
  private let current: Guarded<Device>
  private let runs = ServerRuns<PipeWireRun>()
  private let rates: PipeWireRates
  private let preferences: DevicePreferences
  /// The names of the nodes that it uses.
  private let nodes: [String]
  /// Whether it requests from the server the rate that the program prefers.
  private let requestsRate: Bool

  /// Seconds that linking may take.
  private static let linkTime = 1.0

  init(
    _ request: StreamRequest, _ devices: RequestedDevices, _ handler: CycleHandler,
    _ rates: PipeWireRates, _ preferences: DevicePreferences
  ) throws(AudioError) {
    guard var device = devices.device(input: request.usesInput, output: request.usesOutput),
      !request.usesOutput || device.outputChannelCount > 0,
      !request.usesInput || device.inputChannelCount > 0
    else {
      let direction = request.usesOutput ? "plays" : "captures"
      throw .failedInitialization.because("PipeWire has no device that \(direction)")
    }
    self.request = request
    self.devices = devices
    self.handler = handler
    self.rates = rates
    let used = [
      request.usesOutput ? devices.output : nil, request.usesInput ? devices.input : nil,
    ].compactMap(\.self)
    nodes = used.map(Self.node)
    self.preferences = preferences
    let preferred = request.keepsRate ? nil : preferences.all.sampleRate
    requestsRate = preferred.map(device.details.switchableRates.contains) ?? false
    // A running graph keeps the rate that its first streams chose.
    let isIdle = !used.contains { $0.details.isRunning ?? false }
    if let preferred, requestsRate, isIdle, preferred != device.sampleRate {
      var requested = device
      requested.sampleRate = preferred
      let isFilter = request.usesInput && request.usesOutput
      let granted = Self.withSetup(
        request, devices, requested, role: preferences.all.role, isFilter: isFilter
      ) {
        PipeWireRateProbe.rate(with: $0)
      }
      if let granted { device.sampleRate = granted }
    }
    device.sampleRates = device.sampleRate...device.sampleRate
    current = Guarded(device)
  }

  /// The name of a device's node.
  private static func node(_ device: Device) -> String {
    let name = DeviceName(device.uid).device ?? ""
    return isMonitor(device) ? String(name.dropLast(PipeWireBackend.monitorSuffix.count)) : name
  }

  private static func isMonitor(_ device: Device) -> Bool {
    device.uid.hasSuffix(PipeWireBackend.monitorSuffix) && device.name.hasPrefix("Monitor of ")
  }

  deinit { stop() }

  var device: Device { current.withLock { $0 } }

  func start() throws(AudioError) {
    try runs.start { () throws(AudioError) in
      let isDuplex = request.usesInput && request.usesOutput
      if let error = try begin(asFilter: isDuplex) {
        // Without a session manager, this process may still link it.
        guard !isDuplex, try begin(asFilter: true) == nil else { throw error }
      }
      rates.began(self, on: nodes, at: device.sampleRate)
    }
  }

  /// Starts the stream and waits for the first cycle. Returns an error if none comes.
  private func begin(asFilter: Bool) throws(AudioError) -> AudioError? {
    let device = device
    let callbacks = PipeWireCallbacks(
      ServerCycles(to: handler, startHostTime: request.startHostTime), EventSender(to: handler),
      current, device, isFilter: asFilter
    ) { [rates, nodes] in rates.observed($0, on: nodes) }
    let run = PipeWireRun(try open(device, callbacks, asFilter), callbacks)
    do throws(AudioError) {
      try runs.begin(run) { () throws(AudioError) in
        for _ in 0..<Int(saturating: Self.linkTime / 0.002) {
          if callbacks.cycles.hasBegun { return }
          if callbacks.isLost { break }
          usleep(2_000)
        }
        let reason = run.missing ?? "\(device.uid) had no cycle within a second"
        throw .failedInitialization.because("PipeWire: \(reason)")
      }
      return nil
    } catch { return error }
  }

  private func open(
    _ device: Device, _ callbacks: PipeWireCallbacks, _ isFilter: Bool
  ) throws(AudioError) -> OpaquePointer {
    var reason = [CChar](repeating: 0, count: 256)
    let pointer = Self.withSetup(
      request, devices, device, role: preferences.all.role, isFilter: isFilter
    ) { setup in
      var setup = setup
      setup.requests_rate = requestsRate
      setup.context = Unmanaged.passUnretained(callbacks).toOpaque()
      setup.cycle = pipeWireCycle
      setup.changed = { PipeWireCallbacks.from($0)?.changed($1, $2) }
      setup.graph_changed = { PipeWireCallbacks.from($0)?.graphChanged(rate: $1, frames: $2) }
      return pipewire_stream_open(&setup, &reason, UInt32(clamping: reason.count))
    }
    guard let pointer else { throw .failedInitialization.because(text(reason)) }
    return pointer
  }

  /// Runs `body` with the setup of the stream, without callbacks.
  private static func withSetup<Result>(
    _ request: StreamRequest, _ devices: RequestedDevices, _ device: Device, role: String?,
    isFilter: Bool, _ body: (PipeWireSetup) -> Result
  ) -> Result {
    let output = request.usesOutput ? devices.output.map(node) : nil
    let input = request.usesInput ? devices.input.map(node) : nil
    return request.owner.withCString { owner in
      withOptionalCStrings(output, input, role) {
        output, input, role in
        var setup = PipeWireSetup()
        setup.name = owner
        setup.role = role
        setup.playback_node = output
        setup.capture_node = input
        setup.captures_monitor = input != nil && devices.input.map(isMonitor) ?? false
        setup.playback_channels = UInt32(clamping: device.outputChannelCount)
        setup.capture_channels = UInt32(clamping: device.inputChannelCount)
        setup.rate = UInt32(saturating: device.sampleRate)
        setup.quantum = UInt32(clamping: device.cycleFrames)
        setup.is_filter = isFilter
        setup.is_pinned = request.isPinned
        return body(setup)
      }
    }
  }

  func stop() {
    runs.stop()
    rates.ended(self)
  }

  func latency(_ direction: StreamDirection) -> Double {
    runs.query { $0.latency(direction) } ?? 0
  }

  var xrunCount: Int { runs.xrunCount }

  /// Gaps of the driving clock and cycles that the stream did not finish, since this count was
  /// first requested.
  var serverXrunCount: Int? {
    _ = runs.query { $0.requestXrunCount() }
    return runs.serverXrunCount
  }

  var stallLimit: Double? { stallLimit(of: device) }
  var scheduling: ThreadScheduling? { runs.query { $0.scheduling } }
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
