// SPDX-License-Identifier: Apache-2.0
import CCoreMIDI
import MIDIMessages
import Testing

@Suite("Lists of messages")
struct ListTests {
  /// A packet list with an array of bytes for each time.
  private func list(_ packets: [(UInt64, [UInt8])]) -> MessageList {
    var writer = MessageListWriter(.bytes)
    for (time, bytes) in packets { bytes.withUnsafeBufferPointer { writer.add($0, at: time) } }
    return writer.list()
  }

  private func list(_ format: MessageFormat, _ packets: [(UInt64, [UInt32])]) -> MessageList {
    var writer = MessageListWriter(format)
    for (time, words) in packets { words.withUnsafeBufferPointer { writer.add($0, at: time) } }
    return writer.list()
  }

  private func packets(_ list: MessageList?) -> [[UInt8]] {
    var result: [[UInt8]] = []
    list?.forEachPacket { result.append(Array($1)) }
    return result
  }

  private func events(_ list: MessageList?) -> [[UInt32]] {
    var result: [[UInt32]] = []
    list?.forEachEvent { result.append(Array($1)) }
    return result
  }

  @Test("have packets at multiples of four bytes, whatever their length")
  func alignment() {
    let source = (1...9).map { (UInt64($0), Array(repeating: UInt8(0x41), count: $0)) }
    let list = list(source)
    var times: [UInt64] = []
    PacketLists.forEach(in: list.packets) { packet in
      #expect(UInt(bitPattern: packet) % 4 == 0)
      times.append(packet.pointee.timeStamp)
    }
    #expect(times == Array(1...9))
    #expect(packets(list) == source.map(\.1))
    #expect(list.latestTime == 9)
  }

