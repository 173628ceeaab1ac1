// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

extension Servers {
  /// Disturbs a tone in different ways, three times each; `make soak` does it a hundred times.
  @Suite("Recovery on PulseAudio", .serialized)
  struct PulseRecoverySoak {
    /// Disturbs a tone repeatedly. Each time it plays again, on the sink that `disturb` returns.
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
        // The first round allocates what is allocated once.
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

    @Test("plays again after the server is killed and restarted")
    func killed() throws {
      try disturb("pulse:one") { server, unit, _ in
        server.stop()
        #expect(wait { unit.interruption != nil })
        try server.start()
        return "one"
      }
    }

    @Test("waits for a sleeping sink without reopening the stream")
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

    @Test("waits for its selected sink")
    func removed() throws {
      try disturb("pulse:two") { server, unit, _ in
        try server.remove("two")
        #expect(wait { unit.interruption != nil })
        let frames = unit.statistics.frames
        usleep(200_000)
        #expect(unit.statistics.frames == frames)  // it plays to no other sink meanwhile
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

    @Test("continues after the server hung")
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
