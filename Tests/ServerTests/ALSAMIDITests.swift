// SPDX-License-Identifier: Apache-2.0
import CCoreMIDI
import CServerEnvironment
import Foundation
import MIDIPorts
import Testing

extension Servers {
  /// Where the kernel has a sequencer, which containers do not have.
  @Suite(
    "MIDI through ALSA's sequencer", .serialized,
    .enabled(if: access("/dev/snd/seq", R_OK | W_OK) == 0))
  struct ALSAMIDITests {
    private let programs: [MIDIProgram]
    private let own: String

    init() throws {
      let folder = String(cString: server_folder())
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try "seq.default { type hw }\nseq.hw { type hw }\n".write(
        toFile: String(cString: alsa_configuration_file()), atomically: true, encoding: .utf8)
      programs = try (0..<2).map { _ in try MIDIProgram("alsa") }
      own = ProcessInfo.processInfo.processName
    }

    /// The endpoint of the other program with a name.
    private func find(_ name: String, _ list: Setup.List) throws -> MIDIEndpointRef {
      let setup = programs[1].setup
      func ref() -> MIDIEndpointRef? {
        setup.refs(in: list).first {
          (try? setup.property("name", of: $0, .string))?.string == name
        }
      }
      #expect(wait { ref() != nil })
      return try #require(ref())
    }

    @Test("connects two programs by their virtual endpoints, which come and go")
    func programsMeet() throws {
      let inbox = try programs[0].destination("drain")
      let source = try programs[0].setup.createSource(
        name: "spring", of: programs[0].client, format: .bytes)
      try programs[1].send(
        [[0x90, 60, 100], [0xe0, 1, 2], [0xf8]], to: find("drain", .destinations))
      #expect(wait { inbox.count == 7 })
      #expect(inbox.bytes == [0x90, 60, 100, 0xe0, 1, 2, 0xf8])
      let received = try programs[1].receive(from: find("spring", .sources))
      try programs[0].send([[0xb0, 7, 1], [0xf0, 1, 2, 3, 0xf7], [0xc0, 4]], from: source)
      #expect(wait { received.count == 10 })
      #expect(received.bytes == [0xb0, 7, 1, 0xf0, 1, 2, 3, 0xf7, 0xc0, 4])
      let count = programs[1].setup.refs(in: .destinations).count
      try programs[0].setup.disposeClient(programs[0].client)
      #expect(wait { programs[1].setup.refs(in: .destinations).count == count - 1 })
    }

    @Test("loses nothing of a burst of five thousand messages")
    func burst() throws {
      let inbox = try programs[0].destination("drain")
      let destination = try find("drain", .destinations)
      let notes = (0..<5_000).map { [0x90, UInt8($0 & 127), UInt8($0 >> 7)] }
      for note in notes { try programs[1].send([note], to: destination) }
      #expect(wait { inbox.count == 15_000 })
      #expect(inbox.bytes == notes.flatMap(\.self))
    }

    @Test("carries a system exclusive message of a megabyte in order")
    func systemExclusive() throws {
      let inbox = try programs[0].destination("drain")
      let data = (0..<1 << 20).map { (place: Int) -> UInt8 in UInt8((place ^ place >> 7) & 127) }
      let message = [0xf0] + data + [0xf7]
      try programs[1].send([message], to: find("drain", .destinations))
      #expect(wait(seconds: 120) { inbox.count == message.count })
      #expect(inbox.bytes == message)
    }

    @Test("has the kernel's own port in both directions")
    func through() throws {
      let name = "Midi Through Port-0"
      let destination = try #require(programs[0].endpoint(name, .destinations))
      let inbox = try programs[1].receive(from: #require(programs[1].endpoint(name, .sources)))
      try programs[0].send([[0x90, 1, 2]], to: destination)
      #expect(wait { inbox.bytes == [0x90, 1, 2] })
      #expect(try programs[0].id(destination) == programs[1].id(destination))
    }
  }
}
