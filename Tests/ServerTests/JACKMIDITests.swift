// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI
import CRealTime
import Foundation
import MIDIPorts
import Testing

extension Servers {
  @Suite("MIDI through JACK", .serialized)
  struct JACKMIDITests {
    private let server: JACKFixture

    init() throws { server = try JACKFixture() }

    /// Notes that differ from each other.
    private func notes(_ count: Int) -> [[UInt8]] {
      (0..<count).map { [0x90, UInt8($0 & 127), UInt8($0 >> 7)] }
    }

    private func systemExclusive(_ count: Int) -> [UInt8] {
      let data = (0..<count - 2).map { (place: Int) -> UInt8 in
        let (middle, high) = (place >> 7, place >> 14)
        return UInt8((place ^ middle ^ high) & 127)
      }
      return [0xf0] + data + [0xf7]
    }

    @Test("has the ports of another program as source and destination, which come and go")
    func ports() throws {
      let program = try MIDIProgram("jack")
      #expect(program.endpoint("peer out", .sources) == nil)
      var id: Int?
      for _ in 0..<2 {
        let peer = try JACKMIDIPeer("peer")
        #expect(wait { program.endpoint("peer out", .sources) != nil })
        #expect(program.endpoint("peer in", .destinations) != nil)
        let source = try #require(program.endpoint("peer out", .sources))
        #expect(try id == nil || program.id(source) == id)
        id = try program.id(source)
        peer.close()
        #expect(wait { program.endpoint("peer out", .sources) == nil })
        #expect(program.endpoint("peer in", .destinations) == nil)
      }
    }

