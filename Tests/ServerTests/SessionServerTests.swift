// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio
import AudioDevices
import AudioSessions
import AudioToolbox
import Foundation
import Synchronization
import Testing

extension Servers {
  /// What a session tells while a server's devices come and go.
  @Suite("An audio session on PipeWire", .serialized)
  struct SessionServerTests {
    /// What was posted, in words: "route newDeviceAvailable from null1".
    private final class Posts: Sendable {
      private let lines = Mutex<[String]>([])
      private let center = NotificationCenter()

      init(of session: AVAudioSession) {
        session.post(to: center)
        _ = center.addObserver(forName: nil, object: session, queue: nil) { [weak self] note in
          guard let self else { return }
          let text = words(note)
          lines.withLock { $0.append(text) }
        }
      }

      private func words(_ note: Notification) -> String {
        func number(_ key: String) -> UInt? { note.userInfo?[key] as? UInt }
        if let reason = number(AVAudioSessionRouteChangeReasonKey)
          .flatMap(AVAudioSession.RouteChangeReason.init)
        {
          let previous =
            note.userInfo?[AVAudioSessionRouteChangePreviousRouteKey]
            as? AVAudioSessionRouteDescription
          let ports = previous?.outputs.map { $0.uid.replacing("pipewire:", with: "") } ?? []
          return "route \(reason) from \(ports.joined(separator: "+"))"
        }
        if let type = number(AVAudioSessionInterruptionTypeKey)
          .flatMap(AVAudioSession.InterruptionType.init)
        {
          let reason = number(AVAudioSessionInterruptionReasonKey)
            .flatMap(AVAudioSession.InterruptionReason.init)
          let options = number(AVAudioSessionInterruptionOptionKey)
          return "interruption \(type)" + (reason.map { " \($0)" } ?? "")
            + (options == 1 ? " resume" : "")
        }
        return note.name.rawValue.replacing("AVAudioSession", with: "")
          .replacing("Notification", with: "")
      }

      /// All but inputs and volume, which have their own tests.
      var all: [String] {
        lines.withLock { $0 }.filter {
          !["AvailableInputsChange", "OutputVolumeDidChange"].contains($0)
        }
      }

      func forget() { lines.withLock { $0 = [] } }
    }

    /// A session on PipeWire, whatever the process's is.
    private func withSession(
      _ device: String = "pipewire", _ body: (AVAudioSession, Posts) throws -> Void
    ) throws {
      var environment = DeviceEnvironment()
      environment.device = DeviceName(device)
      try DevicePreferences.$current.withValue(DevicePreferences()) {
        try DeviceEnvironment.$override.withValue(environment) {
          let session = AVAudioSession(Session())
          let posts = Posts(of: session)
          try session.setCategory(.playback)
          try session.setActive(true)
          #expect(wait { posts.all.count == 1 })
          posts.forget()
          try body(session, posts)
        }
      }
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
        posts.forget()
        try server.makeDefault("extra")
        #expect(wait { posts.all == ["route override from null1"] }, "\(posts.all)")
        #expect(output(session) == "pipewire:extra")
        posts.forget()
        try server.remove("extra")
        #expect(wait { posts.all == ["route oldDeviceUnavailable from extra"] }, "\(posts.all)")
        #expect(output(session) == "pipewire:null1")
        posts.forget()
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
        posts.forget()
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
        posts.forget()
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
        posts.forget()
        try server.remove("extra")
        #expect(
          wait { posts.all.contains("interruption began routeDisconnected") }, "\(posts.all)")
        #expect(posts.all.first == "route noSuitableRouteForCategory from extra", "\(posts.all)")
        posts.forget()
        try server.addSink("extra")
        #expect(wait { posts.all.contains("interruption ended resume") }, "\(posts.all)")
        #expect(posts.all.contains("route newDeviceAvailable from "), "\(posts.all)")
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
        try session.setPreferredSampleRate(44_100)
        try session.setPreferredIOBufferDuration(0.005)
        // The server has its rate; the cycle is the nearest power of two.
        #expect(session.sampleRate == 48_000)
        #expect(session.preferredSampleRate == 44_100)
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
