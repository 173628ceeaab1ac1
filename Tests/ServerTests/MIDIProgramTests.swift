// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

extension Servers {
  /// `au midi` in several processes, which meet at a JACK server.
  @Suite("au midi through JACK", .serialized)
  struct MIDIProgramTests {
    private let server: JACKFixture

    init() throws { server = try JACKFixture() }

    private func start(_ words: String...) throws -> ServerProcess {
      try ServerProcess(
        [program("au"), "midi"] + words, environment: ["AUDIOTOOLBOX_MIDI": "jack"],
        folder: server.folder)
    }

    /// Runs an action that sends; on a busy machine the destination may not be there at once.
    private func run(_ words: String...) throws {
      var output = ""
      let isSent = try wait {
        let sender = try ServerProcess(
          [program("au"), "midi"] + words, environment: ["AUDIOTOOLBOX_MIDI": "jack"],
          folder: server.folder)
        output = sender.result()
        return sender.code == 0
      }
      #expect(isSent, "\(output)")
    }

    @Test("a monitor prints what another process sends to its destination")
    func monitor() throws {
      let monitor = try start("monitor", "--virtual", "listener")
      defer { monitor.end(by: SIGINT) }
      try #require(
        try wait { try server.tool("jack_lsp").contains(":listener\n") }, "\(monitor.output)")
      try run(
        "send", "listener", "note", "60", "100", "cc", "7", "90", "F0 01 02 F7", "--duration", "0.1"
      )
      let lines = [
        "listener: note on C4 (60), velocity 100, channel 1",
        "listener: controller 7 (volume) 90, channel 1",
        "listener: system exclusive, 4 bytes: F0 01 02 F7",
        "listener: note off C4 (60), velocity 64, channel 1",
      ]
      #expect(wait { lines.allSatisfy(monitor.output.contains) }, "\(monitor.output)")
    }

    /// A file with two notes of half a second, half a second apart, at 120 beats a minute.
    private func writeFile() throws -> String {
      let track: [UInt8] = [
        0, 0x90, 69, 127, 96, 0x80, 69, 64, 96, 0x90, 72, 90, 96, 0x80, 72, 64, 0, 0xff, 0x2f, 0,
      ]
      let path = "\(server.folder)/song.mid"
      let header = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96]
      let bytes = header + Array("MTrk".utf8) + [0, 0, 0, UInt8(track.count)] + track
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      return path
    }

    @Test("play sends the notes of a file to another process, at their times")
    func play() throws {
      struct Line: Decodable {
        struct Message: Decodable { let bytes: [UInt8] }
        let message: Message
        let time: Double
      }
      let monitor = try start("monitor", "--virtual", "listener", "--json")
      defer { monitor.end(by: SIGINT) }
      try #require(
        try wait { try server.tool("jack_lsp").contains(":listener\n") }, "\(monitor.output)")
      var lines: [Line] {
        monitor.output.split(separator: "\n").compactMap {
          try? JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
      }
      try run("play", try writeFile(), "listener")
      #expect(wait { lines.last?.message.bytes == [0x80, 72, 64] }, "\(monitor.output)")
      let notes = lines
      #expect(
        notes.map(\.message.bytes) == [
          [0x90, 69, 127], [0x80, 69, 64], [0x90, 72, 90], [0x80, 72, 64],
        ])
      // A sender on a busy machine may be late by some cycles.
      for (note, later) in zip(notes, notes.dropFirst()) {
        #expect(abs(later.time - note.time - 0.5) < 0.1)
      }
    }

    @Test("a recording has the notes that another process plays")
    func recordPlayed() throws {
      let path = "\(server.folder)/take.mid"
      let record = try start("record", path, "--virtual", "recorder")
      defer { record.end(by: SIGKILL) }
      try #require(
        try wait { try server.tool("jack_lsp").contains(":recorder\n") }, "\(record.output)")
      try run("play", try writeFile(), "recorder")
      // The recorder takes what arrived every 20 ms.
      usleep(500_000)
      record.send(SIGINT)
      _ = record.result()
      #expect(record.output.contains("2 notes, 0 other messages"), "\(record.output)")
      let info = try ServerProcess([program("au"), "info", path], folder: server.folder)
      #expect(info.result().contains("recorder: 2 notes, 0 other events"), "\(info.output)")
    }

    @Test("a recording is complete after Ctrl-C")
    func record() throws {
      let path = "\(server.folder)/take.mid"
      let record = try start("record", path, "--virtual", "recorder")
      defer { record.end(by: SIGKILL) }
      try #require(
        try wait { try server.tool("jack_lsp").contains(":recorder\n") }, "\(record.output)")
      try run("send", "recorder", "note", "60", "--duration", "0.2")
      // The recorder takes what arrived every 20 ms.
      usleep(500_000)
      record.send(SIGINT)
      _ = record.result()
      #expect(record.code == -SIGINT, "\(record.output)")
      #expect(record.output.contains("1 note, 0 other messages"), "\(record.output)")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(bytes.starts(with: Data("MThd".utf8)))
    }
  }
}
