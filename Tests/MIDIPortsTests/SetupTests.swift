// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioTestSupport
import CCoreMIDI
import Foundation
import MIDIMessages
import MIDIPorts
import Testing

@Suite("The MIDI setup of a process")
struct SetupTests {
  @Test("has a device with a source and a destination")
  func bus() throws {
    let setup = Setup.make()
    let device = try #require(setup.refs(in: .devices).first)
    let entity = try #require(setup.refs(in: .entities(of: device)).first)
    #expect(setup.refs(in: .sources) == setup.refs(in: .entitySources(of: entity)))
    #expect(setup.refs(in: .destinations) == setup.refs(in: .entityDestinations(of: entity)))
    #expect(setup.refs(in: .sources).count == 1)
    #expect(try setup.device(of: entity) == device)
    let source = setup.refs(in: .sources)[0]
    #expect(try setup.entity(of: source) == entity)
    #expect(try setup.property("displayName", of: source, .string) == .string("Bus Port 1"))
    #expect(try setup.property("model", of: source, .string) == .string("Bus"), "of the device")
  }

  @Test("refuses numbers of objects that are gone, or of another kind")
  func refusals() throws {
    let rig = try Rig()
    let setup = rig.setup
    let source = try setup.createSource(name: "s", of: rig.client, format: .bytes)
    let destination = try rig.destination(Inbox())
    let input = try rig.input(Inbox(), from: source)
    let list = MessageListWriter(.bytes).list()
    defer { withExtendedLifetime(list) {} }
    let packets = list.packets
    #expect(
      refusal { try setup.send(packets, to: source, from: rig.port) }
        == kMIDIWrongEndpointType)
    #expect(
      refusal { try setup.send(packets, to: 999, from: rig.port) }
        == kMIDIUnknownEndpoint)
    #expect(
      refusal { try setup.send(packets, to: destination, from: input) }
        == kMIDIInvalidPort)
    #expect(
      refusal { try setup.send(packets, to: destination, from: 0) }
        == kMIDIInvalidPort)
    #expect(
      refusal { try setup.received(packets, from: destination) }
        == kMIDIWrongEndpointType)
    #expect(
      refusal {
        try setup.received(packets, from: setup.refs(in: .sources)[0])
      } == kMIDINotPermitted, "it is the machine's")
    #expect(
      refusal { try setup.connect(destination, to: input, context: nil) }
        == kMIDIWrongEndpointType)
    #expect(
      refusal { try setup.connect(source, to: rig.port, context: nil) }
        == kMIDIInvalidPort)
    #expect(
      refusal { _ = try setup.createPort(name: "p", of: input) }
        == kMIDIInvalidClient)
    #expect(
      refusal { _ = try setup.entity(of: source) } == kMIDIObjectNotFound)
    try setup.disposeEndpoint(source)
    #expect(
      refusal { try setup.disposeEndpoint(source) } == kMIDIUnknownEndpoint)
    #expect(
      refusal { _ = try setup.property("name", of: source, .string) }
        == kMIDIObjectNotFound)
    try setup.disposeClient(rig.client)
    for ref in [rig.port, input] {
      #expect(refusal { try setup.disposePort(ref) } == kMIDIInvalidPort)
    }
    #expect(
      refusal { try setup.disposeEndpoint(destination) }
        == kMIDIUnknownEndpoint)
    #expect(setup.refs(in: .destinations).count == 1, "only the bus is left")
  }

  @Test("notifies clients of their own endpoints too")
  func notifications() throws {
    let setup = Setup.make()
    let changes = Guarded<[SetupChange]>([])
    let client = try setup.createClient(
      name: "c",
      listener: ChangeListener(calls: ProgramCalls.Entry()) { change in
        changes.withLock { $0.append(change) }
      })
    #expect(changes.withLock { $0.isEmpty }, "nothing at the start")
    let source = try setup.createSource(name: "s", of: client, format: .bytes)
    var found = changes.withLock { $0 }
    #expect(found.count == 3 && found.last == .setup)
    if case .added(let child, let parent)? = found.first {
      #expect(child.ref == source && child.type == .source && parent.ref == 0)
    } else {
      Issue.record("\(found) does not begin with the addition")
    }
    changes.withLock { $0.removeAll() }
    try setup.setProperty("name", of: source, to: .string("t"))
    try setup.setProperty("name", of: source, to: .string("t"))
    found = changes.withLock { $0 }
    #expect(found.count == 2, "setting the same value again notifies nobody")
    changes.withLock { $0.removeAll() }
    try setup.disposeEndpoint(source)
    found = changes.withLock { $0 }
    #expect(found.count == 2 && found.last == .setup)
    if case .removed(let child, _)? = found.first {
      #expect(child.ref == source)
    } else {
      Issue.record("\(found) does not begin with the removal")
    }
  }

  @Test("keeps properties with their types, and unique identifiers unique")
  func properties() throws {
    let rig = try Rig()
    let setup = rig.setup
    let source = try setup.createSource(name: "s", of: rig.client, format: .events2)
    #expect(try setup.property("protocolID", of: source, .integer) == .integer(2))
    #expect(
      refusal { _ = try setup.property("name", of: source, .integer) }
        == kMIDIWrongPropertyType)
    #expect(
      refusal { _ = try setup.property("x", of: source, .integer) }
        == kMIDIUnknownProperty)
    #expect(
      refusal {
        try setup.setProperty("displayName", of: source, to: .string("x"))
      } == kMIDINotPermitted)
    try setup.setProperty("uniqueID", of: source, to: .integer(-77))
    #expect(try setup.find(uniqueID: -77).ref == source)
    #expect(try setup.find(uniqueID: -77).type == .source)
    let destination = try rig.destination(Inbox())
    #expect(
      refusal {
        try setup.setProperty("uniqueID", of: destination, to: .integer(-77))
      } == kMIDIIDNotUnique)
    #expect(
      refusal {
        try setup.setProperty("uniqueID", of: destination, to: .integer(0))
      } == AudioError.invalidArgument.status)
    #expect(
      refusal {
        try setup.setProperty("uniqueID", of: destination, to: .integer(1 << 40))
      } == AudioError.invalidArgument.status)
    #expect(
      refusal { _ = try setup.find(uniqueID: 123) } == kMIDIObjectNotFound)
    try setup.setProperty("own", of: source, to: .data([1, 2]))
    #expect(try setup.properties(of: source, deep: false)["own"] == .data([1, 2]))
    try setup.setProperty("own", of: source, to: nil)
    #expect(try setup.properties(of: source, deep: false)["own"] == nil)
    for (name, value) in [
      ("name", .integer(1)), ("offline", .string("no")), ("model", .data([1])),
      ("uniqueID", .string("1")), ("userPatchFile", .string("x")),
    ] as [(String, PropertyList)] {
      #expect(
        refusal { try setup.setProperty(name, of: source, to: value) } == kMIDIWrongPropertyType)
    }
    #expect(
      refusal { try setup.setProperty("uniqueID", of: rig.port, to: .integer(5)) }
        == kMIDINotPermitted)
    let device = setup.refs(in: .devices)[0]
    guard case .array(let entities)? = try setup.properties(of: device, deep: true)["entities"],
      case .array(let sources)? = entities.first?["sources"]
    else {
      Issue.record("no lists of entities and sources")
      return
    }
    #expect(sources.first?["name"] == .string("Port 1"))
  }

  @Test("gives an endpoint the same unique identifier in every run, and two endpoints two")
  func uniqueIDs() throws {
    func ids() throws -> [PropertyList] {
      let rig = try Rig()
      return try (0..<3).map { index in
        let name = index == 2 ? "other" : "same"
        let ref = try rig.setup.createSource(name: name, of: rig.client, format: .bytes)
        return try rig.setup.property("uniqueID", of: ref, .integer)
      }
    }
    let (first, second) = (try ids(), try ids())
    #expect(first == second)
    #expect(Set(first.compactMap(\.integer)).count == 3)
  }

  @Test("describes external devices, which are in a list of their own")
  func external() throws {
    let setup = Setup.make()
    let device = try setup.createExternalDevice(name: "Synth", manufacturer: "M", model: "X")
    #expect(setup.refs(in: .externalDevices).isEmpty)
    try setup.addExternalDevice(device)
    try setup.addExternalDevice(device)
    #expect(setup.refs(in: .externalDevices) == [device])
    let entity = try setup.addEntity(
      to: device, name: "Keys", protocolID: ._1_0, isEmbedded: true, counts: (1, 2))
    #expect(setup.refs(in: .entityDestinations(of: entity)).count == 2)
    try setup.setEndpointCounts(of: entity, (0, 3))
    #expect(setup.refs(in: .entitySources(of: entity)).isEmpty)
    #expect(setup.refs(in: .entityDestinations(of: entity)).count == 3)
    #expect(setup.refs(in: .destinations).count == 1, "nothing can be sent to them")
    #expect(
      refusal { try setup.setEndpointCounts(of: entity, (-1, .max)) }
        == AudioError.invalidArgument.status)
    let ours = setup.refs(in: .devices)[0]
    #expect(
      refusal { try setup.removeExternalDevice(ours) } == kMIDINotPermitted)
    try setup.removeEntity(entity, from: device)
    #expect(setup.refs(in: .entities(of: device)).isEmpty)
    try setup.removeExternalDevice(device)
    #expect(setup.refs(in: .externalDevices).isEmpty)
    #expect(
      refusal { try setup.addExternalDevice(device) } == kMIDIObjectNotFound
    )
  }

  @Test("survives clients, ports and endpoints that come and go on eight threads while notes fly")
  func storm() async throws {
    let setup = Setup.make()
    // What each client had received when it was disposed of.
    let ends = Guarded<[(inbox: Inbox, count: Int)]>([])
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          for round in 0..<40 {
            do throws(AudioError) {
              let client = try setup.createClient(name: "c\(thread)")
              let inbox = Inbox()
              let destination = try setup.createDestination(
                name: "d", of: client, handler: inbox.handler)
              let source = try setup.createSource(name: "s", of: client, format: .bytes)
              let output = try setup.createPort(name: "o", of: client)
              let input = try setup.createPort(name: "i", of: client, handler: inbox.handler)
              for other in setup.refs(in: .sources) {
                try? setup.connect(other, to: input, context: nil)
              }
              var writer = MessageListWriter(.bytes)
              ([0x90, 60, 100] as [UInt8]).withUnsafeBufferPointer { writer.add($0, at: 0) }
              let list = writer.list()
              defer { withExtendedLifetime(list) {} }
              for other in setup.refs(in: .destinations) {
                try? setup.send(list.packets, to: other, from: output)
              }
              try setup.received(list.packets, from: source)
              if round % 2 == 0 {
                try setup.disposeEndpoint(destination)
                try setup.disposePort(input)
              }
              try setup.disposeClient(client)
              let count = inbox.packets.count
              ends.withLock { $0.append((inbox, count)) }
            } catch {
              Issue.record("\(error.text)")
            }
          }
        }
      }
    }
    #expect(setup.refs(in: .sources).count == 1 && setup.refs(in: .destinations).count == 1)
    // Whatever was on its way has arrived before this.
    let last = Inbox()
    let client = try setup.createClient(name: "last")
    let output = try setup.createPort(name: "o", of: client)
    let destination = try setup.createDestination(name: "d", of: client, handler: last.handler)
    var writer = MessageListWriter(.bytes)
    ([0xf8] as [UInt8]).withUnsafeBufferPointer { writer.add($0, at: 0) }
    let list = writer.list()
    defer { withExtendedLifetime(list) {} }
    try setup.send(list.packets, to: destination, from: output)
    #expect(last.wait(for: 1))
    let counts = ends.withLock { ends in ends.map { ($0.count, $0.inbox.packets.count) } }
    #expect(counts.count == 8 * 40)
    #expect(counts.contains { $0.0 > 0 })
    #expect(counts.allSatisfy { $0.0 == $0.1 }, "no client receives once it has been disposed of")
    setup.close()
  }

  @Test(
    "waits for the function of a port when its connection ends",
    arguments: ["disconnected", "connected again", "source disposed of", "port disposed of"])
  func disconnection(how: String) throws {
    let rig = try Rig()
    let source = try rig.setup.createSource(name: "s", of: rig.client, format: .bytes)
    let gate = Gate()
    let port = try rig.setup.createPort(name: "p", of: rig.client, handler: gate.handler)
    try rig.setup.connect(source, to: port, context: nil)
    try rig.received([(0, [0xf8])], from: source)
    #expect(wait { gate.isInside })
    // A thread of its own, because the tests may hold all those of the executor.
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.03)
      gate.open()
    }
    switch how {
    case "disconnected": try rig.setup.disconnect(source, from: port)
    case "connected again": try rig.setup.connect(source, to: port, context: nil)
    case "source disposed of": try rig.setup.disposeEndpoint(source)
    default: try rig.setup.disposePort(port)
    }
    #expect(!gate.isInside)
    rig.setup.close()
  }

  @Test("calls a function no more once its port is disposed of, even from within it")
  func disposal() throws {
    let rig = try Rig()
    let source = try rig.setup.createSource(name: "s", of: rig.client, format: .bytes)
    let count = Guarded(0)
    let own = Guarded<MIDIPortRef>(0)
    let handler = MessageHandler(packets: { [setup = rig.setup] _, _ in
      count.withLock { $0 += 1 }
      try? setup.disposePort(own.withLock { $0 })
    })
    let port = try rig.setup.createPort(name: "p", of: rig.client, handler: handler)
    own.withLock { $0 = port }
    try rig.setup.connect(source, to: port, context: nil)
    let inbox = Inbox()
    try rig.input(inbox, from: source)
    for _ in 0..<10 { try rig.received([(0, [0xf8])], from: source) }
    #expect(inbox.wait(for: 10))
    #expect(count.withLock { $0 } == 1)
    rig.setup.close()
  }
}
