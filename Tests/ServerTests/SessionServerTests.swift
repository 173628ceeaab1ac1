// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio
import AudioDevices
import AudioToolbox
import Foundation
import Testing

extension Servers {
  /// What a session tells while a server's devices come and go.
  @Suite("An audio session on PipeWire", .serialized)
  struct SessionServerTests {
    /// What was posted, with the names of PipeWire's nodes alone.
    private struct Posts {
      let posts: SessionPosts
      var all: [String] { posts.all.map { $0.replacing("pipewire:", with: "") } }
      func clear() { posts.clear() }
    }

    private func withSession(
      _ device: String = "pipewire", _ body: (AVAudioSession, Posts) throws -> Void
    ) throws {
      try withServerSession(device) { try body($0, Posts(posts: $1)) }
    }

    private func output(_ session: AVAudioSession) -> String? {
      session.currentRoute.outputs.first?.uid
    }

    @Test("tells of a sink that comes, becomes the default, goes and returns, in this order")
    func sinks() throws {
      let server = try PipeWireFixture()
      try withSession { session, posts in
        #expect(output(session) == "pipewire:null1")
        try server.addSink("extra")
        #expect(wait { posts.all == ["route newDeviceAvailable from null1"] }, "\(posts.all)")
        #expect(output(session) == "pipewire:null1")
        posts.clear()
        try server.makeDefault("extra")
        #expect(wait { posts.all == ["route override from null1"] }, "\(posts.all)")
        #expect(output(session) == "pipewire:extra")
        posts.clear()
        try server.remove("extra")
        #expect(wait { posts.all == ["route oldDeviceUnavailable from extra"] }, "\(posts.all)")
        #expect(output(session) == "pipewire:null1")
        posts.clear()
        // The session manager remembers the choice: it is the default again at once, or a moment later.
        try server.addSink("extra")
        #expect(wait { output(session) == "pipewire:extra" && !posts.all.isEmpty }, "\(posts.all)")
        #expect(wait { posts.all.first == "route newDeviceAvailable from null1" }, "\(posts.all)")
        #expect(posts.all.count <= 2, "\(posts.all)")
      }
    }

    @Test("tells that the server was lost and reset, once each, while a unit plays through it")
    func killed() throws {
      let server = try PipeWireFixture()
      try withSession { session, posts in
        let unit = try PlayingUnit("pipewire", frames: 512)
        try unit.start()
        #expect(unit.waits(forFrames: 12_000))
        posts.clear()
        server.stop()
        #expect(wait { posts.all == ["MediaServicesWereLost"] }, "\(posts.all)")
        #expect(session.currentRoute.outputs.isEmpty)
        // It can be activated anew only when the server is back.
        #expect(throws: (any Error).self) { try session.setActive(true) }
        try server.start()
        #expect(
          wait { posts.all == ["MediaServicesWereLost", "MediaServicesWereReset"] }, "\(posts.all)")
        try session.setActive(true)
        #expect(unit.waits(forFrames: 12_000))
        #expect(output(session) == "pipewire:null1")
        #expect(posts.all.count == 2, "\(posts.all)")
        try unit.stop()
      }
    }

    @Test("tells of an interruption while the server hangs, and of its end")
    func hangs() throws {
      let server = try PipeWireFixture()
      try withSession { session, posts in
        let unit = try PlayingUnit("pipewire", frames: 512)
        try unit.start()
        #expect(unit.waits(forFrames: 12_000))
        posts.clear()
        server.hang(true)
        #expect(wait { posts.all == ["interruption began default"] }, "\(posts.all)")
        server.hang(false)
        #expect(
          wait { posts.all == ["interruption began default", "interruption ended resume"] },
          "\(posts.all)")
        #expect(unit.waits(forFrames: 12_000))
        try unit.stop()
        _ = session
      }
    }

    @Test("tells that a unit waits for a device that was pulled out, and that it plays again")
    func pulledOut() throws {
      let server = try PipeWireFixture()
      try server.addSink("extra")
      try withSession("pipewire:extra") { session, posts in
        let unit = try PlayingUnit("pipewire:extra", frames: 512)
        try unit.start()
        #expect(unit.waits(forFrames: 12_000))
        posts.clear()
        try server.remove("extra")
        let lost = [
          "interruption began routeDisconnected", "route noSuitableRouteForCategory from extra",
        ]
        #expect(wait { lost.allSatisfy(posts.all.contains) }, "\(posts.all)")
        posts.clear()
        try server.addSink("extra")
        let found = ["interruption ended resume", "route newDeviceAvailable from "]
        #expect(wait { found.allSatisfy(posts.all.contains) }, "\(posts.all)")
        try unit.stop()
      }
    }

    @Test("is activated in good time while the server hangs")
    func activation() throws {
      let server = try PipeWireFixture()
      try withSession { session, _ in
        server.hang(true)
        let begin = ContinuousClock.now
        try? session.setActive(true)
        _ = session.sampleRate
        try? session.setActive(false)
        // Far from for ever, whatever else the machine does.
        #expect(ContinuousClock.now - begin < .seconds(20))
        server.hang(false)
      }
    }

    @Test("prefers a cycle that the server grants, and tells what it is")
    func cycle() throws {
      let server = try PipeWireFixture(quantum: 1024)
      try withSession { session, _ in
        try session.setPreferredIOBufferDuration(0.005)
        // The cycle is the nearest power of two.
        #expect(abs(session.ioBufferDuration * 48_000 - 256) < 1e-6)
        let unit = try PlayingUnit("pipewire", frames: 256)
        try unit.start()
        #expect(unit.waits(forFrames: 4_800))
        #expect(wait { abs(session.ioBufferDuration * 48_000 - 256) < 1e-6 })
        // Somebody fixes another cycle for all: that is what is told.
        try server.set("clock.force-quantum", 2_048)
        #expect(wait { abs(session.ioBufferDuration * 48_000 - 2_048) < 1e-6 })
        try server.set("clock.force-quantum", 0)
        try unit.stop()
      }
    }

    @Test("its category is the role of the streams")
    func role() throws {
      let server = try PipeWireFixture()
      try withSession { session, _ in
        for (category, mode, role) in [
          (AVAudioSession.Category.playback, AVAudioSession.Mode.default, "Music"),
          (.playback, .moviePlayback, "Movie"), (.ambient, .default, "Game"),
          (.playAndRecord, .voiceChat, "Communication"),
        ] {
          try session.setCategory(category, mode: mode)
          // With the preferences of this session, as `PlayingUnit` starts in this task.
          let unit = try PlayingUnit("pipewire", frames: 512)
          try unit.start()
          #expect(unit.waits(forFrames: 2_400))
          let dump = try server.run("pw-dump")
          #expect(dump.contains("\"media.role\": \"\(role)\""), "\(category.rawValue)")
          try unit.stop()
        }
      }
    }
  }
}
