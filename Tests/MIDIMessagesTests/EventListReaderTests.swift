// SPDX-License-Identifier: Apache-2.0
import CCoreMIDI
import MIDIMessages
import Testing

@Suite("Reading event lists without the heap")
struct EventListReaderTests {
  private struct Read: Equatable {
    let words: [UInt32]
    let frame: UInt32
  }

  /// What a list of packets has; `change` may damage it first.
  private func read(
    _ packets: [(time: UInt64, words: [UInt32])],
    _ change: (UnsafeMutablePointer<MIDIEventList>) -> Void = { _ in }
  ) -> [Read] {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 2_048, alignment: 8)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: 2_048)
    let list = memory.assumingMemoryBound(to: MIDIEventList.self)
    var last = EventLists.initialize(list, ._1_0)
    for (time, words) in packets {
      words.withUnsafeBufferPointer {
        if let packet = EventLists.add($0, at: time, to: list, size: 2_048, after: last) {
          last = packet
        }
      }
    }
    change(list)
    var reader = EventListReader(list)
    var all: [Read] = []
    while let entry = reader.next() {
      let message = entry.message
      all.append(
        Read(words: (0..<message.wordCount).map { message.words[$0] }, frame: entry.frame))
    }
    #expect(reader.next() == nil, "the end stays the end")
    return all
  }

  @Test("gives every message of every packet, with its time")
  func order() {
    let messages = read([
      (3, [0x2090_3c64, 0x4090_3c00, 0xffff_0000]), (7, [0x10f8_0000]),
      (1 << 40, [0x2080_3c40]),
    ])
    #expect(
      messages == [
        Read(words: [0x2090_3c64], frame: 3), Read(words: [0x4090_3c00, 0xffff_0000], frame: 3),
        Read(words: [0x10f8_0000], frame: 7), Read(words: [0x2080_3c40], frame: 0),
      ])
    #expect(read([]).isEmpty)
  }

  @Test("leaves out half a message, and what follows a packet that claims too many words")
  func damaged() {
    #expect(
      read([(1, [0x2090_3c64, 0x4090_3c00]), (2, [0x10f8_0000])]) == [
        Read(words: [0x2090_3c64], frame: 1), Read(words: [0x10f8_0000], frame: 2),
      ])
    let broken = read([(1, [0x2090_3c64]), (2, [0x10f8_0000]), (3, [0x10fa_0000])]) { list in
      let second = MIDIEventPacketNext(EventLists.first(list))
      second.pointee.wordCount = .max
    }
    #expect(broken == [Read(words: [0x2090_3c64], frame: 1)])
    #expect(read([(1, [0x10f8_0000])]) { EventLists.breakFirst($0) }.isEmpty)
  }

  @Test(
    "bytes of a message are packed from the lowest bits on",
    arguments: [
      (UniversalMessage(0x2090_3c64), [0x90, 60, 100]), (UniversalMessage(0x10f8_0000), [0xf8]),
      (UniversalMessage(0x3016_0102, 0x0304_0506), [0xf0, 1, 2, 3, 4, 5, 6]),
      (UniversalMessage(0x3006_0102, 0x0304_0506), [0xf0, 1, 2, 3, 4, 5, 6, 0xf7]),
      (UniversalMessage(0x4090_3c00, 0xffff_0000), []),
    ] as [(UniversalMessage, [UInt8])])
  func bytes(message: UniversalMessage, bytes: [UInt8]) {
    let packed = ByteMessage.packed(message)
    #expect(packed.count == bytes.count)
    var unpacked: [UInt8] = []
    for index in 0..<packed.count {
      let word: UInt64 = packed.bytes >> UInt64(8 * index)
      unpacked.append(UInt8(truncatingIfNeeded: word))
    }
    #expect(unpacked == bytes)
    let copy: [UInt8] = ByteMessage.with(message) { start, count in
      Array(UnsafeBufferPointer(start: start, count: count))
    }
    #expect(copy == bytes)
  }
}

extension EventLists {
  /// Lets the first packet of a list claim too many words.
  fileprivate static func breakFirst(_ list: UnsafeMutablePointer<MIDIEventList>) {
    UnsafeMutablePointer(mutating: first(list)).pointee.wordCount = 65
  }
}
