// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Testing

@Suite("Instruments in forked processes", .enabled(if: InstrumentHost.isAvailable), .serialized)
struct InstrumentForkTests {
  /// The loudest sample of a note, or 0 if it cannot be played.
  private func peak(_ synth: InstrumentHost) -> Double {
    guard (try? synth.send(0x90, 60, 100)) != nil else { return 0 }
    return (try? synth.render(4_096).peak) ?? 0
  }

  @Test("a child plays the instrument of its parent, and loads a bank", .timeLimit(.minutes(5)))
  func plays() throws {
    let played = try InstrumentHost()
    try #require(peak(played) > 0)
    let result = try forked {
      guard peak(played) > 0 else { return 1 }
      return (try? InstrumentHost()).map { peak($0) > 0 ? 42 : 2 } ?? 3
    }
    #expect(result == 42)
  }
}
