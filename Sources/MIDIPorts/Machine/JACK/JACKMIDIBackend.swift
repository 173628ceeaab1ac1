// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import CRealTime
import JACKClients

/// A JACK server, or PipeWire instead when a program runs under `pw-jack`.
///
/// A device is a client; each of its ports is an entity with a source or a destination.
final class JACKMIDIBackend: MIDIBackend, @unchecked Sendable {  // used by the machine thread
  private static let type = "8 bit raw midi"
  /// Nanoseconds between looks at what arrived, at least and at most, and at whether the server lives.
  private static let pollTimes: (least: UInt64, most: UInt64, idle: UInt64) = (
    1_000_000, 5_000_000, 1_000_000_000
  )

  private let client: JACKClient
  private let cycle: JACKMIDICycle
  private let limits: JACKMIDILimits
  private let events: MachineEvents
  private var opened: [ObjectIdentifier: OpenPort] = [:]
  /// Ports that a cycle may still use.
  private var retired: [JACKMIDIPort] = []
  private var scratch = [UInt8](repeating: 0, count: 32_768)
  private var lastNumber = 0
  /// The number of cycles when something was last on its way to one.
  private var lastWrite: Int?

  /// [machine thread] Connects to the running server.
  init(_ events: MachineEvents) throws(AudioError) {
    JACKClient.closeUnusedEnded()
    let client = try JACKClient.open()
    let version = client.jack.pointee.jack_get_version_string().map { String(cString: $0) } ?? ""
    let limits = JACKMIDILimits(isPipeWire: version.contains("PipeWire"))
    let cycle = JACKMIDICycle(client, limits, events)
    (self.client, self.cycle, self.limits, self.events) = (client, cycle, limits, events)
    do throws(AudioError) {
      try client.call { () throws(AudioError) in
        cycle.register()
        try client.activate()
      }
    } catch {
      client.close(keeping: cycle)
      throw error
    }
  }

  var messageLimit: Int { limits.messageBytes }

  func ports() -> [MachinePort] {
    let jack = client.jack.pointee
    guard let list = jack.jack_get_ports(client.pointer, nil, Self.type, 0) else { return [] }
    defer { jack.jack_free(UnsafeMutableRawPointer(list)) }
    return JACKClient.names(list).compactMap { name in
      // The names of ports may have colons, those of clients have none.
      guard let colon = name.firstIndex(of: ":"),
        let port = jack.jack_port_by_name(client.pointer, name),
        jack.jack_port_is_mine(client.pointer, port) == 0
      else { return nil }
      let flags = UInt32(bitPattern: jack.jack_port_flags(port))
      let (device, short) = (String(name[..<colon]), String(name[colon...].dropFirst()))
      return MachinePort(
        address: name, isSource: flags & JACKPortIsOutput.rawValue != 0, deviceID: device,
        portID: short, deviceName: device, name: short,
        isHardware: flags & JACKPortIsPhysical.rawValue != 0)
    }
  }

  func open(_ link: MachineLink) throws(AudioError) {
    let flag = link.receives ? JACKPortIsInput : JACKPortIsOutput
    nonisolated(unsafe) var registered: OpaquePointer?
    let names = names(for: link)
    try client.call { [client] () throws(AudioError) in
      for name in names where registered == nil {
        registered = client.jack.pointee.jack_port_register(
          client.pointer, name, Self.type, UInt(flag.rawValue), 0)
      }
    }
    guard let registered else {
      throw .failedInitialization.because("the JACK server registers no port \"\(names[0])\"")
    }
    let port = JACKMIDIPort(registered, for: link)
    guard let place = cycle.add(port) else {
      unregister(port)
      throw .failedInitialization.because("more than \(JACKMIDICycle.portLimit) ports")
    }
    opened[ObjectIdentifier(link)] = OpenPort(port: port, place: place)
    guard let peer = link.peer?.address else { return }
    cycle.connections.forget(registered, of: client)
    if !link.receives { opened[ObjectIdentifier(link)]?.readiness = .requested }
    do throws(AudioError) {
      try client.call { [client] () throws(AudioError) in
        guard let name = client.jack.pointee.jack_port_name(port.port) else { return }
        let own = String(cString: name)
        try client.connect(link.receives ? peer : own, link.receives ? own : peer)
      }
    } catch {
      close(link)
      throw error
    }
  }

