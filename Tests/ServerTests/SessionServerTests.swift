// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio
import AudioDevices
import AudioToolbox
import Foundation
import Testing

extension Servers {
  /// The notifications of a session while a server's devices change.
  @Suite("Audio session on PipeWire", .serialized)
  struct SessionServerTests {
    /// The posted notifications, with the names of PipeWire's nodes alone.
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

    @Test("reports a sink that is added, made the default, removed and added again, in this order")
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
        // The session manager remembers the choice, so it becomes the default again immediately or
        // a moment later.
        try server.addSink("extra")
        #expect(wait { output(session) == "pipewire:extra" && !posts.all.isEmpty }, "\(posts.all)")
        #expect(wait { posts.all.first == "route newDeviceAvailable from null1" }, "\(posts.all)")
        #expect(posts.all.count <= 2, "\(posts.all)")
      }
    }

    @Test("reports the loss and the reset of the server, once each, while a unit plays")
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
        // It can be activated again only after the server is back.
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

    @Test("reports an interruption while the server hangs, and its end")
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

    @Test("reports that a unit waits for an unplugged device, and that it plays again")
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

    @Test("is activated without a long wait while the server hangs")
    func activation() throws {
      let server = try PipeWireFixture()
      try withSession { session, _ in
        server.hang(true)
        let begin = ContinuousClock.now
        try? session.setActive(true)
        _ = session.sampleRate
        try? session.setActive(false)
        // Much less than forever, whatever else the machine does.
        #expect(ContinuousClock.now - begin < .seconds(20))
        server.hang(false)
      }
    }

    @Test("prefers a cycle size that the server grants, and reports it")
    func cycle() throws {
      let server = try PipeWireFixture(quantum: 1024)
      try withSession { session, _ in
        try session.setPreferredIOBufferDuration(0.005)
        // The cycle size is the nearest power of two.
        #expect(abs(session.ioBufferDuration * 48_000 - 256) < 1e-6)
        let unit = try PlayingUnit("pipewire", frames: 256)
        try unit.start()
        #expect(unit.waits(forFrames: 4_800))
        #expect(wait { abs(session.ioBufferDuration * 48_000 - 256) < 1e-6 })
        // Another cycle size is forced for all programs, and reported.
        try server.set("clock.force-quantum", 2_048)
        #expect(wait { abs(session.ioBufferDuration * 48_000 - 2_048) < 1e-6 })
        try server.set("clock.force-quantum", 0)
        try unit.stop()
      }
    }

    @Test("sets the role of the streams by its category")
    func role() throws {
      let server = try PipeWireFixture()
      try withSession { session, _ in
        for (category, mode, role) in [
          (AVAudioSession.Category.playback, AVAudioSession.Mode.default, "Music"),
          (.playback, .moviePlayback, "Movie"), (.ambient, .default, "Game"),
          (.playAndRecord, .voiceChat, "Communication"),
        ] {
          try session.setCategory(category, mode: mode)
          // It uses the preferences of this session, because `PlayingUnit` starts in this task.
          let unit = try PlayingUnit("pipewire", frames: 512)
          try unit.start()
          #expect(unit.waits(forFrames: 2_400))
          #expect(
            try wait { try server.run("pw-dump").contains("\"media.role\": \"\(role)\"") },
            "\(category.rawValue)")
          try unit.stop()
        }
      }
    }
  }
}
