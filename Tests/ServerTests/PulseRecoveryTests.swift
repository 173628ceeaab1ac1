// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

extension Servers {
  /// What goes wrong while a tone plays, three times each; `make soak` does it a hundred times.
  @Suite("PulseAudio, when something goes wrong", .serialized)
  struct PulseRecoverySoak {
    /// Disturbs a tone again and again; each time it plays again, on the sink that `disturb` names.
    private func disturb(
      _ device: String, _ disturb: (PulseFixture, PlayingUnit, Int) throws -> String
    ) throws {
      let server = try PulseFixture(countsUnderruns: true)
      let unit = try PlayingUnit(device, frames: 1_024)
      try unit.start()
      #expect(unit.waits(forFrames: 24_000))
      var resources: ServerResources?
      var sink = "one"
      for round in 0..<rounds {
        sink = try disturb(server, unit, round)
        #expect(unit.waits(forFrames: 12_000), "round \(round)")
        let recorded = try server.recording(sink) { _ = unit.waits(forFrames: 12_000) }
        #expect(recorded[0].trimmed.count > 6_000, "round \(round): silence on \(sink)")
        // The first round makes what is made once.
        if let resources {
          #expect(
            wait { ServerResources() == resources }, "\(ServerResources()), at first \(resources)")
        }
        resources = resources ?? ServerResources()
      }
      try Servers.expectTone(late: { unit.lateCycles + server.underruns }) {
        Recording(channels: try server.recording(sink) { _ = unit.waits(forFrames: 56_000) })
      }
      try unit.stop()
      let calls = unit.statistics.calls
      usleep(50_000)
      #expect(unit.statistics.calls == calls)
      #expect(unit.statistics.breaks == 0)
    }

    @Test("plays again when the server was killed and has come back")
    func killed() throws {
      try disturb("pulse:one") { server, unit, _ in
        server.stop()
        #expect(wait { unit.interruption != nil })
        try server.start()
        return "one"
      }
    }

    @Test("waits for a sink that sleeps, and opens nothing anew meanwhile")
    func sleeping() throws {
      let server = try PulseFixture(hasListeners: false)
      try withExtendedLifetime(server) {
        let unit = try PlayingUnit("pulse:one", frames: 1_024)
        try unit.start()
        var interruptions = 0
        #expect(
          wait {
            interruptions += unit.interruption == nil ? 0 : 1
            return unit.statistics.frames > 48_000
          })
        #expect(interruptions == 0)
        #expect(unit.statistics.breaks == 0)
        try unit.stop()
      }
    }

    @Test("waits for the sink that it was told to use")
    func removed() throws {
      try disturb("pulse:two") { server, unit, _ in
        try server.remove("two")
        #expect(wait { unit.interruption != nil })
        let frames = unit.statistics.frames
        usleep(200_000)
        #expect(unit.statistics.frames == frames)  // it plays to no other meanwhile
        try server.addSink("two")
        return "two"
      }
    }

    @Test("follows the default sink")
    func moved() throws {
      try disturb("pulse") { server, _, round in
        let sink = round % 2 == 0 ? "two" : "one"
        try server.makeDefault(sink)
        return sink
      }
    }

    @Test("continues when the server has hung")
    func hung() throws {
      try disturb("pulse:one") { server, unit, _ in
        server.hang(true)
        #expect(wait { unit.interruption != nil })
        server.hang(false)
        return "one"
      }
    }
  }
}
