// SPDX-License-Identifier: Apache-2.0
import CCoreMIDI
import Foundation
import MIDIMessages
import Testing

/// The number of random trials; `make fuzz` sets more.
private let rounds =
  ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_ROUNDS"].flatMap(Int.init) ?? 300

/// Random numbers that are the same in each run.
private struct Random: RandomNumberGenerator {
  var state: UInt64
  init(_ seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0x9e37_79b9_7f4a_7c15 | 1 }
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state ^ state >> 33) &* 0xff51_afd7_ed55_8ccd
  }

  mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  /// Bytes of which many begin or end messages.
  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in
      switch number(8) {
      case 0: [0xf0, 0xf7, 0xf8, 0xff, 0xf1, 0xf2, 0xf4, 0xf6][number(8)]
      case 1: UInt8(0x80 + number(0x70))
      case 2: UInt8(number(256))
      default: UInt8(number(128))
      }
    }
  }

  /// Words of which many begin messages that have a meaning.
  mutating func words(_ count: Int) -> [UInt32] {
    (0..<count).map { _ in
      let word = UInt32(truncatingIfNeeded: next())
      return switch number(8) {
      case 0: word
      case 1: 1 << 28 | word & 0x0fff_ffff
      case 2: 2 << 28 | word & 0x01ff_7f7f
      case 3, 4: 3 << 28 | UInt32(number(2)) << 24 | UInt32(number(5)) << 20 | word & 0x7_7f7f
      default: 4 << 28 | word & 0x01ff_7f7f
      }
    }
  }
}

