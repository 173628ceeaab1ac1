// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import CServerEnvironment
import Foundation

/// A PulseAudio server with two null sinks of 48,000 Hz and two channels, "one" and "two".
final class PulseFixture {
  let folder: String
  private let countsUnderruns: Bool
  private let hasListeners: Bool
  private var server: ServerProcess?
  /// Clients that keep the sinks awake, because an idle null sink renders two seconds at a time.
  private var listeners: [String: ServerProcess] = [:]

  /// `countsUnderruns`: the server logs enough for `underruns`. `hasListeners`: its sinks are awake
  /// from the beginning.
  init(countsUnderruns: Bool = false, hasListeners: Bool = true) throws {
    self.countsUnderruns = countsUnderruns
    self.hasListeners = hasListeners
    folder = String(cString: server_folder())
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try start()
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  private var environment: [String: String] {
    [
      "XDG_RUNTIME_DIR": folder, "HOME": folder, "XDG_CONFIG_HOME": folder,
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent", "DISPLAY": "",
    ]
  }

  /// Starts it and waits until it answers.
  func start() throws {
    let socket = String(cString: pulse_socket())
    unlink(socket)
    var own = environment
    own["PULSE_SERVER"] = ""  // otherwise it acts as a client
    let server = try ServerProcess(
      [
        "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
        "--log-target=stderr", "--log-level=\(countsUnderruns ? "debug" : "notice")",
        "-L", "module-native-protocol-unix socket=\(socket) auth-anonymous=1",
        "-L", Self.module("one"), "-L", Self.module("two"),
      ], environment: own, folder: folder)
    self.server = server
    guard try wait(until: { try run("pactl", "list", "short", "sinks").contains("two") }) else {
      throw ServerFailure("pulseaudio: \(server.output)")
    }
    if hasListeners { try listen(to: ["one", "two"]) }
  }

  /// Kills it, like a crash.
  func stop() {
    server?.end(by: SIGKILL)
    for listener in listeners.values { listener.end(by: SIGKILL) }
    listeners = [:]
  }

  /// The end of its log if it has ended by itself. Nil while it runs.
  var crashOutput: String? {
    guard let server, !server.isRunning else { return nil }
    return "PulseAudio has ended: \(server.output.suffix(600))"
  }

  /// The number of underruns that the server has logged.
  var underruns: Int {
    (server?.output ?? "").split(separator: "\n").count { $0.contains("underrun of ") }
  }

  /// Makes the server hang, or lets it continue.
  func hang(_ hangs: Bool) { server?.send(hangs ? SIGSTOP : SIGCONT) }

  /// Runs one of its tools to the end and returns its output.
  @discardableResult
  func run(_ words: String...) throws -> String { try run(words) }

  private func run(_ words: [String]) throws -> String {
    try ServerProcess(words, environment: environment, folder: folder).result()
  }

  /// Another program, which plays silence to a sink until it is ended.
  func program(playingTo sink: String) throws -> ServerProcess {
    try ServerProcess(
      ["pacat", "--playback", "-d", sink, "--raw", "--format=float32le", "/dev/zero"],
      environment: environment, folder: folder)
  }

  /// Adds a null sink.
  func addSink(_ name: String) throws {
    _ = try run(
      ["pactl", "load-module"] + Self.module(name).split(separator: " ").map(String.init))
    guard try wait(until: { try run("pactl", "list", "short", "sinks").contains(name) }) else {
      throw ServerFailure("no sink \(name)")
    }
    try listen(to: [name])
  }

  /// Removes a null sink.
  func remove(_ name: String) throws {
    listeners[name]?.end(by: SIGKILL)
    listeners[name] = nil
    for line in try run("pactl", "list", "short", "modules").split(separator: "\n")
    where line.contains("sink_name=\(name) ") {
      try run("pactl", "unload-module", String(line.prefix { $0 != "\t" }))
    }
  }

  /// Makes a sink the default one.
  func makeDefault(_ name: String) throws { try run("pactl", "set-default-sink", name) }

  /// Records the sound of a sink while `body` runs, channel by channel.
  func recording(_ sink: String, _ body: () throws -> Void) throws -> [Signal] {
    let file = "\(folder)/\(UUID().uuidString).raw"
    defer { unlink(file) }
    let recorder = try ServerProcess(
      Self.record(sink) + [file], environment: environment, folder: folder)
    func size() -> Int { (try? Data(contentsOf: URL(fileURLWithPath: file)).count) ?? 0 }
    guard wait(until: { size() > 0 }) else {
      throw ServerFailure("parec records nothing: \(recorder.output)")
    }
    try body()
    // Waits for the sound in transit: a tenth of a second.
    let end = size() + 4_800 * 8
    guard wait(until: { size() >= end }) else {
      throw ServerFailure("parec records no more: \(recorder.output)")
    }
    recorder.end(by: SIGKILL)  // it writes without a buffer, and takes seconds to end by itself
    let samples = try Data(contentsOf: URL(fileURLWithPath: file)).withUnsafeBytes { raw in
      (0..<raw.count / 8 * 2).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
    return (0..<2).map { channel in
      Signal(stride(from: channel, to: samples.count, by: 2).map { samples[$0] })
    }
  }

  private func listen(to sinks: [String]) throws {
    for sink in sinks {
      listeners[sink] = try ServerProcess(
        Self.record(sink) + ["--client-name=listens to \(sink)", "/dev/null"],
        environment: environment, folder: folder)
    }
    guard
      try wait(until: {
        let list = try run("pactl", "list", "source-outputs")
        return sinks.allSatisfy { list.contains("listens to \($0)") }
      })
    else { throw ServerFailure("nobody listens to \(sinks)") }
    // The first two seconds have been rendered already, so the sink has to restart its clock.
    for sink in sinks {
      try run("pactl", "suspend-sink", sink, "1")
      try run("pactl", "suspend-sink", sink, "0")
    }
  }

  private static func record(_ sink: String) -> [String] {
    [
      "parec", "-d", "\(sink).monitor", "--latency-msec=20", "--format=float32le",
      "--rate=48000", "--channels=2", "--raw",
    ]
  }

  private static func module(_ sink: String) -> String {
    "module-null-sink sink_name=\(sink) format=float32le rate=48000 channels=2"
  }
}
