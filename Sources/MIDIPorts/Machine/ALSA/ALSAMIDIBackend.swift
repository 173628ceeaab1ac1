// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import CRealTime
import Glibc

/// The kernel's sequencer, through libasound.
///
/// A device is a client of the sequencer, such as a card or a program. Its ports are entities, with a
/// source, a destination or both. Each link is a port of this program's client.
final class ALSAMIDIBackend: MIDIBackend, @unchecked Sendable {  // used by the machine thread
  /// The events of the sequencer's memory for a client: the most that the kernel allows.
  private static let poolSize = 2_000
  /// What receivers get in a millisecond. Many have room for 200 events, and lose the others.
  private static let paceCells = 64
  private static let cellSize = 28

  private let alsa: UnsafePointer<ALSASequencerFunctions>
  private let sequencer: OpaquePointer
  private let encoder: OpaquePointer
  private let reader: ALSAMIDIReader
  private var numbers: [ObjectIdentifier: Int32] = [:]
  /// The addresses of ports of hardware, and the paces of the links to them.
  private var wires: Set<String> = []
  private var paces: [ObjectIdentifier: WirePace] = [:]
  private var clients: [Int32: ALSAClientName] = [:]
  private var paceBegin: UInt64 = 0
  private var paceUsed = 0
  private var lastNumber = 0

  /// [machine thread] Opens a client. Throws if the kernel has no sequencer, which is common in
  /// containers.
  init(_ events: MachineEvents) throws(AudioError) {
    let alsa = try Self.library()
    var error: Int32 = 0
    guard let sequencer = alsa_sequencer_open(&error) else {
      throw .failedInitialization.because("the ALSA sequencer is not there (error \(-error))")
    }
    var encoder: OpaquePointer?
    _ = alsa.pointee.snd_seq_set_client_pool_output(sequencer, Self.poolSize)
    _ = alsa.pointee.snd_seq_set_client_pool_input(sequencer, Self.poolSize)
    // The library reads nothing more if an event is longer than its buffer, which is for 500 events.
    _ = alsa.pointee.snd_seq_set_input_buffer_size(sequencer, (Self.poolSize + 48) * 32)
    guard alsa.pointee.snd_midi_event_new(16, &encoder) >= 0, let encoder else {
      _ = alsa.pointee.snd_seq_close(sequencer)
      throw .outOfMemory
    }
    (self.alsa, self.sequencer, self.encoder) = (alsa, sequencer, encoder)
    do throws(AudioError) {
      reader = try ALSAMIDIReader(alsa, sequencer, events)
    } catch {
      alsa.pointee.snd_midi_event_free(encoder)
      _ = alsa.pointee.snd_seq_close(sequencer)
      throw error
    }
  }

  /// [control thread] The library. Throws the reason if it cannot be used.
  static func library() throws(AudioError) -> UnsafePointer<ALSASequencerFunctions> {
    var reason: UnsafePointer<CChar>?
    guard let library = alsa_sequencer_functions(&reason) else {
      throw .failedInitialization.because(
        reason.map { String(cString: $0) } ?? "libasound cannot be opened")
    }
    return library
  }

  // MARK: Ports

  func ports() -> [MachinePort] {
    var client: OpaquePointer?
    var port: OpaquePointer?
    let alsa = alsa.pointee
    guard alsa.snd_seq_client_info_malloc(&client) >= 0, let client else { return [] }
    defer { alsa.snd_seq_client_info_free(client) }
    guard alsa.snd_seq_port_info_malloc(&port) >= 0, let port else { return [] }
    defer { alsa.snd_seq_port_info_free(port) }

    let own = alsa.snd_seq_client_id(sequencer)
    var found: [(number: Int32, name: String, isKernel: Bool)] = []
    alsa.snd_seq_client_info_set_client(client, -1)
    while alsa.snd_seq_query_next_client(sequencer, client) >= 0 {
      let number = alsa.snd_seq_client_info_get_client(client)
      // 0 is the sequencer itself.
      guard number != own, number != 0 else { continue }
      let name = alsa.snd_seq_client_info_get_name(client).map { String(cString: $0) } ?? ""
      let type = alsa.snd_seq_client_info_get_type(client)
      found.append((number, name, type == Int32(clamping: ALSAKernelClient)))
    }
    nameClients(found.map { ($0.number, $0.name) })

    wires = []
    var ports: [MachinePort] = []
    for (number, name, isKernel) in found {
      alsa.snd_seq_port_info_set_client(port, number)
      alsa.snd_seq_port_info_set_port(port, -1)
      while alsa.snd_seq_query_next_port(sequencer, port) >= 0 {
        add(port, of: number, name, isKernel, to: &ports)
      }
    }
    return ports
  }

  /// Adds the directions of a port to which others may connect.
  private func add(
    _ info: OpaquePointer, of client: Int32, _ name: String, _ isKernel: Bool,
    to ports: inout [MachinePort]
  ) {
    let capability = alsa.pointee.snd_seq_port_info_get_capability(info)
    guard capability & ALSAHidden.rawValue == 0 else { return }
    let number = alsa.pointee.snd_seq_port_info_get_port(info)
    let portName = alsa.pointee.snd_seq_port_info_get_name(info).map { String(cString: $0) } ?? ""
    let isWire = alsa.pointee.snd_seq_port_info_get_type(info) & UInt32(clamping: ALSAHardware) != 0
    if isWire { wires.insert("\(client):\(number)") }
    for (isSource, needed) in [
      (true, ALSACanRead.rawValue | ALSACanSubscribeRead.rawValue),
      (false, ALSACanWrite.rawValue | ALSACanSubscribeWrite.rawValue),
    ] where capability & needed == needed {
      ports.append(
        MachinePort(
          address: "\(client):\(number)", isSource: isSource,
          deviceID: clients[client]?.id ?? name, portID: String(number), deviceName: name,
          name: portName, isHardware: isKernel))
    }
  }

