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

    /// Sends; on a busy machine the destination may not be there at once.
    private func send(_ words: String...) throws {
      var errors = ""
      let isSent = try wait {
        let send = try ServerProcess(
          [program("au"), "midi", "send"] + words, environment: ["AUDIOTOOLBOX_MIDI": "jack"],
          folder: server.folder)
        errors = send.result()
        return send.code == 0
      }
      #expect(isSent, "\(errors)")
    }

    @Test("a monitor prints what another process sends to its destination")
    func monitor() throws {
      let monitor = try start("monitor", "--virtual", "listener")
      defer { monitor.end(by: SIGINT) }
      try #require(
        try wait { try server.tool("jack_lsp").contains(":listener\n") }, "\(monitor.output)")
      try send(
        "listener", "note", "60", "100", "cc", "7", "90", "F0 01 02 F7", "--duration", "0.1")
      let lines = [
        "listener: note on C4 (60), velocity 100, channel 1",
        "listener: controller 7 (volume) 90, channel 1",
        "listener: system exclusive, 4 bytes: F0 01 02 F7",
        "listener: note off C4 (60), velocity 64, channel 1",
      ]
      #expect(wait { lines.allSatisfy(monitor.output.contains) }, "\(monitor.output)")
    }

    @Test("a recording is complete after Ctrl-C")
    func record() throws {
      let path = "\(server.folder)/take.mid"
      let record = try start("record", path, "--virtual", "recorder")
      defer { record.end(by: SIGKILL) }
      try #require(
        try wait { try server.tool("jack_lsp").contains(":recorder\n") }, "\(record.output)")
      try send("recorder", "note", "60", "--duration", "0.2")
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