/// Random messages may become others or be dropped, but they never crash, hang or grow; a failure names
/// its round.
@Suite("Fuzz: MIDI messages")
struct MessageFuzzTests {
  private func parsed(_ parts: [ArraySlice<UInt8>]) -> [UInt32] {
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

  @Test("bytes that are split anywhere are the same messages, and so are the bytes of these")
  func bytes() {
    for round in 0..<rounds {
      var random = Random(round)
      let bytes = random.bytes(1 + random.number(120))
      let words = parsed([bytes[...]])
      var rest = bytes[...]
      var parts: [ArraySlice<UInt8>] = []
      while !rest.isEmpty {
        parts.append(rest.prefix(random.number(9)))
        rest = rest.dropFirst(parts.last?.count ?? 0)
      }
      #expect(parsed(parts) == words, "round \(round)")
      #expect(words.count <= 2 * bytes.count, "round \(round)")
      // Real-time messages come between the parts of a system exclusive message, which may be other
      // parts then.
      let ended = parsed([bytes[...], [0xf7]])
      let again = parsed([written(ended)[...]])
      #expect(
        messages(again, areRealTime: true) == messages(ended, areRealTime: true), "round \(round)")
      #expect(
        messages(again, areRealTime: false) == messages(ended, areRealTime: false), "round \(round)"
      )
    }
  }

  @Test("event lists convert to lists of each format, and stay about as long", arguments: 0..<3)
  func events(target: Int) {
    let format = [MessageFormat.bytes, .events1, .events2][target]
    for round in 0..<rounds {
      var random = Random(round)
      var converter = MessageListConverter(to: format)
      var (given, made) = (0, 0)
      for _ in 0..<4 {
        let list = list(of: random.words(1 + random.number(80)), from: &random)
        given += list.byteCount
        guard let result = converter.convert(list) else { continue }
        made += result.byteCount
        check(result, format, "round \(round)")
        if format != .bytes { #expect(read(result) == messages(result), "round \(round)") }
      }
      // One message becomes four at most, and each may get a packet of its own.
      #expect(made <= 8 * given + 4_096, "round \(round)")
    }
  }

  private func messages(_ words: [UInt32], areRealTime: Bool) -> [UniversalMessage] {
    var messages: [UniversalMessage] = []
    words.withUnsafeBufferPointer { words in
      UniversalMessage.forEach(in: words) {
        if $0.isRealTime == areRealTime { messages.append($0) }
      }
    }
    return messages
  }

  /// A list whose packets end anywhere.
  private func list(of words: [UInt32], from random: inout Random) -> MessageList {
    var writer = MessageListWriter(random.number(2) == 0 ? .events1 : .events2)
    var rest = words[...]
    while !rest.isEmpty {
      let part = rest.prefix(1 + random.number(70))
      part.withUnsafeBufferPointer {
        writer.add($0, at: random.next() >> UInt64(random.number(64)))
      }
      rest = rest.dropFirst(part.count)
    }
    return writer.list()
  }

  private func check(_ list: MessageList, _ format: MessageFormat, _ comment: Comment) {
    #expect(list.format == format && !list.isEmpty, comment)
    if format == .bytes {
      list.forEachPacket { _, bytes in #expect(!bytes.isEmpty, comment) }
    } else {
      #expect(!list.isMixed, comment)
      list.forEachEvent { _, words in #expect(1...64 ~= words.count, comment) }
    }
  }

  private func messages(_ list: MessageList) -> [UniversalMessage] {
    var messages: [UniversalMessage] = []
    list.forEachEvent { _, words in UniversalMessage.forEach(in: words) { messages.append($0) } }
    return messages
  }

  /// The messages as render threads read them.
  private func read(_ list: MessageList) -> [UniversalMessage] {
    var reader = EventListReader(list.events)
    var messages: [UniversalMessage] = []
    while let entry = reader.next() { messages.append(entry.message) }
    return messages
  }

  @Test("packet lists of any bytes convert to event lists and back")
  func packets() {
    for round in 0..<rounds {
      var random = Random(round)
      var (upgrade, back) = (
        MessageListConverter(to: .events2), MessageListConverter(to: .bytes)
      )
      for _ in 0..<4 {
        var writer = MessageListWriter(.bytes)
        for time in 0..<random.number(6) {
          let bytes = random.bytes(random.number(60))
          bytes.withUnsafeBufferPointer { writer.add($0, at: UInt64(time)) }
        }
        guard let events = upgrade.convert(writer.list()) else { continue }
        check(events, .events2, "round \(round)")
        guard let packets = back.convert(events) else { continue }
        check(packets, .bytes, "round \(round)")
      }
    }
  }

  @Test("lists with any number of packets of any length are read to their end, and not beyond")
  func layouts() {
    let size = 3 * (PacketLists.packetHeaderSize + PacketLists.dataLimit) + 64
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0x5a, count: size)
    for round in 0..<rounds {
      var random = Random(round)
      for offset in 0..<48 {
        (memory + offset).storeBytes(of: UInt8(random.number(256)), as: UInt8.self)
      }
      // Three packets are in the memory whatever their lengths are.
      memory.storeBytes(of: UInt32(random.number(4)), as: UInt32.self)
      let copy = MessageList(copying: memory.assumingMemoryBound(to: MIDIPacketList.self))
      #expect(copy.byteCount <= size, "round \(round)")
      var count: UInt32 = 0
      copy.forEachPacket { _, _ in count += 1 }
      #expect(count == copy.packets.pointee.numPackets, "round \(round)")
      // A count of words that no packet has ends the list, so that any number of packets is possible.
      let events = memory.assumingMemoryBound(to: MIDIEventList.self)
      events.pointee.numPackets = random.number(3) == 0 ? .max : UInt32(random.number(5))
      if random.number(2) == 0 { events.pointee.packet.wordCount = UInt32(random.number(66)) }
      let eventCopy = MessageList(copying: events)
      #expect(eventCopy.byteCount <= 8 + 4 * 268, "round \(round)")
      #expect(read(eventCopy) == messages(eventCopy), "round \(round)")
    }
  }

  @Test("lists are built within their size, and have what was added")
  func building() {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 2_048, alignment: 8)
    defer { memory.deallocate() }
    for round in 0..<rounds {
      var random = Random(round)
      let size = 14 + random.number(700)
      memory.initializeMemory(as: UInt8.self, repeating: 0xa5, count: 2_048)
      let isBytes = random.number(2) == 0
      isBytes
        ? buildPackets(memory, size, &random, round) : buildEvents(memory, size, &random, round)
      let rest = UnsafeRawBufferPointer(start: memory + size, count: 2_048 - size)
      #expect(rest.allSatisfy { $0 == 0xa5 }, "round \(round)")
    }
  }

  private func buildPackets(
    _ memory: UnsafeMutableRawPointer, _ size: Int, _ random: inout Random, _ round: Int
  ) {
    let list = memory.assumingMemoryBound(to: MIDIPacketList.self)
    var last = PacketLists.initialize(list)
    var added: [UInt8] = []
    for _ in 0..<random.number(30) {
      let bytes = random.bytes(random.number(80))
      let packet = bytes.withUnsafeBufferPointer {
        PacketLists.add($0, at: UInt64(random.number(3)), to: list, size: size, after: last)
      }
      guard let packet else { continue }
      last = packet
      added += bytes
    }
    var found: [UInt8] = []
    MessageList(copying: list).forEachPacket { found += $1 }
    #expect(found == added, "round \(round)")
  }

  private func buildEvents(
    _ memory: UnsafeMutableRawPointer, _ size: Int, _ random: inout Random, _ round: Int
  ) {
    let list = memory.assumingMemoryBound(to: MIDIEventList.self)
    var last = EventLists.initialize(list, ._2_0)
    var added: [UInt32] = []
    for _ in 0..<random.number(30) {
      let words = random.words(random.number(70))
      let packet = words.withUnsafeBufferPointer {
        EventLists.add($0, at: UInt64(random.number(3)), to: list, size: size, after: last)
      }
      guard let packet else { continue }
      last = packet
      added += words
    }
    var found: [UInt32] = []
    MessageList(copying: list).forEachEvent { found += $1 }
    #expect(found == added, "round \(round)")
  }
}
