// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import Testing

@Suite("Conversion between MIDI 1.0 and MIDI 2.0")
struct ConversionTests {
  /// The channel message with this first word, and second word if it has one.
  private func message(_ first: UInt32, _ second: UInt32? = nil) -> UniversalMessage {
    second.map { UniversalMessage(first, $0) } ?? UniversalMessage(first)
  }

  private func upgraded(_ words: [UInt32]) -> [UInt32] {
    var upgrade = ProtocolUpgrade()
    var result: [UInt32] = []
    for word in words { upgrade.convert(message(word), into: &result) }
    return result
  }

  private func downgraded(_ first: UInt32, _ second: UInt32) -> [UInt32] {
    var result: [UInt32] = []
    ProtocolDowngrade.convert(message(first, second), into: &result)
    return result
  }

  @Test(
    "widens values as the specification's tables have them",
    arguments: [
      (7, 16, 0, 0), (7, 16, 64, 0x8000), (7, 16, 65, 0x8208), (7, 16, 100, 0xc924),
      (7, 16, 126, 0xfdf7), (7, 16, 127, 0xffff), (7, 32, 64, 0x8000_0000),
      (7, 32, 65, 0x8208_2082), (7, 32, 100, 0xc924_9249), (7, 32, 127, 0xffff_ffff),
      (14, 32, 8191, 0x7ffc_0000), (14, 32, 8192, 0x8000_0000), (14, 32, 8193, 0x8004_0020),
      (14, 32, 12_345, 0xc0e6_0730), (14, 32, 16_383, 0xffff_ffff),
    ] as [(UInt32, UInt32, UInt32, UInt32)])
  func tables(from: UInt32, to: UInt32, value: UInt32, expected: UInt32) {
    #expect(ValueScaling.widened(value, from: from, to: to) == expected)
  }

  @Test("gives every value of seven and fourteen bits back, in order")
  func roundTrip() {
    for (from, to) in [(7, 16), (7, 32), (14, 32)] as [(UInt32, UInt32)] {
      let wide = (0..<UInt32(1) << from).map { ValueScaling.widened($0, from: from, to: to) }
      #expect(wide.map { $0 >> (to - from) } == Array(0..<1 << from))
      #expect(zip(wide, wide.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @Test(
    "gives every message with every value back", arguments: [0xa, 0xd, 0xe, 0x8, 0x9] as [UInt32])
  func messages(status: UInt32) {
    for first in 0..<128 as Range<UInt32> {
      for second in 0..<128 as Range<UInt32> {
        // Only the wheel uses both as one value; pressure has one value, velocity 0 is a note-off.
        if status == 0xd, second > 0 { continue }
        if status == 0x9, second == 0 { continue }
        let word = 0x2305_0000 | status << 20 | first << 8 | second
        let wide = upgraded([word])
        guard wide.count == 2, wide[0] >> 28 == 4 else {
          Issue.record("\(word) became \(wide)")
          return
        }
        guard downgraded(wide[0], wide[1]) == [word] else {
          Issue.record("\(word) came back as \(downgraded(wide[0], wide[1]))")
          return
        }
      }
    }
  }

  @Test("makes a note-off of a note-on with velocity 0, and no velocity 0 of a soft note")
  func velocities() {
    #expect(upgraded([0x2090_3c00]) == [0x4080_3c00, 0x8000_0000])
    #expect(downgraded(0x4090_3c00, 0x00ff_0000) == [0x2090_3c01])
    #expect(downgraded(0x4080_3c00, 0x00ff_0000) == [0x2080_3c00])
  }

  @Test("holds a bank until the program that uses it")
  func banks() {
    #expect(upgraded([0x20c0_0500]) == [0x40c0_0000, 0x0500_0000])
    #expect(upgraded([0x20b0_0002, 0x20b0_2003, 0x20c0_0500]) == [0x40c0_0001, 0x0500_0203])
    #expect(upgraded([0x20b0_2003, 0x20c0_0500]) == [0x40c0_0001, 0x0500_0003])
    #expect(upgraded([0x20b1_0002, 0x20c0_0500]) == [0x40c0_0000, 0x0500_0000], "another channel")
    #expect(downgraded(0x40c0_0001, 0x0500_0203) == [0x20b0_0002, 0x20b0_2003, 0x20c0_0500])
    #expect(downgraded(0x40c0_0000, 0x0500_0203) == [0x20c0_0500])
  }

  @Test("makes one message of a parameter's number and value")
  func parameters() {
    let range: [UInt32] = [0x20b0_6500, 0x20b0_6400]
    #expect(upgraded(range).isEmpty)
    #expect(upgraded(range + [0x20b0_0602]) == [0x4020_0000, 256 << 18])
    #expect(
      upgraded(range + [0x20b0_0602, 0x20b0_2601]) == [
        0x4020_0000, 256 << 18, 0x4020_0000, 257 << 18,
      ])
    #expect(upgraded([0x20b0_0602, 0x20b0_2601]).isEmpty, "without a number")
    #expect(
      upgraded(range + [0x20b0_657f, 0x20b0_647f, 0x20b0_0602]).isEmpty, "127 and 127 select none")
    #expect(
      upgraded([0x20b0_6312, 0x20b0_6234, 0x20b0_0640]) == [0x4030_1234, 0x8000_0000])
    #expect(
      downgraded(0x4020_0001, 257 << 18) == [0x20b0_6500, 0x20b0_6401, 0x20b0_0602, 0x20b0_2601])
    #expect(
      downgraded(0x4030_1234, 0x8000_0000) == [
        0x20b0_6312, 0x20b0_6234, 0x20b0_0640, 0x20b0_2600,
      ])
  }

  @Test("drops what MIDI 1.0 does not have")
  func dropped() {
    for status in [0x0, 0x1, 0x4, 0x5, 0x6, 0xf] as [UInt32] {
      #expect(downgraded(0x4000_3c01 | status << 20, 0x8000_0000).isEmpty)
    }
    for index in [0, 6, 32, 38, 98, 99, 100, 101] as [UInt32] {
      #expect(downgraded(0x40b0_0000 | index << 8, 0x8000_0000).isEmpty)
    }
    #expect(downgraded(0x40b0_0700, 0x8000_0000) == [0x20b0_0740])
  }

  @Test("leaves messages of other types as they are")
  func others() {
    var upgrade = ProtocolUpgrade()
    for words in [[0x10f8_0000], [0x3016_0102, 0x0304_0506], [0x2000_0000]] as [[UInt32]] {
      let message =
        words.count == 1 ? UniversalMessage(words[0]) : UniversalMessage(words[0], words[1])
      var (up, down): ([UInt32], [UInt32]) = ([], [])
      upgrade.convert(message, into: &up)
      ProtocolDowngrade.convert(message, into: &down)
      #expect(down == words)
      #expect(up == (message.type == 2 ? [] : words), "a channel message without a status is none")
    }
  }
}
