// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioBackends
@_spi(TrappingConversions) import CheckedNumbers

/// PipeWire, the sound server of most desktops.
///
/// A device is a node: a sink, a source, or a sink's monitor ("NAME.monitor").
public final class PipeWireBackend: DeviceBackend {
  public static let name = "pipewire"

  private let server = PipeWireServer()
  private let rates = PipeWireRates()

  public init(in environment: DeviceEnvironment) throws(AudioError) { _ = try server.query() }

  public func devices(in environment: DeviceEnvironment) throws(AudioError) -> [Device] {
    let (nodes, settings) = try server.query()
    let devices = Self.devices(nodes, settings, environment, rates)
    guard !devices.isEmpty || nodes.isEmpty || settings.has_session_manager else {
      let names = nodes.map(\.name).joined(separator: ", ")
      throw .failedInitialization.because(
        "PipeWire has \(names), but no session manager runs that would set them up")
    }
    return devices
  }

  /// A server without a session manager does.
  public func answersWithoutDevices() -> Bool { (try? server.query()) != nil }

  public func open(
    _ request: StreamRequest, _ handler: CycleHandler, in environment: DeviceEnvironment
  ) throws(AudioError) -> any DeviceStream {
    let devices = try RequestedDevices(
      request.uid, among: devices(in: environment), preferring: environment.preferences)
    return try PipeWireStream(request, devices, handler, rates, environment.preferences)
  }

  public func observeDevices(_ observer: @escaping @Sendable () -> Void) -> AnyObject? {
    Observation(server, server.addObserver(observer))
  }

  public func change(_ device: Device, _ change: DeviceChange) throws(AudioError) -> Bool {
    guard let node = DeviceName(device.uid).device, !device.name.hasPrefix("Monitor of ") else {
      return false
    }
    let isSink = device.outputChannelCount > 0
    switch change {
    case .volumes(let volumes):
      return try server.change {
        pipewire_set_volumes(
          $0, node, isSink, volumes.map { $0 * $0 * $0 }, UInt32(clamping: volumes.count))
      }
    case .mute(let mutes):
      return try server.change { pipewire_set_mute($0, node, isSink, mutes) }
    case .defaultOutput, .defaultInput:
      guard isSink == (change == .defaultOutput) else { return false }
      return try server.change { pipewire_set_default($0, node, isSink) }
    case .sampleRate(let rate):
      return try server.change {
        let defaultRate = pipewire_settings($0).default_rate
        let rate = UInt32(saturating: rate)
        return pipewire_set_rate($0, rate == defaultRate ? 0 : rate)
      }
    case .port, .cycleFrames, .exclusive: return false
    }
  }

  private final class Observation {
    private let server: PipeWireServer
    private let number: Int

    init(_ server: PipeWireServer, _ number: Int) {
      self.server = server
      self.number = number
    }

    deinit { server.removeObserver(number) }
  }

  /// Default devices first, then sinks, sources, and monitors last.
  private static func devices(
    _ nodes: [PipeWireServer.Node], _ settings: PipeWireSettings, _ environment: DeviceEnvironment,
    _ known: PipeWireRates
  ) -> [Device] {
    let limits =
      Int(settings.minimum_quantum)...Int(max(settings.minimum_quantum, settings.maximum_quantum))
    let frames =
      settings.is_quantum_forced
      ? Int(settings.quantum)
      : min(max(environment.cycleFrames, limits.lowerBound), limits.upperBound)
    let rates = Self.rates(settings)
    let sorted = nodes.sorted {
      ($0.isDefault ? 1 : 0, $0.priority) > ($1.isDefault ? 1 : 0, $1.priority)
    }
    func device(_ node: PipeWireServer.Node, _ inputs: Int, _ outputs: Int, isMonitor: Bool)
      -> Device
    {
      let rate = rate(of: node, settings, known)
      var device = Device(
        backend: name, uid: "\(name):\(node.name)\(isMonitor ? monitorSuffix : "")",
        name: isMonitor ? "Monitor of \(node.description)" : node.description,
        inputChannelCount: inputs, outputChannelCount: outputs, sampleRate: rate,
        sampleRates: rate...rate, cycleFrames: frames,
        cycleFramesRange: limits, isDefaultInput: false, isDefaultOutput: false)
      device.details = node.details
      // A monitor has its sink's volume, which only the sink can change.
      if isMonitor { (device.details.volumes, device.details.isMuted) = (nil, nil) }
      device.details.isMonitor = isMonitor
      device.details.canBeDefault = !isMonitor && settings.has_session_manager
      device.details.switchableRates = rates
      (device.details.sampleBits, device.details.hasFloatSamples) = (32, true)
      return device
    }
    var sinks = sorted.filter { $0.playbackCount > 0 }
      .map { device($0, 0, $0.playbackCount, isMonitor: false) }
    var sources = sorted.filter { $0.captureCount > 0 }
      .map { device($0, $0.captureCount, 0, isMonitor: false) }
    // Without a session manager there is no default, so the device with the highest priority is
    // used.
    if !sinks.isEmpty { sinks[0].isDefaultOutput = true }
    if !sources.isEmpty { sources[0].isDefaultInput = true }
    let monitors = sorted.filter { $0.monitorCount > 0 }
      .map { device($0, $0.monitorCount, 0, isMonitor: true) }
    return sinks.prefix(1) + sources.prefix(1) + sinks.dropFirst() + sources.dropFirst() + monitors
  }

  /// The rate of a node's graph: the forced rate, otherwise the rate known from streams of this
  /// process or the server's profiles, otherwise the server's default rate.
  private static func rate(
    of node: PipeWireServer.Node, _ settings: PipeWireSettings, _ known: PipeWireRates
  ) -> Double {
    guard settings.rate == settings.default_rate, settings.rate_count > 1 else {
      return Double(settings.rate)
    }
    return known.rate(of: node.name) ?? node.graphRate ?? Double(settings.rate)
  }

  /// The rates that the server's configuration allows. Empty if there is only one.
  private static func rates(_ settings: PipeWireSettings) -> [Double] {
    var all = settings.rates
    let rates = withUnsafeBytes(of: &all) { bytes in
      (0..<min(Int(settings.rate_count), bytes.count / 4)).map {
        Double(bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self))
      }
    }
    return rates.count > 1 ? rates.sorted() : []
  }

  /// The suffix of a sink's name for its monitor.
  static let monitorSuffix = ".monitor"
}
