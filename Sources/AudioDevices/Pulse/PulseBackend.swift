// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioBackends
import CRealTime

/// The devices of a PulseAudio server, or of PipeWire in its place.
///
/// "pulse" is the default sink with the default source. "pulse:SINK" and "pulse:SOURCE" name one of
/// them and use the default for the other direction. "pulse:SINK+SOURCE" names both.
public final class PulseBackend: DeviceBackend {
  public static let name = "pulse"

  private let connection = Guarded<PulseConnection?>(nil)

  public init(in environment: DeviceEnvironment) throws(AudioError) {
    _ = try withConnection { connection throws(AudioError) in connection.isReady }
  }

  deinit { connection.withLock { $0?.close() } }

  public func devices(in environment: DeviceEnvironment) throws(AudioError) -> [Device] {
    let all = try withConnection { connection throws(AudioError) in
      try PulseDevices(connection)
    }
    return Self.devices(all, environment)
  }

  public func open(
    _ request: StreamRequest, _ handler: CycleHandler, in environment: DeviceEnvironment
  ) throws(AudioError) -> any DeviceStream {
    let connection = try PulseConnection(name: request.owner)
    do throws(AudioError) {
      let all = try PulseDevices(connection)
      let devices = Self.devices(all, environment)
      let uid = request.uid ?? environment.device?.description
      var used = try RequestedDevices(uid, among: devices, preferring: environment.preferences)
      used.complete(among: devices)
      // Without a name, the server may move the stream when its default changes.
      let isNamed = uid.map { DeviceName($0).device != nil } ?? false
      func choice(_ device: Device?, _ isUsed: Bool) -> PulseEndpoints.Choice? {
        guard isUsed, let endpoint = all.endpoint(device) else { return nil }
        // The server's default source may be a monitor.
        let isDefault = [all.sinks.first?.name, all.sources.first?.name].contains(endpoint.name)
        return .init(endpoint: endpoint, isNamed: isNamed || !isDefault)
      }
      let endpoints = PulseEndpoints(
        sink: choice(used.output, request.usesOutput),
        source: choice(used.input, request.usesInput))
      guard let device = used.device(input: request.usesInput, output: request.usesOutput),
        (endpoints.sink != nil || !request.usesOutput)
          && (endpoints.source != nil || !request.usesInput)
      else {
        throw .failedInitialization.because(
          "the PulseAudio server has no \(endpoints.sink == nil && request.usesOutput ? "sink" : "source")"
        )
      }
      return PulseStream(request, device, endpoints, connection, handler)
    } catch {
      connection.close()
      throw error
    }
  }

  public func observeDevices(_ observer: @escaping @Sendable () -> Void) -> AnyObject? {
    PulseWatch(observer)
  }

  public func change(_ device: Device, _ change: DeviceChange) throws(AudioError) -> Bool {
    guard let name = DeviceName(device.uid).device else { return false }
    let isSink = device.outputChannelCount > 0
    return try withConnection { connection throws(AudioError) in
      try connection.change(name, isSink: isSink, change)
    }
  }

  private func withConnection<Result>(
    _ body: (PulseConnection) throws(AudioError) -> Result
  ) throws(AudioError) -> Result {
    try connection.withLock { shared throws(AudioError) in
      if let connection = shared, !connection.isReady {
        connection.close()
        shared = nil
      }
      let connection =
        if let shared { shared } else { try PulseConnection(name: "AudioToolbox devices") }
      shared = connection
      return try body(connection)
    }
  }

  /// Sinks, then sources, each with the default one first, and monitors last. A server without
  /// other sources makes a monitor its default source.
  private static func devices(_ all: PulseDevices, _ environment: DeviceEnvironment) -> [Device] {
    let sources = all.sources.filter { !$0.details.isMonitor }
    let monitors = all.sources.filter { $0.details.isMonitor }
    return all.sinks.enumerated().map {
      Device($1, environment, isOutput: true, isDefault: $0 == 0)
    }
      + (sources + monitors).enumerated().map {
        Device($1, environment, isOutput: false, isDefault: $0 == 0 && !$1.details.isMonitor)
      }
  }
}

extension Device {
  /// A sink or a source, with its own clock.
  fileprivate init(
    _ endpoint: PulseDevices.Endpoint, _ environment: DeviceEnvironment, isOutput: Bool,
    isDefault: Bool
  ) {
    let limits = 32...8_192
    self.init(
      backend: PulseBackend.name,
      uid: DeviceName(backend: PulseBackend.name, device: endpoint.name).description,
      name: endpoint.description, inputChannelCount: isOutput ? 0 : endpoint.channelCount,
      outputChannelCount: isOutput ? endpoint.channelCount : 0, sampleRate: endpoint.sampleRate,
      sampleRates: endpoint.sampleRate...endpoint.sampleRate,
      cycleFrames: min(max(environment.cycleFrames, limits.lowerBound), limits.upperBound),
      cycleFramesRange: limits, isDefaultInput: isDefault && !isOutput,
      isDefaultOutput: isDefault && isOutput, hasOneClock: false)
    details = endpoint.details
  }
}

/// Reports added and removed sinks and sources, a changed default, and the loss and return of the
/// server.
private final class PulseWatch: Sendable {
  private let thread: WorkerThread
  private let wakeUp = WakeUp()

  init(_ observer: @escaping @Sendable () -> Void) {
    let wakeUp = wakeUp
    thread = WorkerThread(name: "audio devices") { thread in
      while !thread.isStopping {
        guard let connection = try? PulseConnection(name: "AudioToolbox watch") else {
          wakeUp.wait(until: rt_host_time() + 500_000_000)
          continue
        }
        observer()  // devices may have changed while there was no connection
        Self.watch(connection, wakeUp, thread, observer)
        connection.close()
      }
    }
    try? thread.start()
  }

  deinit {
    thread.requestStop()
    wakeUp.raise()
    thread.stop()
  }

  private static func watch(
    _ connection: PulseConnection, _ wakeUp: WakeUp, _ thread: WorkerThread,
    _ observer: @Sendable () -> Void
  ) {
    connection.onLoss { _ in wakeUp.raise() }
    connection.locked {
      let pulse = connection.pulse
      pulse.pa_context_set_subscribe_callback(
        connection.context,
        { _, _, _, wakeUp in
          wakeUp.map { Unmanaged<WakeUp>.fromOpaque($0).takeUnretainedValue().raise() }
        }, Unmanaged.passUnretained(wakeUp).toOpaque())
      let mask =
        PulseSinks.rawValue | PulseSources.rawValue | PulsePlayers.rawValue | PulseServer.rawValue
      if let operation = pulse.pa_context_subscribe(
        connection.context, CInt(clamping: mask), nil, nil)
      {
        pulse.pa_operation_unref(operation)
      }
    }
    // A server that ended before `onLoss` was set does not wake this thread.
    if !connection.isReady { wakeUp.raise() }
    while !thread.isStopping {
      wakeUp.wait()
      // One change sends several events.
      if thread.sleep(until: rt_host_time() + 50_000_000) { observer() }
      guard connection.isReady else { return }
    }
  }
}
