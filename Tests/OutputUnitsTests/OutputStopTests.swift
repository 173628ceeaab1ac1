// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

@Suite("Output units that their callbacks stop")
struct OutputStopTests {
  @Test("a device without a pace records no more than the cycle in which the stop was called")
  func stop() throws {
    // The start, or a query, may hold the unit's lock when the callback stops it.
    for _ in 0..<5 {
      let tape = Tape()
      let played = Counter()
      try onDevice(tape, clock: .fast) {
        let unit = try HostedUnit(kAudioUnitSubType_DefaultOutput)
        let handle = UInt(bitPattern: unit.handle)
        try unit.setCallback(
          HostCallback { moment in
            moment.fill { _, _ in 0.5 }
            let cycles = played.cycles.add(1, ordering: .relaxed).newValue
            if cycles == 20, let unit = AudioUnit(bitPattern: handle) {
              AudioOutputUnitStop(unit)
            }
            return noErr
          })
        try unit.initialize()
        try unit.start()
        for _ in 0..<200 {
          _ = try? unit.get(kAudioUnitProperty_Latency, as: Float64(0))
        }
        let isRunning = {
          (try? unit.get(kAudioOutputUnitProperty_IsRunning, as: UInt32(1))) ?? 1
        }
        #expect(wait { isRunning() == 0 })
        try unit.dispose()
      }
      #expect(played.cycles.load(ordering: .relaxed) == 20)
      #expect(try tape.samples()[0].count == 20 * 512)
    }
  }

  private final class Counter: Sendable { let cycles = Atomic(0) }
}
