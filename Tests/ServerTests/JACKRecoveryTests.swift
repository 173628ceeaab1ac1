// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

extension Servers {
  @Suite("Recovery on JACK", .serialized)
  struct JACKRecoverySoak {
    /// Expects the tone at a recorder that is connected to the unit's first output.
    private func listen(to unit: PlayingUnit) throws {
      try Servers.expectTone(late: { unit.lateCycles }) {
        let recorder = try JACKPeer("recorder", records: true)
        let output = try #require(recorder.ports(":output_1$").first)
        #expect(recorder.connect(output, recorder.portName))
        #expect(wait { recorder.count > 56_000 })
        return Recording(channels: [recorder.signal]) { recorder.lostCycles }
      }
    }

    @Test("plays again after the server is killed and restarted, also at another rate")
    func killed() throws {
      let server = try JACKFixture(period: 512)
      let unit = try PlayingUnit("jack")
      try unit.start()
      var resources: ServerResources?
      for round in 0..<rounds {
        #expect(unit.waits(forFrames: 12_000))
        server.stop()
        try server.start(rate: round % 2 == 0 ? 44_100 : 48_000, period: 512)
        #expect(unit.waits(forFrames: 12_000))
        if let resources {
          #expect(
            wait { ServerResources() == resources },
            "\(ServerResources()), and at first \(resources)")
        }
        resources = resources ?? ServerResources()
      }
      if rounds % 2 != 0 {
        server.stop()
        try server.start(period: 512)
        #expect(unit.waits(forFrames: 48_000))
      }
      try listen(to: unit)
      try unit.stop()
      #expect(unit.statistics.breaks == 0)
    }

    @Test("continues to play when the server changes its period")
    func period() throws {
      let server = try JACKFixture(period: 512)
      let unit = try PlayingUnit("jack")
      try unit.start()
      for _ in 0..<rounds {
        for period in [1_024, 512] {
          try server.tool("jack_bufsize", String(period))
          #expect(wait { unit.statistics.lastFrames == period })
          #expect(unit.waits(forFrames: 12_000))
        }
      }
      try listen(to: unit)
      try unit.stop()
      #expect(unit.statistics.breaks == 0)
    }

    @Test("can be stopped while the server hangs, and started again afterwards")
    func hangs() throws {
      let server = try JACKFixture(period: 512)
      let unit = try PlayingUnit("jack")
      try unit.start()
      #expect(unit.waits(forFrames: 4_800))
      server.hang(true)
      try unit.stop()
      let calls = unit.statistics.calls
      server.hang(false)
      usleep(300_000)
      #expect(unit.statistics.calls == calls)
      #expect(wait { (try? unit.start()) != nil })
      #expect(unit.waits(forFrames: 24_000))
      try unit.stop()
    }
  }
}
