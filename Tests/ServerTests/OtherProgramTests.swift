// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio
import AudioDevices
import AudioToolbox
import CServerEnvironment
import Foundation
import Testing

extension Servers {
  /// How a session reports the sound of other programs.
  @Suite("Sound of other programs", .serialized)
  struct OtherProgramTests {
    private func plays(_ session: AVAudioSession) -> Bool {
      session.isOtherAudioPlaying && session.secondaryAudioShouldBeSilencedHint
    }

    /// Lets another program play before, while and after this one does. `other` starts it.
    private func expectHints(
      _ backend: String, other: () throws -> ServerProcess
    ) throws {
      try withServerSession(backend) { session, posts in
        #expect(wait(seconds: 30) { !plays(session) })
        posts.clear()
        // This program alone.
        let unit = try PlayingUnit(backend, frames: 512)
        let second = try PlayingUnit(backend, frames: 512)
        try unit.start()
        try second.start()
        #expect(unit.waits(forFrames: 48_000, seconds: 60))
        #expect(!plays(session) && posts.all.isEmpty, "\(posts.all)")
        try unit.stop()
        try second.stop()
        // Another one, then also this one.
        var program = try other()
        #expect(wait(seconds: 60) { posts.all == ["hint begin"] }, "\(posts.all)")
        #expect(plays(session))
        try unit.start()
        #expect(unit.waits(forFrames: 48_000, seconds: 60))
        #expect(plays(session) && posts.all == ["hint begin"], "\(posts.all)")
        // The other one ends and starts again while this one plays.
        program.end(by: SIGTERM)
        #expect(wait(seconds: 60) { posts.all == ["hint begin", "hint end"] }, "\(posts.all)")
        #expect(!plays(session))
        program = try other()
        #expect(wait(seconds: 60) { posts.all.count == 3 && plays(session) }, "\(posts.all)")
        try unit.stop()
        #expect(plays(session))
        program.end(by: SIGTERM)
        #expect(wait(seconds: 60) { posts.all.count == 4 && !plays(session) }, "\(posts.all)")
        #expect(posts.all == ["hint begin", "hint end", "hint begin", "hint end"])
      }
    }

    @Test("on PipeWire, begins and ends with it, whatever this program plays")
    func pipeWire() throws {
      let server = try PipeWireFixture()
      try expectHints("pipewire") { try server.program(playingTo: "null1", rate: 48_000) }
    }

    @Test("on PulseAudio, begins and ends with it, whatever this program plays")
    func pulse() throws {
      let server = try PulseFixture()
      try expectHints("pulse") { try server.program(playingTo: "one") }
    }

    @Test("on JACK, begins and ends with a connection of another client")
    func jack() throws {
      let server = try JACKFixture()
      let name = String(cString: jack_server_name())
      try expectHints("jack") {
        let program = try ServerProcess(
          ["jack_simple_client", "other", name], folder: server.folder)
        #expect(try wait(seconds: 60) { try server.tool("jack_lsp").contains("other:") })
        return program
      }
    }

    @Test("a program that records what a sink plays, or plays to another sink, is not heard")
    func recorder() throws {
      let server = try PipeWireFixture()
      try withServerSession("pipewire") { session, posts in
        #expect(wait(seconds: 30) { !plays(session) })
        posts.clear()
        let recorder = try PipeWireRecorder(server)
        let elsewhere = try server.program(playingTo: "null2", rate: 48_000)
        #expect(
          try wait(seconds: 60) {
            try server.run("pw-link", "-l").contains("|-> null2:playback_FL")
          })
        let unit = try PlayingUnit("pipewire", frames: 512)
        try unit.start()
        #expect(unit.waits(forFrames: 48_000, seconds: 60))
        #expect(!plays(session) && posts.all.isEmpty, "\(posts.all)")
        try unit.stop()
        elsewhere.end()
        withExtendedLifetime(recorder) {}
      }
    }
  }
}
