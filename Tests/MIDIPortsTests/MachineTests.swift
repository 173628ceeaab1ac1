// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioTestSupport
import CCoreMIDI
import MIDIMessages
import MIDIPorts
import Testing

@Suite("The MIDI ports of the machine")
struct MachineTests {
  private let machine = FakeMachine()
  private let keys = MachinePort.port("Piano", "keys", isSource: true)
  private let synth = MachinePort.port("Piano", "synth", isSource: false)

  private func name(_ ref: MIDIObjectRef, in setup: Setup, _ key: String = "name") -> String? {
    (try? setup.property(key, of: ref, .string))?.string
  }

  private func id(_ ref: MIDIObjectRef, in setup: Setup) throws -> Int? {
    try setup.property("uniqueID", of: ref, .integer).integer
  }

  @Test("are not looked for before the first client")
  func unused() throws {
    machine.plug(keys)
    let setup = Setup.make(machine.backends)
    #expect(setup.refs(in: .sources).count == 1)
    setup.restart()
    #expect(machine.state.withLock { $0.attempts } == 0)
    setup.close()
  }

  @Test("are devices with entities and endpoints as soon as there is a client")
  func devices() throws {
    machine.plug(keys, synth)
    let rig = try Rig(machine)
    let setup = rig.setup
    let device = try #require(setup.refs(in: .devices).last)
    #expect(name(device, in: setup) == "Piano")
    #expect(setup.refs(in: .entities(of: device)).map { name($0, in: setup) } == ["keys", "synth"])
    let source = try #require(setup.refs(in: .sources).last)
    let destination = try #require(setup.refs(in: .destinations).last)
    #expect(name(source, in: setup, "displayName") == "Piano keys")
    #expect(name(destination, in: setup, "displayName") == "Piano synth")
    #expect(name(destination, in: setup, "driver") == "swift-audiotoolbox.fake")
    #expect(try setup.device(of: setup.entity(of: source)) == device)
    #expect(machine.links.isEmpty, "nothing is connected yet")
    setup.close()
  }

  @Test("have one entity for both directions of a port")
  func duplex() throws {
    machine.plug(
      .port("Box", "0", isSource: true, address: "20:0"),
      .port("Box", "0", isSource: false, address: "20:0"))
    let rig = try Rig(machine)
    let device = try #require(rig.setup.refs(in: .devices).last)
    let entities = rig.setup.refs(in: .entities(of: device))
    #expect(entities.count == 1)
    #expect(rig.setup.refs(in: .entitySources(of: entities[0])).count == 1)
    #expect(rig.setup.refs(in: .entityDestinations(of: entities[0])).count == 1)
    rig.setup.close()
  }

  @Test("have the same identifiers in every run")
  func identifiers() throws {
    machine.plug(keys, synth)
    let rig = try Rig(machine)
    let other = FakeMachine()
    other.plug(.port("Drums", "pads", isSource: true), synth, keys)
    let second = try Rig(other)
    let ids = try [rig, second].map { rig in
      let sources = rig.setup.refs(in: .sources)
      let source = try #require(sources.last { name($0, in: rig.setup) == "keys" })
      return try id(source, in: rig.setup)
    }
    #expect(ids[0] != nil && ids[0] == ids[1])
    rig.setup.close()
    second.setup.close()
  }

  @Test("bring messages to the input ports that are connected to them, and only then")
  func receiving() throws {
    machine.plug(keys)
    let rig = try Rig(machine)
    let source = try #require(rig.setup.refs(in: .sources).last)
    let inbox = Inbox()
    let port = try rig.input(inbox, from: source, context: 5)
    #expect(machine.links == ["from Piano:keys"])
    machine.arrive([0x90, 60, 100], from: "Piano:keys")
    #expect(inbox.wait(for: 1))
    #expect(inbox.packets.map(\.time) == [7] && inbox.packets.map(\.context) == [5])
    try rig.setup.disconnect(source, from: port)
    #expect(wait { machine.links.isEmpty })
    rig.setup.close()
  }

  @Test("get what is sent to them, as whole messages, at its time")
  func sending() throws {
    machine.plug(synth)
    let rig = try Rig(machine)
    let destination = try #require(rig.setup.refs(in: .destinations).last)
    let start = hostTime() + 30_000_000
    try rig.send([(start, [0x80, 60, 0])], to: destination)
    try rig.send([(0, [0x90, 60, 100, 0xb0, 7, 1]), (0, [0xc0, 5])], to: destination)
    #expect(wait { machine.sent.count == 4 })
    #expect(machine.sent == [[0x90, 60, 100], [0xb0, 7, 1], [0xc0, 5], [0x80, 60, 0]])
    #expect(Set(machine.sentTo) == ["Piano:synth"] && hostTime() >= start)
    rig.setup.close()
  }

