// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Servers {
  /// Programs under `pw-jack`, which reach PipeWire by its own library of JACK.
  @Suite("MIDI through PipeWire's JACK", .serialized)
  struct PipeWireMIDITests {
    private let server: PipeWireFixture

    init() throws { server = try PipeWireFixture(manager: false, quantum: 512) }

    private func midi(_ words: String...) throws -> ServerProcess {
      try ServerProcess(
        ["pw-jack", program("au"), "midi"] + words,
        environment: server.environment.merging(["AUDIOTOOLBOX_MIDI": "jack"]) { $1 },
        folder: server.folder)
    }

    /// A program with a virtual destination, which prints what arrives there.
    private func listener() throws -> ServerProcess {
      let listener = try midi("monitor", "--virtual", "listener", "--json")
      try #require(try wait { try isThere }, "\(listener.output)")
      return listener
    }

    /// Whether PipeWire has the port of the listener.
    private var isThere: Bool {
      get throws { try server.run("pw-link", "-i").contains("au:listener") }
    }

    /// The messages that a listener has printed.
    private func messages(_ listener: ServerProcess) throws -> [[UInt8]] {
      struct Line: Decodable {
        struct Message: Decodable { let bytes: [UInt8] }
        let message: Message
      }
      // The last line may not be whole yet.
      return listener.output.split(separator: "\n", omittingEmptySubsequences: true)
        .compactMap { try? JSONDecoder().decode(Line.self, from: Data($0.utf8)).message.bytes }
    }

    @Test("shows virtual endpoints to others, as long as they are there")
    func ports() throws {
      let listener = try listener()
      let list = try midi("list")
      #expect(list.result().contains("au listener"))
      #expect(list.code == 0)
      listener.end(by: SIGINT)
      #expect(try wait { try !isThere })
    }

    @Test("loses nothing of a burst of five thousand messages and of 60 kB at once")
    func burst() throws {
      let controllers = (0..<5_000).map { [0xb0, UInt8($0 & 63), UInt8($0 >> 6)] }
      let exclusive = (0..<60_000).map { (place: Int) -> UInt8 in
        UInt8((place ^ place >> 7 ^ place >> 14) & 127)
      }
      var track: [UInt8] = controllers.flatMap { [0] + $0 }
      // The length of 60,001 bytes, with seven bits in each.
      track += [96, 0xf0, 0x83, 0xd4, 0x61] + exclusive + [0xf7]
      track += [96, 0x90, 60, 100, 96, 0x80, 60, 64, 0, 0xff, 0x2f, 0]
      let size = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: track.count >> $0) }
      let path = "\(server.folder)/burst.mid"
      try Data(
        Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] + Array("MTrk".utf8) + size + track
      ).write(to: URL(fileURLWithPath: path))
      let expected = controllers + [[0xf0] + exclusive + [0xf7], [0x90, 60, 100], [0x80, 60, 64]]
      func arrives() throws -> Bool {
        // The listener before has gone.
        #expect(try wait { try !isThere })
        let listener = try listener()
        defer { listener.end(by: SIGINT) }
        let player = try midi("play", path, "listener")
        _ = player.result()
        #expect(player.code == 0, "\(player.output)")
        guard try wait(seconds: 20, until: { try messages(listener).last == [0x80, 60, 64] }) else {
          return false
        }
        return try messages(listener) == expected
      }
      // A cycle that is late on a busy machine loses its messages in the server.
      #expect(try (1...4).contains { _ in try arrives() })
    }

    @Test("sends nothing before a program that is slow has taken the connection")
    func slow() throws {
      let listener = try listener()
      listener.send(SIGSTOP)
      let sender = try midi("send", "listener", "on", "60", "90")
      #expect(try wait { try server.run("pw-link", "-l", "-o").contains("au:listener") })
      usleep(200_000)
      #expect(sender.isRunning, "\(sender.output)")
      listener.send(SIGCONT)
      #expect(sender.result() == "", "\(sender.output)")
      #expect(try wait { try messages(listener) == [[0x90, 60, 90]] }, "\(listener.output)")
      listener.end(by: SIGINT)
    }

    @Test("continues after the server has been killed and has returned")
    func killed() throws {
      let listener = try listener()
      for round in 0..<rounds {
        server.stop()
        try server.start()
        #expect(try wait { try isThere }, "\(listener.output)")
        let key = UInt8(60 + round % 60)
        func arrives() throws -> Bool {
          let sender = try midi("send", "listener", "on", "\(key)", "90")
          #expect(sender.result() == "", "\(sender.output)")
          return try wait(seconds: 5) { try messages(listener).last == [0x90, key, 90] }
        }
        // A cycle that is late on a busy machine loses its messages in the server.
        #expect(try (1...4).contains { _ in try arrives() })
      }
      listener.end(by: SIGINT)
    }
  }
}
