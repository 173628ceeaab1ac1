// SPDX-License-Identifier: Apache-2.0
import CServerEnvironment
import Foundation

/// A PipeWire server with two sinks and no other devices, with or without a session manager.
final class PipeWireFixture {
  let folder: String
  private let hasManager: Bool
  private var server: ServerProcess?
  private var manager: ServerProcess?

  /// Starts the server. Cycles have `quantum` frames unless a client requests others, and it runs
  /// at one of `rates`.
  init(
    manager hasManager: Bool = true, quantum: Int = 512, rates: [Int] = [44_100, 48_000]
  ) throws {
    folder = String(cString: server_folder())
    self.hasManager = hasManager
    try write("config/pipewire/pipewire.conf.d/10-test.conf", Self.configuration(quantum, rates))
    try write("config/wireplumber/main.lua.d/51-test.lua", Self.managerScript)
    try write("config/wireplumber/bluetooth.lua.d/51-test.lua", Self.bluetoothScript)
    try write("config/wireplumber/wireplumber.conf.d/51-test.conf", Self.managerProfile)
    try start()
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  var environment: [String: String] {
    [
      "XDG_RUNTIME_DIR": folder, "HOME": folder, "XDG_CONFIG_HOME": folder + "/config",
      "XDG_STATE_HOME": folder + "/state", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
      "DISPLAY": "",
    ]
  }

  /// Starts the server and the session manager and waits for the sinks.
  func start() throws {
    let server = try ServerProcess(["pipewire"], environment: environment, folder: folder)
    self.server = server
    guard wait(until: { FileManager.default.fileExists(atPath: folder + "/pipewire-0") }) else {
      throw ServerFailure("pipewire: \(server.output)")
    }
    guard hasManager else { return }
    let manager = try ServerProcess(["wireplumber"], environment: environment, folder: folder)
    self.manager = manager
    guard try wait(until: { try run("pw-link", "-i").contains("null1:playback_FR") }) else {
      throw ServerFailure("wireplumber: \(manager.output)")
    }
  }

  /// Kills both, the server like a crash.
  func stop() {
    server?.end(by: SIGKILL)
    manager?.end(by: SIGKILL)
    try? FileManager.default.removeItem(atPath: folder + "/pipewire-0")
    try? FileManager.default.removeItem(atPath: folder + "/pipewire-0.lock")
  }

  /// Makes the server hang, or lets it continue.
  func hang(_ hangs: Bool) { server?.send(hangs ? SIGSTOP : SIGCONT) }

  /// Runs one of its tools to the end and returns its output.
  @discardableResult
  func run(_ words: String...) throws -> String {
    try ServerProcess(words, environment: environment, folder: folder).result()
  }

  /// Adds a permanent sink.
  func addSink(_ name: String) throws {
    try run(
      "pw-cli", "create-node", "adapter",
      "{ factory.name=support.null-audio-sink node.name=\(name) media.class=Audio/Sink "
        + "object.linger=true audio.position=[FL FR] priority.session=10 }")
    guard try wait(until: { try run("pw-link", "-i").contains("\(name):playback_FR") }) else {
      throw ServerFailure("no sink \(name)")
    }
  }

  /// Removes a node.
  func remove(_ name: String) throws { try run("pw-cli", "destroy", name) }

  /// Makes a sink the default one.
  func makeDefault(_ name: String) throws {
    try run(
      "pw-metadata", "0", "default.configured.audio.sink", "{ \"name\": \"\(name)\" }",
      "Spa:String:JSON")
  }

  /// Sets one of the server's clock settings. 0 returns the control to the clients.
  func set(_ key: String, _ value: Int) throws {
    try run("pw-metadata", "-n", "settings", "0", key, String(value))
  }

  /// The rate of the graph of an added sink, which has no rate of its own.
  func graphRate(_ sink: String) throws -> Int? {
    let dump = try JSONSerialization.jsonObject(with: Data(run("pw-dump").utf8))
    for object in dump as? [[String: Any]] ?? [] {
      guard let info = object["info"] as? [String: Any],
        let props = info["props"] as? [String: Any], props["node.name"] as? String == sink,
        let params = info["params"] as? [String: Any],
        let formats = params["Format"] as? [[String: Any]]
      else { continue }
      return formats.first?["rate"] as? Int
    }
    return nil
  }

  /// Another program, which plays silence to a sink at a rate, and requests that rate, until it is
  /// ended.
  func program(playingTo sink: String, rate: Int) throws -> ServerProcess {
    func little(_ value: Int, _ count: Int) -> Data {
      Data((0..<count).map { UInt8(value >> (8 * $0) & 255) })
    }
    let size = 4 * rate * 120
    var file = Data("RIFF".utf8) + little(36 + size, 4) + Data("WAVEfmt ".utf8) + little(16, 4)
    file += little(1, 2) + little(2, 2) + little(rate, 4) + little(4 * rate, 4)
    file += little(4, 2) + little(16, 2) + Data("data".utf8) + little(size, 4) + Data(count: size)
    let path = "\(folder)/silence-\(rate).wav"
    try file.write(to: URL(fileURLWithPath: path))
    return try ServerProcess(
      ["pw-cat", "--playback", "--target", sink, path], environment: environment, folder: folder)
  }

  private func write(_ path: String, _ text: String) throws {
    let file = URL(fileURLWithPath: "\(folder)/\(path)")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try Data(text.utf8).write(to: file)
  }

  private static func configuration(_ quantum: Int, _ rates: [Int]) -> String {
    func sink(_ name: String, _ priority: Int) -> String {
      """
       { factory = adapter args = { factory.name = support.null-audio-sink node.name = "\(name)"
         node.description = "Sink \(name)" media.class = "Audio/Sink" audio.rate = 48000
         audio.position = [ FL FR ] monitor.channel-volumes = true
         priority.session = \(priority) priority.driver = 20000 } }
      """
    }
    let list = rates.map(String.init).joined(separator: " ")
    return """
      context.properties = {
       default.clock.rate = 48000 default.clock.allowed-rates = [ \(list) ]
       default.clock.quantum = \(quantum) default.clock.min-quantum = 32
       default.clock.max-quantum = 8192 support.dbus = false
      }
      context.objects = [
      \(sink("null1", 1000))
      \(sink("null2", 500))
      ]
      """
  }

  // Only the sinks of the test: in Lua up to version 0.4, then as a profile.
  private static let managerScript = """
    alsa_monitor.properties["alsa.reserve"] = false
    alsa_monitor.enabled = false
    v4l2_monitor.enabled = false
    libcamera_monitor.enabled = false
    default_access.properties["enable-flatpak-portal"] = false
    """
  private static let bluetoothScript = """
    bluez_monitor.enabled = false
    bluez_midi_monitor = bluez_midi_monitor or {}
    bluez_midi_monitor.enabled = false
    bluez_monitor.properties["with-logind"] = false
    """
  private static let managerProfile = """
    wireplumber.profiles = {
      main = {
        hardware.audio = disabled
        hardware.bluetooth = disabled
        hardware.video-capture = disabled
        support.reserve-device = disabled
        support.portal-permissionstore = disabled
      }
    }
    """
}
