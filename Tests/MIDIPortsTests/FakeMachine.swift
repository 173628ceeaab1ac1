// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import MIDIPorts

/// A server whose ports tests plug and unplug.
final class FakeMachine: Sendable {
  /// A connection of a setup to the server.
  final class Connection: MIDIBackend {
    let messageLimit = 16
    private let machine: FakeMachine
    private let opened = Guarded<[MachineLink]>([])

    init(_ machine: FakeMachine) { self.machine = machine }

    func ports() -> [MachinePort] { machine.state.withLock { $0.ports } }

    func open(_ link: MachineLink) throws(AudioError) {
      let refuses = machine.state.withLock { state in
        state.openings += 1
        defer { state.refusals = max(0, state.refusals - 1) }
        return state.refusals > 0
      }
      if refuses { throw .failedInitialization.because("it does not want to") }
      if let peer = link.peer, !ports().contains(peer) { throw .invalidArgument }
      opened.withLock { $0.append(link) }
    }

    func close(_ link: MachineLink) { opened.withLock { $0.removeAll { $0 === link } } }

    func write(_ message: [UInt8], at time: UInt64, to link: MachineLink) -> Bool {
      machine.state.withLock { state in
        guard !state.isFull else { return false }
        state.sent.append((link.peer?.address ?? link.name, message))
        return true
      }
    }

    func poll() -> UInt64? {
      let arrived = machine.state.withLock { state in
        defer { state.arrived = [] }
        return state.arrived
      }
      for (address, bytes) in arrived {
        for link in opened.withLock({ $0.copied() })
        where link.receives && (link.peer?.address ?? link.name) == address {
          bytes.withUnsafeBufferPointer { link.receive($0, at: 7) }
          link.passArrived()
        }
      }
      return 1_000_000
    }

    func close() { machine.state.withLock { $0.connection = nil } }

    var links: [String] {
      opened.withLock { links in
        links.map { "\($0.receives ? "from" : "to") \($0.peer?.address ?? "others: " + $0.name)" }
      }.sorted()
    }
  }

  struct State {
    var isRunning = true
    var isFull = false
    var ports: [MachinePort] = []
    var sent: [(address: String, bytes: [UInt8])] = []
    var arrived: [(address: String, bytes: [UInt8])] = []
    var connection: Connection?
    var events: MachineEvents?
    var attempts = 0
    var openings = 0
    /// How many links are refused from now on.
    var refusals = 0
  }

  let state = Guarded(State())

  /// The back ends of a setup that uses this server.
  var backends: MIDIBackends { MIDIBackends([kind(named: "fake")], usesAll: true) }

  func kind(named name: String) -> MIDIBackendKind {
    MIDIBackendKind(
      name: name, isInstalled: { true },
      connect: { [self] events throws(AudioError) in
        try state.withLock { state throws(AudioError) in
          state.attempts += 1
          guard state.isRunning else { throw .failedInitialization.because("it does not run") }
          let connection = Connection(self)
          (state.connection, state.events) = (connection, events)
          return connection
        }
      })
  }

  var links: [String] { state.withLock { $0.connection }?.links ?? [] }
  var sent: [[UInt8]] { state.withLock { $0.sent.map(\.bytes) } }
  var sentTo: [String] { state.withLock { $0.sent.map(\.address) } }

  /// Makes these its ports.
  func plug(_ ports: MachinePort...) {
    let events = state.withLock { state in
      state.ports = ports
      return state.events
    }
    events?.portsChanged()
  }

  /// Lets bytes arrive from a port.
  func arrive(_ bytes: [UInt8], from address: String) {
    state.withLock { $0.arrived.append((address, bytes)) }
  }

  /// Ends, as in a crash.
  func die() {
    let events = state.withLock { state in
      state.isRunning = false
      return state.events
    }
    events?.ended()
  }

  /// Runs again.
  func live() { state.withLock { $0.isRunning = true } }
}

extension MachinePort {
  /// A port "device:name".
  static func port(
    _ device: String, _ name: String, isSource: Bool, isHardware: Bool = true,
    address: String? = nil
  ) -> MachinePort {
    MachinePort(
      address: address ?? "\(device):\(name)", isSource: isSource, deviceID: device, portID: name,
      deviceName: device, name: name, isHardware: isHardware)
  }
}