  /// The names to try for a port: that of a virtual endpoint, with a number if others have it.
  private func names(for link: MachineLink) -> [String] {
    if link.peer == nil {
      let name = String((link.name.isEmpty ? "port" : link.name).prefix(60))
      return [name] + (2...16).map { "\(name) \($0)" }
    }
    lastNumber += 1
    return ["\(link.receives ? "in" : "out") \(lastNumber)"]
  }

  func close(_ link: MachineLink) {
    guard let open = opened.removeValue(forKey: ObjectIdentifier(link)) else { return }
    let port = open.port
    // What is on its way still leaves.
    if !link.receives, !client.isShutDown {
      waitPolling(every: 500, until: rt_host_time() + 200_000_000) { !port.ring.isEmpty }
    }
    let isUnused = cycle.remove(port, at: open.place, waits: !client.isShutDown)
    if !isUnused { retired.append(port) }
    unregister(port)
  }

  private func unregister(_ port: JACKMIDIPort) {
    guard !client.isShutDown else { return }
    try? client.call { [client] () throws(AudioError) in
      _ = client.jack.pointee.jack_port_unregister(client.pointer, port.port)
    }
  }

  func write(_ message: [UInt8], at time: UInt64, to link: MachineLink) -> Bool {
    guard let open = opened[ObjectIdentifier(link)] else { return true }
    // It waits where it is.
    guard open.readiness.isReady else { return false }
    return message.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return true }
      lastWrite = cycle.endedCount
      return open.port.ring.write(start, count: bytes.count, at: time)
    }
  }

  var isIdle: Bool {
    guard let last = lastWrite, !client.isShutDown else { return true }
    guard opened.values.allSatisfy({ $0.port.link.receives || $0.port.ring.isEmpty }) else {
      lastWrite = cycle.endedCount
      return false
    }
    // Others read in the cycle in which the port sends, which may have begun before the last one ended.
    return cycle.endedCount &- last >= 2
  }

  func poll() -> UInt64? {
    if client.isShutDown {
      events.ended()
      return nil
    }
    var receives = false
    var areReady = true
    for (key, open) in opened {
      let port = open.port
      areReady = update(&opened[key, default: open]) && areReady
      let lost = port.lostCount.exchange(0, ordering: .relaxed)
      if lost > 0 { Explanations.log("JACK: \(lost) messages of \"\(port.link.name)\" are lost") }
      guard port.link.receives else { continue }
      receives = true
      receive(from: port)
    }
    guard areReady else { return Self.pollTimes.least }
    guard receives else { return Self.pollTimes.idle }
    let period = Double(client.cycleFrames) / max(client.sampleRate, 1) * 1_000_000_000
    return min(max(UInt64(period / 4), Self.pollTimes.least), Self.pollTimes.most)
  }

  /// Whether a port is ready.
  private func update(_ open: inout OpenPort) -> Bool {
    open.readiness.update(
      isConnected: { cycle.connections.lead(from: open.port.port, of: client) },
      endedCycles: cycle.endedCount)
    return open.readiness.isReady
  }

  private func receive(from port: JACKMIDIPort) {
    while true {
      let (time, count) = port.ring.next()
      guard count >= 0 else { break }
      if count > scratch.count { scratch = [UInt8](repeating: 0, count: count) }
      scratch.withUnsafeMutableBufferPointer { bytes in
        port.ring.take(count, into: bytes.baseAddress)
        port.link.receive(UnsafeBufferPointer(rebasing: bytes.prefix(count)), at: time)
      }
      rt_rest_if_due()
    }
    port.link.passArrived()
  }

  func close() {
    client.close(keeping: Kept(cycle: cycle, ports: retired))
    (opened, retired) = ([:], [])
  }

  /// A port of an open link.
  private struct OpenPort {
    let port: JACKMIDIPort
    /// Among the cycle's.
    let place: Int
    var readiness = JACKMIDIReadiness.ready
  }

  /// What the library may use until the client is closed.
  private final class Kept: Sendable {
    let cycle: JACKMIDICycle
    let ports: [JACKMIDIPort]

    init(cycle: JACKMIDICycle, ports: [JACKMIDIPort]) { (self.cycle, self.ports) = (cycle, ports) }
  }
}

extension MIDIBackendKind {
  /// JACK.
  static let jack = MIDIBackendKind(
    name: "jack", isInstalled: { (try? JACKClient.library()) != nil },
    connect: { events throws(AudioError) in try JACKMIDIBackend(events) })
}