  @Test("get a long system exclusive message in parts, with real-time bytes between them")
  func systemExclusive() throws {
    machine.plug(synth)
    let rig = try Rig(machine)
    let destination = try #require(rig.setup.refs(in: .destinations).last)
    let data = (0..<50_000).map { UInt8($0 & 0x7f) }
    try rig.send([(0, [0xf0] + data[..<20_000])], to: destination)
    try rig.send([(0, [0xf8]), (0, Array(data[20_000...]) + [0xf7])], to: destination)
    #expect(wait { machine.sent.last?.last == 0xf7 })
    #expect(machine.sent.allSatisfy { $0.count <= 16 })
    #expect(machine.sent.filter { $0 != [0xf8] }.flatMap(\.self) == [0xf0] + data + [0xf7])
    #expect(machine.sent.contains([0xf8]))
    rig.setup.close()
  }

  @Test("lose no message of a burst while there is no room, and tell the sender before")
  func burst() throws {
    machine.plug(synth)
    let rig = try Rig(machine)
    let destination = try #require(rig.setup.refs(in: .destinations).last)
    machine.state.withLock { $0.isFull = true }
    for index in 0..<5_000 {
      try rig.send([(0, [0x90, UInt8(index & 127), UInt8(index >> 7)])], to: destination)
    }
    let large = [UInt8](repeating: 1, count: 60_000)
    var accepted = 0
    #expect(
      wait {
        guard (try? rig.send([(0, [0xf0] + large + [0xf7])], to: destination)) == nil else {
          accepted += 1
          return false
        }
        return true
      })
    #expect(
      refusal { try rig.send([(0, [0xf8])], to: destination) } == kMIDIMessageSendErr)
    machine.state.withLock { $0.isFull = false }
    #expect(wait { machine.sent.count { $0.last == 0xf7 } == accepted })
    let notes = machine.sent.prefix(5_000)
    #expect(notes.map { Int($0[1]) + Int($0[2]) << 7 } == Array(0..<5_000))
    rig.setup.close()
  }

  @Test("see the virtual endpoints that are not private, and exchange messages with them")
  func published() throws {
    let rig = try Rig(machine)
    let inbox = Inbox()
    let destination = try rig.destination(inbox, name: "drain")
    let source = try rig.setup.createSource(name: "spring", of: rig.client, format: .events2)
    #expect(machine.links == ["from others: drain", "to others: spring"])
    machine.arrive([0xfa], from: "drain")
    #expect(inbox.wait(for: 1))
    try rig.received([(0, [0x90, 1, 2])], from: source)
    #expect(wait { machine.sent == [[0x90, 1, 2]] })
    try rig.setup.setProperty("name", of: source, to: .string("well"))
    #expect(machine.links == ["from others: drain", "to others: well"])
    try rig.setup.setProperty("private", of: destination, to: .integer(1))
    #expect(machine.links == ["to others: well"])
    try rig.setup.disposeClient(rig.client)
    #expect(machine.links.isEmpty)
    rig.setup.close()
  }

  @Test("come and go with notifications, and keep their objects and connections")
  func hotPlug() throws {
    let rig = try Rig(machine)
    let changes = Guarded<[SetupChange]>([])
    _ = try rig.setup.createClient(
      name: "listener",
      listener: ChangeListener(calls: .init()) { change in changes.withLock { $0.append(change) } })
    machine.plug(keys)
    #expect(wait { changes.withLock { $0.last } == .setup })
    #expect(changes.withLock { $0.count { if case .added = $0 { true } else { false } } } == 2)
    let source = try #require(rig.setup.refs(in: .sources).last)
    let device = try #require(rig.setup.refs(in: .devices).last)
    let inbox = Inbox()
    try rig.input(inbox, from: source)

    changes.withLock { $0 = [] }
    machine.plug()
    #expect(wait { changes.withLock { $0.last } == .setup })
    #expect(changes.withLock { $0.count { if case .removed = $0 { true } else { false } } } == 1)
    #expect(rig.setup.refs(in: .sources).count == 1)
    #expect(rig.setup.refs(in: .devices).last == device, "hardware stays, offline")
    #expect(try rig.setup.property("offline", of: device, .integer) == .integer(1))
    #expect(machine.links.isEmpty)

    changes.withLock { $0 = [] }
    machine.plug(.port("Piano", "keys", isSource: true, address: "elsewhere"))
    #expect(wait { machine.links == ["from elsewhere"] }, "the connection continues")
    #expect(rig.setup.refs(in: .sources).last == source)
    #expect(try rig.setup.property("offline", of: source, .integer) == .integer(0))
    machine.arrive([0xf8], from: "elsewhere")
    #expect(inbox.wait(for: 1))
    rig.setup.close()
  }

  @Test("of a program are forgotten with it, unless something is connected to them")
  func programs() throws {
    let (first, second) = (
      MachinePort.port("Seq", "out", isSource: true, isHardware: false),
      MachinePort.port("Synth", "in", isSource: false, isHardware: false)
    )
    machine.plug(first, second)
    let rig = try Rig(machine)
    let source = try #require(rig.setup.refs(in: .sources).last)
    let destination = try #require(rig.setup.refs(in: .destinations).last)
    let port = try rig.input(Inbox(), from: source)
    machine.plug()
    #expect(wait { rig.setup.refs(in: .devices).count == 2 })
    #expect(refusal { try rig.send([(0, [0xf8])], to: destination) } == kMIDIUnknownEndpoint)
    #expect(name(source, in: rig.setup) == "out")
    try rig.setup.disconnect(source, from: port)
    machine.plug(second)
    #expect(wait { rig.setup.refs(in: .destinations).count == 2 })
    #expect(rig.setup.refs(in: .devices).count == 2)
    #expect(
      refusal { try rig.setup.disconnect(source, from: port) } == AudioError.invalidArgument.status)
    rig.setup.close()
  }

  @Test("are offline after the server has died, and return with it")
  func death() throws {
    machine.plug(keys, synth)
    let rig = try Rig(machine)
    let source = try #require(rig.setup.refs(in: .sources).last)
    let destination = try #require(rig.setup.refs(in: .destinations).last)
    let inbox = Inbox()
    try rig.input(inbox, from: source)
    let own = try rig.setup.createSource(name: "own", of: rig.client, format: .bytes)
    machine.die()
    #expect(wait { rig.setup.refs(in: .destinations).count == 1 })
    #expect(refusal { try rig.send([(0, [0xf8])], to: destination) } == kMIDIMessageSendErr)
    try rig.received([(0, [0xf8])], from: own)
    machine.live()
    #expect(wait { machine.links == ["from Piano:keys", "to others: own"] })
    machine.arrive([0xfe], from: "Piano:keys")
    #expect(inbox.wait(for: 1))
    try rig.send([(0, [0xfb])], to: destination)
    try rig.received([(0, [0xfc])], from: own)
    #expect(wait { machine.sent.count == 2 })
    rig.setup.close()
  }

  @Test("take part in thru connections")
  func thru() throws {
    machine.plug(keys, synth)
    let rig = try Rig(machine)
    var parameters = MIDIThruConnectionParams()
    withUnsafeMutableBytes(of: &parameters.channelMap) { map in
      for channel in map.indices { map[channel] = UInt8(channel) }
    }
    parameters.highNote = 127
    parameters.numSources = 1
    parameters.numDestinations = 1
    parameters.sources.0.endpointRef = try #require(rig.setup.refs(in: .sources).last)
    parameters.destinations.0.endpointRef = try #require(rig.setup.refs(in: .destinations).last)
    let bytes = withUnsafeBytes(of: parameters) { Array($0) }
    _ = try rig.setup.createThruConnection(owner: nil, parameters: bytes)
    machine.arrive([0x90, 1, 2], from: "Piano:keys")
    #expect(wait { machine.sent == [[0x90, 1, 2]] })
    rig.setup.close()
  }

  @Test("are those of the first back end that is there, or of all that were chosen")
  func choice() throws {
    let (first, second) = (FakeMachine(), FakeMachine())
    first.plug(keys)
    second.plug(synth)
    let kinds = [first.kind(named: "first"), second.kind(named: "second")]
    for (usesAll, firstRuns) in [(true, true), (false, true), (false, false)] {
      first.state.withLock { $0.isRunning = firstRuns }
      let setup = Setup.make(MIDIBackends(kinds, usesAll: usesAll))
      _ = try setup.createClient(name: "test")
      #expect((setup.refs(in: .sources).count == 2) == firstRuns)
      #expect((setup.refs(in: .destinations).count == 2) == (usesAll || !firstRuns))
      setup.close()
    }
  }

  @Test("are none for a variable that says so, and nothing fails without any")
  func none() throws {
    for variable in ["none", "", "unknown"] {
      let setup = Setup.make(.chosen(by: variable))
      _ = try setup.createClient(name: "test")
      #expect(setup.refs(in: .sources).count == 1)
      setup.close()
    }
  }
}

extension Rig {
  /// A setup that uses a server of the tests.
  init(_ machine: FakeMachine) throws { try self.init(Setup.make(machine.backends)) }
}
