// SPDX-License-Identifier: Apache-2.0
@testable import AudioDevices
import AudioTestSupport
import CAudioBackends
import CServerEnvironment
import Foundation
import Synchronization

/// A JACK server without hardware.
final class JACKFixture {
  let folder: String
  private var server: ServerProcess?

  init(rate: Int = 48_000, period: Int = 256) throws {
    folder = String(cString: server_folder())
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try start(rate: rate, period: period)
  }

  // By its own means: a server that crashes stays in the list of servers, which has room for eight.
  deinit {
    stop(by: SIGTERM)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Starts it and waits until it takes clients.
  func start(rate: Int = 48_000, period: Int = 256) throws {
    let server = try ServerProcess(
      [
        "jackd", "-n", String(cString: jack_server_name()), "-R", "-d", "dummy", "-r",
        String(rate), "-p", String(period), "-C", "2", "-P", "2",
      ], folder: folder)
    self.server = server
    guard try wait(until: { try tool("jack_lsp").contains("system:playback_2") }) else {
      throw ServerFailure(
        "jackd: \(server.output) (too many servers: remove /dev/shm/jack-shm-registry)")
    }
  }

  /// Ends it, as if it had crashed.
  func stop(by signal: Int32 = SIGKILL) { server?.end(by: signal) }

  /// Stops the server in its tracks, or lets it go on.
  func hang(_ hangs: Bool) { server?.send(hangs ? SIGSTOP : SIGCONT) }

  /// Runs one of its tools to its end; what it printed.
  @discardableResult
  func tool(_ words: String...) throws -> String {
    try ServerProcess(words, folder: folder).result()
  }
}

/// A client that records, or plays, beside the one that is tested: libjack itself, without anything of
/// the back end.
final class JACKPeer: @unchecked Sendable {  // the server's thread writes what others read late
  private let jack: UnsafePointer<JACKFunctions>
  private let client: OpaquePointer
  private var port: OpaquePointer?
  private let isRecorder: Bool
  private let memory: UnsafeMutablePointer<Float>
  /// Frames so far.
  private(set) var count = 0
  private var nextFrame: UInt32?
  private let missed = Atomic(0)
  private static let capacity = 48_000 * 120

  /// A recorder with one input, or a source with one output that counts: n times 2 to the -20.
  init(_ name: String, records: Bool) throws {
    // The library takes no new client as long as one of a server that has ended is open.
    JACKServer.shared.closeIfEnded()
    var reason: UnsafePointer<CChar>?
    guard let jack = jack_functions(&reason) else { throw ServerFailure("no libjack") }
    var text = [CChar](repeating: 0, count: 128)
    guard let client = jack_open(name, &text, 128) else { throw ServerFailure("no JACK client") }
    self.jack = jack
    self.client = client
    isRecorder = records
    memory = .allocate(capacity: Self.capacity)
    let flag = records ? JACKPortIsInput : JACKPortIsOutput
    port = jack.pointee.jack_port_register(
      client, "port", "32 bit float mono audio", UInt(flag.rawValue), 0)
    _ = jack.pointee.jack_set_process_callback(
      client,
      { frames, context in
        guard let context else { return 0 }
        Unmanaged<JACKPeer>.fromOpaque(context).takeUnretainedValue().process(Int(frames))
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    _ = jack.pointee.jack_set_xrun_callback(
      client,
      { context in
        guard let context else { return 0 }
        Unmanaged<JACKPeer>.fromOpaque(context).takeUnretainedValue().missed
          .wrappingAdd(1, ordering: .relaxed)
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    guard jack.pointee.jack_activate(client) == 0 else { throw ServerFailure("not activated") }
  }

  deinit {
    _ = jack.pointee.jack_client_close(client)
    memory.deallocate()
  }

  /// Cycles that it was not called for, and those that the server says were too late, its own or
  /// another client's.
  var lostCycles: Int { missed.load(ordering: .relaxed) }

  private func process(_ frames: Int) {
    noteTime(frames)
    guard let port,
      let samples = jack.pointee.jack_port_get_buffer(port, UInt32(frames))?
        .assumingMemoryBound(to: Float.self)
    else { return }
    for index in 0..<frames {
      if !isRecorder {
        samples[index] = Float(count % 1_000_000 + 1) / 1_048_576
      } else if count < Self.capacity {
        memory[count] = samples[index]
      }
      count += 1
    }
  }

  private func noteTime(_ frames: Int) {
    var (frame, begin, end, period) = (UInt32(0), UInt64(0), UInt64(0), Float(0))
    guard jack.pointee.jack_get_cycle_times(client, &frame, &begin, &end, &period) == 0 else {
      return
    }
    if let nextFrame, frame != nextFrame { missed.wrappingAdd(1, ordering: .relaxed) }
    nextFrame = frame &+ UInt32(frames)
  }

  /// The name of its port.
  var portName: String {
    port.flatMap { jack.pointee.jack_port_name($0) }.map { String(cString: $0) } ?? ""
  }

  /// The ports whose names match a pattern.
  func ports(_ pattern: String) -> [String] {
    guard let list = jack.pointee.jack_get_ports(client, pattern, nil, 0) else { return [] }
    defer { jack.pointee.jack_free(UnsafeMutableRawPointer(list)) }
    var names: [String] = []
    while let name = list[names.count] { names.append(String(cString: name)) }
    return names
  }

  /// Joins two ports of any clients.
  func connect(_ from: String, _ to: String) -> Bool {
    let answer = jack.pointee.jack_connect(client, from, to)
    return answer == 0 || answer == EEXIST
  }

  /// What it has recorded.
  var signal: Signal {
    Signal((0..<min(count, Self.capacity)).map { memory[$0] })
  }
}