  /// Distinguishes clients of the same name by numbers, which they keep while they exist.
  private func nameClients(_ found: [(number: Int32, name: String)]) {
    clients = clients.filter { number, known in
      found.contains { $0.number == number && $0.name == known.name }
    }
    for (number, name) in found where clients[number] == nil {
      let taken = clients.values.filter { $0.name == name }.map(\.instance)
      let instance = (1...).first { !taken.contains($0) } ?? 1
      clients[number] = ALSAClientName(name: name, instance: instance)
    }
  }

  // MARK: Links

  func open(_ link: MachineLink) throws(AudioError) {
    let alsa = alsa.pointee
    var capability =
      link.receives
      ? ALSACanWrite.rawValue | ALSACanSubscribeWrite.rawValue
      : ALSACanRead.rawValue | ALSACanSubscribeRead.rawValue
    var name = link.name
    if link.peer != nil {
      capability |= ALSAHidden.rawValue
      lastNumber += 1
      name = "\(link.receives ? "in" : "out") \(lastNumber)"
    }
    let type = ALSAGenericMIDI | ALSASoftware | ALSAApplication
    let number = alsa.snd_seq_create_simple_port(
      sequencer, name.isEmpty ? "port" : name, capability, UInt32(clamping: type))
    guard number >= 0 else {
      throw .failedInitialization.because("the ALSA sequencer makes no port (error \(-number))")
    }
    if let peer = link.peer?.address.split(separator: ":").compactMap({ Int32($0) }),
      peer.count == 2
    {
      let error =
        link.receives
        ? alsa.snd_seq_connect_from(sequencer, number, peer[0], peer[1])
        : alsa.snd_seq_connect_to(sequencer, number, peer[0], peer[1])
      guard error >= 0 else {
        _ = alsa.snd_seq_delete_simple_port(sequencer, number)
        throw .failedInitialization.because(
          "the ALSA sequencer does not connect to \(peer[0]):\(peer[1]) (error \(-error))")
      }
    }
    numbers[ObjectIdentifier(link)] = number
    if !link.receives, let address = link.peer?.address, wires.contains(address) {
      paces[ObjectIdentifier(link)] = WirePace()
    }
    if link.receives { reader.add(link, at: number) }
  }

  func close(_ link: MachineLink) {
    guard let number = numbers.removeValue(forKey: ObjectIdentifier(link)) else { return }
    paces[ObjectIdentifier(link)] = nil
    if link.receives { reader.remove(at: number) }
    // The connections of a port end with it.
    _ = alsa.pointee.snd_seq_delete_simple_port(sequencer, number)
  }

  var messageLimit: Int { 1_024 }

  func write(_ message: [UInt8], at time: UInt64, to link: MachineLink) -> Bool {
    guard let number = numbers[ObjectIdentifier(link)] else { return true }
    let cells = 1 + message.count / Self.cellSize
    let now = rt_host_time()
    if now - paceBegin >= 1_000_000 { (paceBegin, paceUsed) = (now, 0) }
    guard paceUsed == 0 || paceUsed + cells <= Self.paceCells,
      paces[ObjectIdentifier(link)]?.hasRoom(for: message.count, at: now) ?? true
    else { return false }
    let error = message.withUnsafeBufferPointer { bytes -> Int32 in
      var event = ALSAEvent()
      guard let start = bytes.baseAddress,
        alsa_sequencer_encode(encoder, start, bytes.count, &event) != 0
      else { return 0 }
      event.source.port = UInt8(truncatingIfNeeded: number)
      // All that are connected to the port.
      event.dest = ALSAAddress(client: 254, port: 253)
      event.queue = UInt8(clamping: ALSADirectQueue)
      return alsa.pointee.snd_seq_event_output_direct(sequencer, &event)
    }
    if [-EAGAIN, -ENOMEM, -ENOSPC].contains(error) { return false }
    if error < 0 { Explanations.log("ALSA: MIDI for \"\(link.name)\" is lost (error \(-error))") }
    paceUsed += cells
    paces[ObjectIdentifier(link)]?.add(message.count, at: now)
    return true
  }

  /// A thread of its own passes what arrives.
  func poll() -> UInt64? { nil }

  func close() {
    reader.stop()
    alsa.pointee.snd_midi_event_free(encoder)
    _ = alsa.pointee.snd_seq_close(sequencer)
  }
}

/// The name of a client, and its number among those of the same name.
private struct ALSAClientName {
  let name: String
  let instance: Int

  var id: String { instance == 1 ? name : "\(name) #\(instance)" }
}

extension MIDIBackendKind {
  /// The kernel's sequencer.
  static let alsa = MIDIBackendKind(
    name: "alsa", isInstalled: { (try? ALSAMIDIBackend.library()) != nil },
    connect: { events throws(AudioError) in try ALSAMIDIBackend(events) })
}