  @Test("are copied as they are from any address", arguments: 0..<4)
  func addresses(offset: Int) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 1024, alignment: 8)
    defer { memory.deallocate() }
    let list = (memory + offset).assumingMemoryBound(to: MIDIPacketList.self)
    var last = PacketLists.initialize(list)
    for count in 1...5 {
      let packet = [UInt8](repeating: 0xf8, count: count).withUnsafeBufferPointer {
        PacketLists.add($0, at: UInt64(count), to: list, size: 1000, after: last)
      }
      last = packet ?? last
    }
    #expect(packets(MessageList(copying: list)).map(\.count) == [1, 2, 3, 4, 5])
  }

  @Test(
    "take as many bytes as their size allows, without the padding of the last packet",
    arguments: [1, 2, 3, 4, 5, 6, 258])
  func capacity(count: Int) {
    let size = 4 + 10 + count
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size + 8, alignment: 8)
    defer { memory.deallocate() }
    let list = memory.assumingMemoryBound(to: MIDIPacketList.self)
    let bytes = [UInt8](repeating: 0xf8, count: count + 1)
    bytes.withUnsafeBufferPointer { bytes in
      let first = PacketLists.initialize(list)
      #expect(PacketLists.add(bytes, at: 1, to: list, size: size, after: first) == nil)
      let part = UnsafeBufferPointer(rebasing: bytes.prefix(count))
      let packet = PacketLists.add(part, at: 1, to: list, size: size, after: first)
      #expect(packet == first)
      #expect(list.pointee.numPackets == 1)
      #expect(PacketLists.size(of: list) == size)
      #expect(
        PacketLists.add(part, at: 2, to: list, size: size, after: first) == nil, "it is full")
    }
  }

  @Test("join messages of one time in a packet, except system exclusive ones")
  func joining() {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 1024, alignment: 8)
    defer { memory.deallocate() }
    let list = memory.assumingMemoryBound(to: MIDIPacketList.self)
    var last = PacketLists.initialize(list)
    for (time, bytes) in [
      (5, [0x90, 60, 1]), (5, [0x90, 61, 1]), (6, [0x90, 62, 1]), (6, [0xf0, 1]), (6, [2, 0xf7]),
      (6, [0x80, 60, 0]), (6, [0xf8]),
    ] as [(UInt64, [UInt8])] {
      let packet = bytes.withUnsafeBufferPointer {
        PacketLists.add($0, at: time, to: list, size: 1024, after: last)
      }
      last = packet ?? last
      #expect(packet != nil)
    }
    #expect(
      packets(MessageList(copying: list)) == [
        [0x90, 60, 1, 0x90, 61, 1], [0x90, 62, 1], [0xf0, 1], [2, 0xf7], [0x80, 60, 0, 0xf8],
      ])
  }

  @Test("of events have at most 64 words in a packet, and no message is split")
  func events64() {
    let notes: [[UInt32]] = (0..<60).map { [0x4090_0000, $0] }
    let words = notes.flatMap(\.self) + [0x10f8_0000]
    let list = list(.events2, [(3, words)])
    #expect(events(list).map(\.count) == [64, 57])
    #expect(events(list).flatMap(\.self) == words)
    #expect(events(self.list(.events1, [(3, [0x3000_0000])])).isEmpty, "half a message is none")
  }

  @Test("that claim more words than a packet has end there")
  func hostileWordCount() {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 1024, alignment: 8)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: 1024)
    let list = memory.assumingMemoryBound(to: MIDIEventList.self)
    let first = EventLists.initialize(list, ._1_0)
    let packet = [UInt32](repeating: 0x10f8_0000, count: 2).withUnsafeBufferPointer {
      EventLists.add($0, at: 1, to: list, size: 1024, after: first)
    }
    #expect(packet == first)
    MIDIEventPacketNext(first).pointee.wordCount = .max
    list.pointee.numPackets = 2
    let copy = MessageList(copying: list)
    #expect(EventLists.words(of: MIDIEventPacketNext(first)).count == 64)
    #expect(copy.byteCount == 8 + 12 + 8)
    #expect(events(copy).count == 1)
  }

  @Test("of events have the channel messages of their protocol once they are converted")
  func mixed() {
    var to1 = MessageListConverter(to: .events1)
    var to2 = MessageListConverter(to: .events2)
    let words: [UInt32] = [0x2090_3c7f, 0x4080_3e00, 0x8000_0000]
    #expect(
      events(to1.convert(list(.events1, [(1, words)]))) == [[0x2090_3c7f, 0x2080_3e40]])
    #expect(
      events(to2.convert(list(.events2, [(1, words)]))) == [
        [0x4090_3c00, 0xffff_0000, 0x4080_3e00, 0x8000_0000]
      ])
    let pure = list(.events1, [(1, [0x2090_3c7f, 0x10f8_0000])])
    #expect(to1.convert(pure)?.events == pure.events)
  }

  @Test("of events get the nearest protocol if theirs is unknown")
  func unknownProtocol() {
    var list = MIDIEventList()
    _ = EventLists.initialize(&list, ._1_0)
    withUnsafeMutableBytes(of: &list) { $0.storeBytes(of: 77, as: Int32.self) }
    let copy = MessageList(copying: &list)
    #expect(copy.format == .events1 && copy.events.pointee.protocol == ._1_0)
  }

  @Test("are split where the time changes")
  func runs() {
    let list = list([(0, [0xf8]), (4, [0xfa]), (4, [0xfb]), (9, [0xfc])])
    var runs: [String] = []
    list.forEachRun({ $0 <= 4 ? 0 : $0 }) { runs.append("\($0): \(packets($1))") }
    #expect(runs == ["0: [[248], [250], [251]]", "9: [[252]]"])
  }

  @Test("are converted from each format to each other one, with their times")
  func formats() {
    let bytes = list([(1, [0x90, 60, 127]), (2, [0xb0, 7, 64, 0xf8])])
    var to1 = MessageListConverter(to: .events1)
    var to2 = MessageListConverter(to: .events2)
    var toBytes = MessageListConverter(to: .bytes)
    let events1 = to1.convert(bytes)
    #expect(events(events1) == [[0x2090_3c7f], [0x20b0_0740, 0x10f8_0000]])
    let events2 = to2.convert(bytes)
    #expect(
      events(events2) == [
        [0x4090_3c00, 0xffff_0000], [0x40b0_0700, 0x8000_0000, 0x10f8_0000],
      ])
    #expect(events2?.latestTime == 2)
    #expect(packets(events2.flatMap { toBytes.convert($0) }) == packets(bytes))
    #expect(packets(events1.flatMap { toBytes.convert($0) }) == packets(bytes))
    #expect(toBytes.convert(bytes)?.packets == bytes.packets, "the same format stays the same list")
  }

  @Test("have no running status from packet to packet, but system exclusive messages")
  func runningStatus() {
    var to1 = MessageListConverter(to: .events1)
    let bytes: [[UInt8]] = [
      [0xf0, 1, 2], [3, 0xf7], [0x90, 60, 100], [10, 11, 12, 0xf7], [0x90, 61],
    ]
    #expect(
      events(to1.convert(list(bytes.map { (UInt64(1), $0) }))).flatMap(\.self) == [
        0x3003_0102, 0x0300_0000, 0x2090_3c64,
      ])
    #expect(to1.convert(list([(2, [62, 63])])) == nil)
  }

  @Test("give a system exclusive message packets of its own")
  func systemExclusive() {
    var toBytes = MessageListConverter(to: .bytes)
    let words: [UInt32] = [0x2090_3c7f, 0x3002_0102, 0, 0x2080_3c00]
    #expect(
      packets(toBytes.convert(list(.events1, [(1, words)]))) == [
        [0x90, 60, 127], [0xf0, 1, 2, 0xf7], [0x80, 60, 0],
      ])
  }
}
