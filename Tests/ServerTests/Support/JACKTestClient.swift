// SPDX-License-Identifier: Apache-2.0
import CAudioBackends
import Foundation
import JACKClients

/// A client for comparison with the tested one: libjack itself, without any code of the back end.
final class JACKTestClient: @unchecked Sendable {  // the library is safe to call from any thread
  let jack: UnsafePointer<JACKFunctions>
  let client: OpaquePointer
  private var isOpen = true

  init(_ name: String) throws {
    // The library accepts no new client while a client of an ended server is open.
    JACKClient.closeUnusedEnded()
    var reason: UnsafePointer<CChar>?
    guard let jack = jack_functions(&reason) else { throw ServerFailure("no libjack") }
    var (text, isGone) = ([CChar](repeating: 0, count: 128), false)
    guard let client = jack_open(name, &text, 128, &isGone) else {
      throw ServerFailure("no JACK client")
    }
    (self.jack, self.client) = (jack, client)
  }

  deinit { close() }

  /// Closes it. Called before the data of its callbacks is freed.
  func close() {
    if isOpen { _ = jack.pointee.jack_client_close(client) }
    isOpen = false
  }

  /// Registers a port for samples, or for MIDI.
  func port(_ name: String, isInput: Bool, isMIDI: Bool = false) -> OpaquePointer? {
    let flag = isInput ? JACKPortIsInput : JACKPortIsOutput
    return jack.pointee.jack_port_register(
      client, name, isMIDI ? "8 bit raw midi" : "32 bit float mono audio", UInt(flag.rawValue), 0)
  }

  /// [render thread] The samples of a port in a cycle.
  func samples(_ port: OpaquePointer, _ frames: Int) -> UnsafeMutablePointer<Float>? {
    jack.pointee.jack_port_get_buffer(port, UInt32(frames))?.assumingMemoryBound(to: Float.self)
  }

  /// Starts the cycles.
  func activate() throws {
    guard jack.pointee.jack_activate(client) == 0 else { throw ServerFailure("not activated") }
  }

  /// Connects two ports of any clients.
  func connect(_ from: String, _ to: String) -> Bool {
    let answer = jack.pointee.jack_connect(client, from, to)
    return answer == 0 || answer == EEXIST
  }

  /// The ports whose names match a pattern.
  func ports(_ pattern: String) -> [String] {
    guard let list = jack.pointee.jack_get_ports(client, pattern, nil, 0) else { return [] }
    defer { jack.pointee.jack_free(UnsafeMutableRawPointer(list)) }
    var names: [String] = []
    while let name = list[names.count] { names.append(String(cString: name)) }
    return names
  }
}
