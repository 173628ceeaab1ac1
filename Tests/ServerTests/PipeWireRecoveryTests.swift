// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

extension Servers {
  /// Disturbs a tone in different ways, three times each; `make soak` does it a hundred times.
  @Suite("Recovery on PipeWire", .serialized)
  struct PipeWireRecoverySoak {
    /// Plays on a new server while it is disturbed, and checks the sound afterwards.
    private func disturb(
      _ device: String = "pipewire", hearing sink: String = "null1",
      _ disturb: (PipeWireFixture, PlayingUnit) throws -> Void,
      restore: (PipeWireFixture, PlayingUnit) throws -> Void
    ) throws {
      let server = try PipeWireFixture(quantum: 1024)
      let unit = try PlayingUnit(device, frames: 1024)
      try unit.start()
      #expect(unit.waits(forFrames: 24_000))
      var resources: ServerResources?
      for round in 0..<rounds {
        try disturb(server, unit)
        try restore(server, unit)
        #expect(unit.waits(forFrames: 12_000), "round \(round)")
        #expect(wait { unit.interruption == nil })
        // The first round allocates what is allocated once.
        if let resources {
          #expect(
            wait { ServerResources() == resources },
            "\(ServerResources()), and at first \(resources)")
        }
        resources = resources ?? ServerResources()
      }
      try listen(to: unit, sink)
      try unit.stop()
      let calls = unit.statistics.calls
      usleep(50_000)
      #expect(unit.statistics.calls == calls)
      #expect(unit.statistics.breaks == 0)
    }

    private func listen(to unit: PlayingUnit, _ sink: String) throws {
      try Servers.expectTone(late: { unit.lateCycles }) {
        try SinkRecorder("pipewire:\(sink).monitor").recording(seconds: 1.2)
      }
    }

    @Test("plays again after the server is killed and restarted")
    func killed() throws {
      try disturb { server, _ in
        server.stop()
      } restore: { server, _ in
        try server.start()
      }
    }

    @Test("waits for its selected device")
    func removed() throws {
      let server = try PipeWireFixture(quantum: 1024)
      try server.addSink("extra")
      let unit = try PlayingUnit("pipewire:extra", frames: 1024)
      try unit.start()
      for _ in 0..<rounds {
        try server.remove("extra")
        #expect(wait { unit.interruption != nil })
        // It plays to no other device meanwhile. The interruption is reported after the last cycle.
        let frames = unit.statistics.frames
        usleep(300_000)
        #expect(unit.statistics.frames == frames)
        #expect(unit.interruption != nil)
        try server.addSink("extra")
        #expect(unit.waits(forFrames: 12_000))
        #expect(wait { unit.interruption == nil })
      }
      try listen(to: unit, "extra")
      try unit.stop()
      #expect(unit.statistics.breaks == 0)
    }

    @Test("follows the default device, and keeps no resources of the previous one")
    func moved() throws {
      let server = try PipeWireFixture(quantum: 1024)
      let unit = try PlayingUnit("pipewire", frames: 1024)
      try unit.start()
      #expect(unit.waits(forFrames: 12_000))
      let events = ServerResources.events
      // A descriptor leak occurs about once in eight times.
      for _ in 0..<rounds * 5 {
        for sink in ["null2", "null1"] {
          try server.makeDefault(sink)
          #expect(try wait { try server.run("pw-link", "-l").contains("|-> \(sink):playback_FL") })
          #expect(unit.waits(forFrames: 4_800))
        }
      }
      #expect(
        wait { ServerResources.events <= events },
        "\(ServerResources.events) events, and at first \(events)")
      try listen(to: unit, "null1")
      try unit.stop()
      #expect(unit.statistics.breaks == 0)
    }

    @Test("stays in tune when the server changes its cycle size or its rate")
    func changedGraph() throws {
      try disturb { server, unit in
        try server.set("clock.force-quantum", 256)
        #expect(wait { unit.deviceCycle == 256 })
        try server.set("clock.force-rate", 44_100)
        #expect(wait { unit.deviceRate == 44_100 && unit.interruption == nil })
        #expect(unit.waits(forFrames: 4_800))
      } restore: { server, unit in
        try server.set("clock.force-quantum", 0)
        // A running graph keeps its rate until another is forced.
        try server.set("clock.force-rate", 48_000)
        #expect(wait { unit.deviceRate == 48_000 && unit.interruption == nil })
        try server.set("clock.force-rate", 0)
      }
    }

    @Test("plays again after the server hung, and can be stopped while it hangs")
    func hangs() throws {
      try disturb { server, unit in
        server.hang(true)
        #expect(wait { unit.interruption != nil })
      } restore: { server, _ in
        server.hang(false)
      }
      let server = try PipeWireFixture()
      let unit = try PlayingUnit("pipewire")
      try unit.start()
      #expect(unit.waits(forFrames: 4_800))
      server.hang(true)
      try unit.stop()
      let calls = unit.statistics.calls
      server.hang(false)
      usleep(200_000)
      #expect(unit.statistics.calls == calls)
    }
  }
}
