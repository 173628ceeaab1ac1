// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@testable import BuiltInUnits

@Suite("Instruments with many notes", .enabled(if: InstrumentHost.isAvailable))
struct InstrumentPolyphonyTests {
  @Test("fall silent after more notes than they have voices for")
  func manyNotes() throws {
    let synth = try InstrumentHost(dry: false)
    for _ in 0..<4 {
      for index in 0..<2_000 as Range<UInt32> {
        let status: UInt32 = index % 2 == 0 ? 0x90 : 0x80
        try synth.send(status | index * 7 / 3 % 4, 24 + index % 64, 90, at: index % 300)
      }
      #expect(try synth.render(480).peak > 0)
    }
    for channel in 0..<16 as Range<UInt32> { try synth.send(0xb0 | channel, 120) }
    _ = try synth.render(48_000 * 8)
    #expect(try synth.render(480).peak == 0)
  }

  @Test("receive notes from four threads while they render, and lose none")
  func threads() throws {
    let synth = try InstrumentHost(dry: false)
    let unit = HandleBox(synth.unit)
    let writers = (0..<4 as Range<UInt32>).map { writer in
      OwnThread { () -> Int in
        var refused = 0
        for index in 0..<3_000 as Range<UInt32> {
          let key = 24 + index % 64
          let status = index % 2 == 0 ? 0x90 : 0x80 as UInt32
          if MusicDeviceMIDIEvent(unit.unit, status | writer, key, 90, index % 300) != noErr {
            refused += 1
          }
          if index % 16 == 0 { usleep(200) }
        }
        return refused
      }
    }
    for _ in 0..<200 { #expect(try synth.render(480).samples.allSatisfy(\.isFinite)) }
    for writer in writers { _ = writer.join() }
    // The last events are rendered here.
    for _ in 0..<4 { _ = try synth.render(480) }
    for channel in 0..<16 as Range<UInt32> { try synth.send(0xb0 | channel, 120) }
    _ = try synth.render(48_000 * 8)
    #expect(try synth.render(480).peak == 0)
  }

  /// A handle for other threads.
  private struct HandleBox: @unchecked Sendable {
    let unit: AudioUnit
    init(_ unit: AudioUnit) { self.unit = unit }
  }
}
