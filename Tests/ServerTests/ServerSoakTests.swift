// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

extension Servers {
  /// Plays a tone and a duplex unit on both servers in parallel, in cycles of 256 frames: for two
  /// seconds, or for as many minutes as `make soak` sets. Prints the counts of the servers.
  @Suite("Soak test of sound servers")
  struct ServerSoak {
    @Test("a tone and a duplex unit keep time on both servers")
    func long() throws {
      let pipeWire = try PipeWireFixture(quantum: 256)
      let jack = try JACKFixture(period: 256)
      defer { withExtendedLifetime((pipeWire, jack)) {} }
      let units = [
        ("PipeWire, tone", try PlayingUnit("pipewire:null2", frames: 256)),
        ("PipeWire, duplex", try PlayingUnit("pipewire:null1+null1.monitor", .loop, frames: 256)),
        ("JACK, tone", try PlayingUnit("jack", frames: 256)),
        ("JACK, duplex", try PlayingUnit("jack", .passThrough, frames: 256)),
      ]
      for (name, unit) in units {
        try unit.start()
        // The servers count only after the first request.
        #expect(try wait { try xruns(unit).mServerReports == 1 }, "\(name)")
        #expect(unit.waits(forFrames: 4_800), "\(name)")
      }
      let before = ProcessState()
      let frames = units.map { $0.1.statistics.frames }
      let start = ContinuousClock.now
      let end = start + .seconds(minutes.map { $0 * 60 } ?? 2)
      var interruptions = 0
      while ContinuousClock.now < end {
        usleep(100_000)
        for (name, unit) in units {
          if let reason = unit.interruption {
            interruptions += 1
            print("\(name): \(reason)")
            #expect(wait { unit.interruption == nil }, "\(name)")
          }
        }
      }
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      let after = ProcessState()
      for ((name, unit), first) in zip(units, frames) {
        let xruns = try xruns(unit)
        try unit.stop()
        let statistics = unit.statistics
        let share = Double(statistics.frames - first) / 48_000 / seconds
        print(
          "\(name): \(statistics.frames) frames in \(statistics.calls) calls, "
            + "\((share * 1_000_000).rounded() / 10_000) % of the clock's; breaks of the timeline "
            + "\(statistics.breaks); late or left out \(xruns.mCount); xruns as the server counts them "
            + "\(xruns.mServerCount)"
            + (statistics.delays.count > 0
              ? "; round trip \(statistics.delays.min) to \(statistics.delays.max) frames, "
                + "\(statistics.delays.count) times" : ""))
        #expect(statistics.frames > 0 && statistics.breaks == 0 && statistics.failures == 0)
        #expect(statistics.heapOperations == 0)
      }
      print("\(Int(seconds)) s, \(interruptions) interruptions")
      print("at first: \(before)")
      print("at last:  \(after)")
      #expect(
        after.threadCount <= before.threadCount
          && after.descriptorCount <= before.descriptorCount)
      #expect(after.heapBytes - before.heapBytes < 1 << 20)
    }

    private func xruns(_ unit: PlayingUnit) throws -> AUDiagnosticsXruns {
      try unit.get(kAUDiagnosticsProperty_Xruns, AUDiagnosticsXruns())
    }
  }
}