    @Test("brings what another program sends, with the distances of its frames")
    func receiving() throws {
      let peer = try JACKMIDIPeer("peer")
      let program = try MIDIProgram("jack")
      let inbox = try program.receive(from: #require(program.endpoint("peer out", .sources)))
      let begin = rt_host_time()
      peer.send([0x90, 60, 100, 0x80, 60, 0], step: 96)
      #expect(wait { inbox.count == 6 })
      #expect(inbox.bytes == [0x90, 60, 100, 0x80, 60, 0])
      let times = inbox.times
      #expect(abs(Double(times[1]) - Double(times[0]) - 2_000_000) < 1_000, "of 96 frames")
      // A cycle is 5.3 ms, and its last frame may still be to come.
      #expect(times[0] + 10_000_000 > begin && times[1] <= rt_host_time() + 10_000_000)
      peer.close()
    }

    @Test("sends to another program, in order, when messages are due")
    func sending() throws {
      let peer = try JACKMIDIPeer("peer")
      let program = try MIDIProgram("jack")
      let destination = try #require(program.endpoint("peer in", .destinations))
      let due = rt_host_time() + 100_000_000
      try program.send([[0x80, 60, 0]], to: destination, at: due)
      try program.send([[0x90, 60, 100], [0xc0, 1], [0xf8]], to: destination)
      #expect(wait { peer.count == 3 })
      #expect(rt_host_time() < due || peer.count == 4)
      #expect(wait { peer.count == 4 })
      #expect(rt_host_time() > due)
      #expect(peer.events == [[0x90, 60, 100], [0xc0, 1], [0xf8], [0x80, 60, 0]])
      peer.close()
    }

    @Test("carries a system exclusive message of a megabyte whole and in order, both ways")
    func systemExclusive() throws {
      let peer = try JACKMIDIPeer("peer")
      let program = try MIDIProgram("jack")
      let message = systemExclusive(1 << 20)
      let destination = try #require(program.endpoint("peer in", .destinations))
      try program.send([message], to: destination)
      #expect(wait { peer.lastByte == 0xf7 })
      #expect(peer.events.flatMap(\.self) == message)
      let inbox = try program.receive(from: #require(program.endpoint("peer out", .sources)))
      peer.send(message, by: 4_000)
      #expect(wait { inbox.count == message.count })
      #expect(inbox.bytes == message)
      peer.close()
    }

    @Test("sends a system exclusive message of a few kilobytes as one event")
    func wholeEvent() throws {
      let peer = try JACKMIDIPeer("peer")
      let program = try MIDIProgram("jack")
      let message = systemExclusive(8_000)
      let destination = try #require(program.endpoint("peer in", .destinations))
      try program.send([Array(message[..<3_000]), Array(message[3_000...])], to: destination)
      #expect(wait { peer.lastByte == 0xf7 })
      #expect(peer.events == [message])
      peer.close()
    }

    @Test("loses nothing of a burst of five thousand messages, both ways")
    func burst() throws {
      let peer = try JACKMIDIPeer("peer")
      let program = try MIDIProgram("jack")
      let notes = notes(5_000)
      let destination = try #require(program.endpoint("peer in", .destinations))
      for note in notes { try program.send([note], to: destination) }
      #expect(wait { peer.count == 5_000 })
      #expect(peer.events == notes)
      let inbox = try program.receive(from: #require(program.endpoint("peer out", .sources)))
      peer.send(notes.flatMap(\.self))
      #expect(wait { inbox.count == 15_000 })
      #expect(inbox.bytes == notes.flatMap(\.self))
      peer.close()
    }

    @Test("shows the virtual endpoints of this program to others")
    func published() throws {
      let program = try MIDIProgram("jack")
      let inbox = try program.destination("drain")
      let source = try program.setup.createSource(
        name: "spring", of: program.client, format: .events1)
      let peer = try JACKMIDIPeer("peer")
      let drain = try #require(peer.client.ports(":drain$").first)
      let spring = try #require(peer.client.ports(":spring$").first)
      #expect(peer.client.connect("peer:out", drain))
      #expect(peer.client.connect(spring, "peer:in"))
      peer.send([0xb0, 7, 1])
      #expect(wait { inbox.bytes == [0xb0, 7, 1] })
      try program.send([[0x90, 1, 2]], from: source)
      #expect(wait { peer.events == [[0x90, 1, 2]] })
      try program.setup.disposeEndpoint(source)
      #expect(wait { peer.client.ports(":spring$").isEmpty })
      peer.close()
    }

    @Test("continues after the server has been killed and has returned")
    func killed() throws {
      let program = try MIDIProgram("jack")
      let inbox = try program.destination("drain")
      for round in 0..<rounds {
        let peer = try JACKMIDIPeer("peer")
        #expect(wait { program.endpoint("peer out", .sources) != nil })
        let received = try program.receive(from: #require(program.endpoint("peer out", .sources)))
        peer.send([0xb0, 7, UInt8(round)])
        #expect(wait { received.count >= 3 })
        #expect(Array(received.bytes.suffix(3)) == [0xb0, 7, UInt8(round)])
        let destination = try #require(program.endpoint("peer in", .destinations))
        try program.send([[0xf8]], to: destination)
        #expect(wait { peer.events == [[0xf8]] })
        let drain = try #require(peer.client.ports(":drain$").first)
        #expect(peer.client.connect("peer:out", drain))
        peer.send([0xfa], by: 1)
        #expect(wait { inbox.count == round + 1 })
        peer.close()
        server.stop()
        #expect(wait { program.endpoint("peer out", .sources) == nil })
        #expect(throws: AudioError.self) { try program.send([[0xf8]], to: destination) }
        try server.start(period: round % 2 == 0 ? 512 : 256)
        #expect(wait { (try? server.tool("jack_lsp").contains(":drain")) == true })
      }
    }

    @Test("does not make a caller wait for a server that hangs")
    func hangs() throws {
      let peer = try JACKMIDIPeer("peer")
      let program = try MIDIProgram("jack")
      let destination = try #require(program.endpoint("peer in", .destinations))
      server.hang(true)
      let begin = Date()
      _ = try program.destination("late")
      try program.send([[0xf8]], to: destination)
      #expect(Date().timeIntervalSince(begin) < 3)
      server.hang(false)
      #expect(wait { peer.events == [[0xf8]] })
      peer.close()
    }

    @Test("is not there without a server, and appears with one")
    func late() throws {
      server.stop(by: SIGTERM)
      let program = try MIDIProgram("jack")
      let inbox = try program.destination("drain")
      #expect(program.setup.refs(in: .destinations).count == 2)
      try server.start()
      #expect(wait { (try? server.tool("jack_lsp").contains(":drain")) == true })
      #expect(inbox.count == 0)
    }
  }
}
