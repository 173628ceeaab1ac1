// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import Testing

@Suite("Bytes of MIDI 1.0 and Universal MIDI Packets")
struct ByteStreamTests {
  private func parsed(_ parts: [UInt8]...) -> [UInt32] {
    var parser = ByteStreamParser()
    var words: [UInt32] = []
    for part in parts { part.withUnsafeBufferPointer { parser.parse($0, into: &words) } }
    return words
  }

  private func written(_ words: [UInt32]) -> [UInt8] {
    var writer = ByteStreamWriter()
    var bytes: [UInt8] = []
    words.withUnsafeBufferPointer { words in
      UniversalMessage.forEach(in: words) {
        writer.write($0, into: &bytes)
        bytes += writer.takeDeferred()
      }
    }
    return bytes
  }

  @Test(
    "are the same messages",
    arguments: [
      ([0x90, 60, 100], [0x2090_3c64]), ([0xc5, 7], [0x20c5_0700]), ([0xd5, 7], [0x20d5_0700]),
      ([0xe1, 1, 2], [0x20e1_0102]), ([0xf1, 5], [0x10f1_0500]), ([0xf2, 1, 2], [0x10f2_0102]),
      ([0xf3, 9], [0x10f3_0900]), ([0xf6], [0x10f6_0000]), ([0xf8], [0x10f8_0000]),
      ([0xff], [0x10ff_0000]), ([0xf0, 0xf7], [0x3000_0000, 0]),
      ([0xf0, 1, 2, 3, 0xf7], [0x3003_0102, 0x0300_0000]),
      ([0xf0, 1, 2, 3, 4, 5, 6, 0xf7], [0x3006_0102, 0x0304_0506]),
      ([0xf0, 1, 2, 3, 4, 5, 6, 7, 0xf7], [0x3016_0102, 0x0304_0506, 0x3031_0700, 0]),
    ] as [([UInt8], [UInt32])])
  func messages(bytes: [UInt8], words: [UInt32]) {
    #expect(parsed(bytes) == words)
    #expect(written(words) == bytes)
  }

  @Test("have running status, which packets do not need")
  func runningStatus() {
    #expect(
      parsed([0x90, 60, 100, 62], [101, 0xf8, 64, 0]) == [
        0x2090_3c64, 0x2090_3e65, 0x10f8_0000, 0x2090_4000,
      ])
    #expect(parsed([0x90, 60, 0xf6, 100, 60]) == [0x10f6_0000], "a system message ends it")
    #expect(parsed([60, 100, 0x80]).isEmpty)
  }

  @Test("may have real-time messages within a system exclusive message, and nothing else")
  func interruptions() {
    #expect(parsed([0xf0, 1, 0xf8, 2, 0xf7]) == [0x10f8_0000, 0x3002_0102, 0])
    #expect(
      parsed([0xf0, 1, 2, 0x90, 60, 100]) == [0x3002_0102, 0, 0x2090_3c64],
      "a status ends the message")
    #expect(parsed([0xf4, 1, 0xf9, 0xfd, 0xf7, 0xf5]).isEmpty, "they have no meaning")
    // In packets, another group's note comes between: it follows after the end.
    #expect(
      written([0x3016_0102, 0x0304_0506, 0x2190_3c64, 0x10f8_0000, 0x3031_0700, 0]) == [
        0xf0, 1, 2, 3, 4, 5, 6, 0xf8, 7, 0xf7, 0x90, 60, 100,
      ])
    #expect(written([0x3031_0700, 0, 0x3021_0700, 0]).isEmpty, "parts without a beginning")
    #expect(
      written([0x3011_0100, 0, 0x3111_0200, 0, 0x3031_0300, 0]) == [0xf0, 1, 3, 0xf7],
      "messages of two groups do not mix")
    #expect(
      written([0x3011_0100, 0, 0x3011_0200, 0]) == [0xf0, 1, 0xf7, 0xf0, 2],
      "a new message ends the one before")
    #expect(
      written([0x3012_0102, 0, 0x2190_3c64, 0x2090_3e64, 0x3031_0700, 0, 0x2080_3e00]) == [
        0xf0, 1, 2, 0xf7, 0x90, 60, 100, 0x90, 62, 100, 0x80, 62, 0,
      ], "a note of the same group ends it")
  }

  @Test("have the same system exclusive message, however it is split")
  func splits() {
    var random = SeededGenerator(7)
    for length in 0..<60 {
      let message = [0xf0] + (0..<length).map { UInt8($0) } + [0xf7] as [UInt8]
      let whole = parsed(message)
      #expect(written(whole) == message)
      for _ in 0..<5 {
        var parser = ByteStreamParser()
        var words: [UInt32] = []
        var rest = message[...]
        while !rest.isEmpty {
          let part = Array(rest.prefix(Int.random(in: 1...9, using: &random)))
          rest = rest.dropFirst(part.count)
          part.withUnsafeBufferPointer { parser.parse($0, into: &words) }
        }
        #expect(words == whole)
      }
    }
  }

  @Test("of any content become whole messages, and these whole messages of bytes")
  func fuzz() {
    var random = SeededGenerator(11)
    var parser = ByteStreamParser()
    var writer = ByteStreamWriter()
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...20, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      var words: [UInt32] = []
      bytes.withUnsafeBufferPointer { parser.parse($0, into: &words) }
      // What was read is read again as the same messages.
      var count = 0
      words.withUnsafeBufferPointer { words in
        UniversalMessage.forEach(in: words) { count += $0.wordCount }
      }
      #expect(count == words.count)
      #expect(words.isEmpty || (1...3).contains(words[0] >> 28))
      // Any words make bytes that are whole messages.
      let noise = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        UInt32.random(in: 0...UInt32.max, using: &random)
      }
      var output: [UInt8] = []
      noise.withUnsafeBufferPointer { words in
        UniversalMessage.forEach(in: words) {
          writer.write($0, into: &output)
          output += writer.takeDeferred()
        }
      }
      #expect(output.count <= noise.count * 8 + 4200)
    }
  }
}

/// A generator that makes the same numbers in each run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
