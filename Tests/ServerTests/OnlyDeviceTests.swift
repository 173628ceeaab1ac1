// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio
import AudioDevices
import AudioToolbox
import Foundation
import Testing

extension Servers {
  /// The notifications of a session while a server loses its only device, and gets it again.
  @Suite("The only device of a server", .serialized)
  struct OnlyDeviceTests {
    private static let lost = ["MediaServicesWereLost", "MediaServicesWereReset"]

    /// Waits until everything was posted, and nothing of the server's end.
    private func expect(
      _ expected: [String], _ posts: SessionPosts, _ place: SourceLocation = #_sourceLocation
    ) {
      #expect(
        wait(seconds: 60) { expected.allSatisfy(posts.all.contains) }, "\(posts.all)",
        sourceLocation: place)
      #expect(Set(posts.all).isDisjoint(with: Self.lost), "\(posts.all)", sourceLocation: place)
      #expect(posts.all.count == expected.count, "\(posts.all)", sourceLocation: place)
      posts.clear()
    }

    private func expectRemoval(
      _ backend: String, _ sink: String, playing: Bool, remove: () throws -> Void,
      add: () throws -> Void
    ) throws {
      let device = "\(backend):\(sink)"
      try withServerSession(backend) { session, posts in
        let unit = try PlayingUnit(backend, frames: 512)
        if playing {
          try unit.start()
          #expect(unit.waits(forFrames: 12_000, seconds: 60))
        }
        #expect(wait { session.currentRoute.outputs.first?.uid == device })
        posts.clear()
        try remove()
        expect(
          [
            "route noSuitableRouteForCategory from \(device)",
            "interruption began routeDisconnected",
          ], posts)
        #expect(session.currentRoute.outputs.isEmpty)
        #expect(throws: (any Error).self) { try session.setActive(true) }
        try add()
        expect(
          ["route newDeviceAvailable from ", "interruption ended" + (playing ? " resume" : "")],
          posts)
        try session.setActive(true)
        #expect(session.currentRoute.outputs.first?.uid == device)
        if playing { #expect(unit.waits(forFrames: 12_000, seconds: 60)) }
        try unit.stop()
      }
    }

    @Test(
      "on PipeWire, its removal is a change of the route and an interruption",
      arguments: [true, false])
    func pipeWire(playing: Bool) throws {
      let server = try PipeWireFixture()
      try server.remove("null2")
      try expectRemoval("pipewire", "null1", playing: playing) {
        try server.remove("null1")
      } add: {
        try server.addSink("null1")
      }
    }

    @Test(
      "on PulseAudio, its removal is a change of the route and an interruption",
      arguments: [true, false])
    func pulse(playing: Bool) throws {
      let server = try PulseFixture()
      try server.remove("two")
      try expectRemoval("pulse", "one", playing: playing) {
        try server.remove("one")
      } add: {
        try server.addSink("one")
      }
    }

    @Test("the end of a server without devices is reported as the loss of media services")
    func server() throws {
      let server = try PipeWireFixture()
      try server.remove("null2")
      try withServerSession("pipewire") { session, posts in
        try server.remove("null1")
        #expect(wait(seconds: 60) { session.currentRoute.outputs.isEmpty && posts.all.count == 2 })
        posts.clear()
        server.stop()
        #expect(wait(seconds: 60) { posts.all == ["MediaServicesWereLost"] }, "\(posts.all)")
        try server.start()
        #expect(
          wait(seconds: 60) { posts.all.contains("MediaServicesWereReset") }, "\(posts.all)")
        #expect(wait(seconds: 60) { posts.all.contains { $0.hasPrefix("interruption ended") } })
        #expect(session.currentRoute.outputs.first?.uid == "pipewire:null1")
      }
    }
  }
}
