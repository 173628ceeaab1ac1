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

    @Test("shows virtual endpoints to others, as long as they are there")
    func ports() throws {
      let listener = try listener()
      let list = try midi("list")
      #expect(list.result().contains("au listener"))
      #expect(list.code == 0)
      listener.end(by: SIGINT)
      #expect(try wait { try !isThere })
    }

    @Test("shows them again after the server has been killed and has returned")
    func killed() throws {
      let listener = try listener()
      for _ in 0..<rounds {
        server.stop()
        try server.start()
        #expect(try wait { try isThere }, "\(listener.output)")
      }
      listener.end(by: SIGINT)
    }
  }
}
