// SPDX-License-Identifier: Apache-2.0
import AudioDevices

/// The state that a session compares between two checks.
struct SessionSnapshot: Sendable {
  var setup: SessionSetup
  var input: SessionPort?
  var output: SessionPort?
  /// The UIDs of all devices.
  var inputs: Set<String> = []
  var outputs: Set<String> = []
  var sampleRate = 0.0
  var volume: Float = 1
  var othersPlay = false

  /// The route for the category of a setup.
  func route(for setup: SessionSetup) -> SessionRoute {
    SessionRoute(
      inputs: setup.category.usesInput ? input.map { [$0] } ?? [] : [],
      outputs: setup.category.usesOutput ? output.map { [$0] } ?? [] : [])
  }

  var route: SessionRoute { route(for: setup) }

  /// Whether both snapshots have the same devices.
  func hasSameDevices(as other: Self) -> Bool {
    input == other.input && output == other.output && inputs == other.inputs
      && outputs == other.outputs && sampleRate == other.sampleRate
  }

  /// The back end of the devices; nil without any.
  var backend: String? { (output ?? input).map { String($0.uid.prefix { $0 != ":" }) } }

  /// The server behind the devices; nil when there is none.
  var server: String? { backend.flatMap { Self.servers.contains($0) ? $0 : nil } }

  /// Whether the category needs a device that does not exist.
  var lacksDevice: Bool {
    setup.category.usesOutput ? output == nil : setup.category.usesInput && input == nil
  }

  private static let servers: Set<String> = [
    JACKBackend.name, PipeWireBackend.name, PulseBackend.name,
  ]

  /// Whether a port is present.
  func has(_ port: SessionPort) -> Bool { (port.isInput ? inputs : outputs).contains(port.uid) }
}
