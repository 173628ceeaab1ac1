// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioTestSupport
import CCoreMIDI
import MIDIMessages
import MIDIPorts
import Testing

@Suite("The links to the ports of the machine")
struct LinkTests {
  private let machine = FakeMachine()
  private let synth = MachinePort.port("Piano", "synth", isSource: false)

  @Test("are opened again a second after they could not be")
  func retry() throws {
    let keys = MachinePort.port("Piano", "keys", isSource: true)
    machine.plug(keys, synth)
    let rig = try Rig(machine)
    machine.state.withLock { $0.refusals = 1 }
    let inbox = Inbox()
    try rig.input(inbox, from: try #require(rig.setup.refs(in: .sources).last))
    #expect(machine.links.isEmpty)
    #expect(wait { machine.links == ["from Piano:keys"] })
    machine.arrive([0xf8], from: "Piano:keys")
    #expect(inbox.wait(for: 1))

    let destination = try #require(rig.setup.refs(in: .destinations).last)
    machine.state.withLock { $0.refusals = 1 }
    try rig.send([(0, [0xfa])], to: destination)
    #expect(wait { machine.links.contains("to Piano:synth") })
    try rig.send([(0, [0xfb])], to: destination)
    #expect(wait { machine.sent.last == [0xfb] })
    #expect(machine.sent == [[0xfb]], "what was sent a second ago is dropped")
    rig.setup.close()
  }

  @Test("remain when a port gets another name")
  func rename() throws {
    machine.plug(synth)
    let rig = try Rig(machine)
    let destination = try #require(rig.setup.refs(in: .destinations).last)
    try rig.send([(0, [0xfa])], to: destination)
    #expect(wait { machine.sent.count == 1 })
    machine.plug(
      MachinePort(
        address: synth.address, isSource: false, deviceID: synth.deviceID, portID: synth.portID,
        deviceName: synth.deviceName, name: "organ", isHardware: true))
    #expect(
      wait {
        (try? rig.setup.property("name", of: destination, .string)) == .string("organ")
      })
    _ = try rig.setup.createSource(name: "own", of: rig.client, format: .bytes)
    try rig.send([(0, [0xfb])], to: destination)
    #expect(wait { machine.sent.count == 2 })
    #expect(machine.links == ["to Piano:synth", "to others: own"])
    #expect(machine.state.withLock { $0.openings } == 2, "one for each link")
    rig.setup.close()
  }

  @Test("have sent what is due when the process exits, which does not wait for more")
  func exit() throws {
    machine.plug(synth)
    let rig = try Rig(machine)
    let destination = try #require(rig.setup.refs(in: .destinations).last)
    try rig.send([(hostTime() + 60_000_000_000, [0xfc])], to: destination)
    for index in 0..<100 { try rig.send([(0, [0x90, UInt8(index), 1])], to: destination) }
    rig.setup.waitUntilSent()
    #expect(machine.sent.count == 100)

    machine.state.withLock { $0.isFull = true }
    try rig.send([(0, [0xfb])], to: destination)
    let start = hostTime()
    rig.setup.waitUntilSent()
    #expect(hostTime() - start >= 1_000_000_000 && hostTime() - start < 5_000_000_000)
    #expect(machine.sent.count == 100)
    rig.setup.close()
  }

  @Test("send what waits before they are closed")
  func closing() throws {
    let rig = try Rig(machine)
    let source = try rig.setup.createSource(name: "own", of: rig.client, format: .bytes)
    machine.state.withLock { $0.isFull = true }
    try rig.received([(0, [0x80, 1, 2])], from: source)
    rig.setup.waitUntilSent()
    machine.state.withLock { $0.isFull = false }
    try rig.setup.disposeClient(rig.client)
    #expect(machine.sent == [[0x80, 1, 2]])
    rig.setup.close()
  }

  @Test("get messages after a request whose device was unplugged in the middle")
  func unplugged() throws {
    machine.plug(synth)
    let rig = try Rig(machine)
    let destination = try #require(rig.setup.refs(in: .destinations).last)
    try rig.setup.setProperty("maxSysExSpeed", of: destination, to: .integer(1_000))
    let data = UnsafeMutablePointer<UInt8>.allocate(capacity: 20_000)
    data.initialize(repeating: 1, count: 20_000)
    data[0] = 0xf0
    let request = UnsafeMutablePointer<MIDISysexSendRequest>.allocate(capacity: 1)
    request.initialize(
      to: MIDISysexSendRequest(
        destination: destination, data: data, bytesToSend: 20_000, complete: true,
        reserved: (0, 0, 0), completionProc: nil, completionRefCon: nil))
    defer {
      data.deallocate()
      request.deallocate()
    }
    let isDone = Guarded(false)
    try rig.setup.sendSysEx(request) { isDone.withLock { $0 = true } }
    #expect(wait { machine.sent.count > 1 })
    machine.plug()
    #expect(wait { isDone.withLock { $0 } })
    machine.plug(synth)
    #expect(wait { rig.setup.refs(in: .destinations).contains(destination) })
    try rig.send([(0, [0x90, 1, 2])], to: destination)
    #expect(wait { machine.sent.last == [0x90, 1, 2] })
    rig.setup.close()
  }
}
