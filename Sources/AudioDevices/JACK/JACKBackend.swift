// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioBackends
import Glibc
import JACKClients

/// A JACK server, or PipeWire instead when a program runs under `pw-jack`.
///
/// A device is a client with physical ports: "jack:system".
public final class JACKBackend: DeviceBackend {
  public static let name = "jack"

  /// Only if the environment mentions it, because a desktop with a JACK library does not need a
  /// JACK server.
  public static var isChosenByDefault: Bool {
    let paths = getenv("LD_LIBRARY_PATH").map { String(cString: $0) } ?? ""
    return getenv("JACK_DEFAULT_SERVER") != nil
      || paths.split(separator: ":").contains { $0.hasSuffix("/jack") }
  }

  private let server = JACKServer.shared

  public init(in environment: DeviceEnvironment) throws(AudioError) {
    _ = try server.query { _ in }
  }

  public func devices(in environment: DeviceEnvironment) throws(AudioError) -> [Device] {
    try server.query { Self.devices($0).map(\.device) }
  }

  public func open(
    _ request: StreamRequest, _ handler: CycleHandler, in environment: DeviceEnvironment
  ) throws(AudioError) -> any DeviceStream {
    let all = try server.query { Self.devices($0) }
    let devices = try RequestedDevices(
      request.uid, among: all.map(\.device), preferring: environment.preferences)
    func ports(_ device: Device?, _ list: KeyPath<JACKDevice, [String]>) -> [String] {
      all.first { $0.device.uid == device?.uid }?[keyPath: list] ?? []
    }
    return try JACKStream(
      request, devices, playback: ports(devices.output, \.playbackPorts),
      capture: ports(devices.input, \.capturePorts), handler)
  }

  public func observeDevices(_ observer: @escaping @Sendable () -> Void) -> AnyObject? {
    server.observe(observer)
  }

  /// The cycle sizes that a server accepts, in frames. Powers of two only.
  private static let cycles = 16...8_192

  public func change(_ device: Device, _ change: DeviceChange) throws(AudioError) -> Bool {
    guard case .cycleFrames(let frames) = change, Self.cycles.contains(frames),
      frames & (frames - 1) == 0
    else { return false }
    try server.query { client in
      Result { () throws(AudioError) in try client.setCycle(UInt32(clamping: frames)) }
    }.get()
    return true
  }

  /// A client with physical ports.
  struct JACKDevice {
    var device: Device
    /// The ports to play to, and those to capture from.
    var playbackPorts: [String]
    var capturePorts: [String]
  }

  private static func devices(_ server: JACKClient) -> [JACKDevice] {
    let playback = server.physicalPorts(JACKPortIsInput)
    let capture = server.physicalPorts(JACKPortIsOutput)
    var names: [String] = []
    for port in playback + capture where !names.contains(JACKClient.client(port)) {
      names.append(JACKClient.client(port))
    }
    let (rate, frames) = (server.sampleRate, server.cycleFrames)
    return names.map { client in
      let outputs = playback.filter { JACKClient.client($0) == client }
      let inputs = capture.filter { JACKClient.client($0) == client }
      var device = Device(
        backend: name, uid: "\(name):\(client)", name: client, inputChannelCount: inputs.count,
        outputChannelCount: outputs.count, sampleRate: rate, sampleRates: rate...rate,
        cycleFrames: frames, cycleFramesRange: frames...frames,
        isDefaultInput: capture.first.map(JACKClient.client) == client,
        isDefaultOutput: playback.first.map(JACKClient.client) == client)
      device.details.switchableCycles = Self.cycles
      (device.details.sampleBits, device.details.hasFloatSamples) = (32, true)
      // A JACK server always runs.
      device.details.isRunning = true
      device.details.othersPlay = server.othersArePlaying(to: outputs)
      return JACKDevice(device: device, playbackPorts: outputs, capturePorts: inputs)
    }
  }
}

/// The client that lists the devices, reopened after the server has ended.
final class JACKServer: Sendable {
  static let shared = JACKServer()

  private struct Watch {
    var client: JACKClient
    var changes: JACKChanges
  }

  private let watch = Guarded<Watch?>(nil)
  private let observers = Guarded<[ObjectIdentifier: @Sendable () -> Void]>([:])

  private init() {
    JACKClient.beforeOthersOpen { [weak self] in self?.closeIfEnded() }
  }

  /// [control thread] Closes a client whose server has ended. Required before another server can be
  /// used.
  func closeIfEnded() { watch.withLock { Self.closeIfEnded(&$0) } }

  private static func closeIfEnded(_ watch: inout Watch?) {
    guard let it = watch, it.client.isShutDown else { return }
    it.client.close(keeping: it.changes)
    watch = nil
  }

  /// [control thread] Runs `body`, which queries the server.
  func query<Result>(_ body: (JACKClient) -> Result) throws(AudioError) -> Result {
    try watch.withLock { watch throws(AudioError) in
      Self.closeIfEnded(&watch)
      let it = if let it = watch { it } else { try open() }
      watch = it
      return body(it.client)
    }
  }

  /// [control thread] Reports changes until the token is released.
  func observe(_ observer: @escaping @Sendable () -> Void) -> AnyObject {
    let token = JACKObservation(self)
    observers.withLock { $0[ObjectIdentifier(token)] = observer }
    return token
  }

  fileprivate func remove(_ token: ObjectIdentifier) { observers.withLock { $0[token] = nil } }

  private func open() throws(AudioError) -> Watch {
    let client = try JACKClient.open("au-devices")
    let changes = JACKChanges(client) { [self] in
      for observer in observers.withLock({ Array($0.values) }) { observer() }
    }
    do throws(AudioError) {
      try client.call { () throws(AudioError) in
        let context = Unmanaged.passUnretained(changes).toOpaque()
        let jack = client.jack
        _ = jack.pointee.jack_set_port_registration_callback(
          client.pointer, { JACKChanges.from($2)?.notify() }, context)
        _ = jack.pointee.jack_set_port_connect_callback(
          client.pointer, { JACKChanges.from($3)?.notify() }, context)
        _ = jack.pointee.jack_set_buffer_size_callback(
          client.pointer,
          {
            JACKChanges.from($1)?.notify()
            return 0
          }, context)
        client.notifyEnd(
          context, { JACKChanges.from($2)?.shutDown($0) },
          withoutReason: { JACKChanges.from($0)?.shutDown() })
        try client.activate()
      }
    } catch {
      client.close(keeping: changes)
      throw error
    }
    return Watch(client: client, changes: changes)
  }
}

/// Receives the client's callbacks about changes of the server.
private final class JACKChanges: Sendable {
  private let client: JACKClient
  private let observer: @Sendable () -> Void

  init(_ client: JACKClient, _ observer: @escaping @Sendable () -> Void) {
    self.client = client
    self.observer = observer
  }

  func notify() { JACKClient.uncancelled(observer) }

  func shutDown(_ code: UInt32 = UInt32(JACKServerError.rawValue)) {
    JACKClient.uncancelled {
      client.shutDown(byServersEnd: code & UInt32(JACKServerError.rawValue) != 0)
      observer()
    }
  }

  static func from(_ context: UnsafeMutableRawPointer?) -> JACKChanges? {
    context.map { Unmanaged<JACKChanges>.fromOpaque($0).takeUnretainedValue() }
  }
}

private final class JACKObservation {
  private let server: JACKServer

  init(_ server: JACKServer) { self.server = server }

  deinit { server.remove(ObjectIdentifier(self)) }
}
