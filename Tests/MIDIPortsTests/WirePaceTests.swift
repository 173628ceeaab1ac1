// SPDX-License-Identifier: Apache-2.0
import MIDIPorts
import Testing

@Suite("The pace of a port of hardware")
struct WirePaceTests {
  private var pace = WirePace()

  @Test("does not delay 4,000 bytes, and then lets 3,125 bytes pass in a second")
  mutating func drain() {
    let start: UInt64 = 5_000_000_000
    var count = 0
    while pace.hasRoom(for: 100, at: start) {
      pace.add(100, at: start)
      count += 100
    }
    #expect(count == 4_000)
    while pace.hasRoom(for: 125, at: start + 1_000_000_000) {
      pace.add(125, at: start + 1_000_000_000)
      count += 125
    }
    #expect(count == 4_000 + 3_125)
  }

  @Test("lets any message pass when nothing is on its way")
  mutating func long() {
    #expect(pace.hasRoom(for: 9_000, at: 1))
    pace.add(9_000, at: 1)
    #expect(!pace.hasRoom(for: 1, at: 2) && !pace.hasRoom(for: 1, at: 1_520_000_000))
    #expect(pace.hasRoom(for: 9_000, at: 2_880_000_001))
  }
}
