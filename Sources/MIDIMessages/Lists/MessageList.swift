// SPDX-License-Identifier: Apache-2.0
import CCoreMIDI

/// What a list of messages contains.
package enum MessageFormat: Hashable, Sendable {
  /// Bytes of MIDI 1.0: a `MIDIPacketList`.
  case bytes
  /// Universal MIDI Packets with channel messages of MIDI 1.0: a `MIDIEventList`.
  case events1
  /// Universal MIDI Packets with channel messages of MIDI 2.0: a `MIDIEventList`.
  case events2

  /// The format of event lists with a protocol.
  package init(_ protocolID: MIDIProtocolID) {
    self = protocolID == ._2_0 ? .events2 : .events1
  }

  /// The protocol of its lists. Bytes are those of MIDI 1.0.
  package var protocolID: MIDIProtocolID { self == .events2 ? ._2_0 : ._1_0 }
}

/// A packet list or an event list in memory of its own, which does not change any more. Copies share it.
package struct MessageList: @unchecked Sendable {
  /// What is before the bytes.
  private struct Header {
    let format: MessageFormat
    let byteCount: Int
    let memory: UnsafeMutableRawPointer
  }

  /// The header and the bytes, which need one allocation.
  private let storage: ManagedBuffer<Header, UInt64>

  /// [any thread] Copies the first `byteCount` bytes of a list.
  fileprivate init(_ format: MessageFormat, copying source: UnsafeRawPointer, byteCount: Int) {
    let room = Self.room(for: byteCount)
    // Packets begin at addresses that are multiples of four, wherever the list begins.
    let offset = Int(bitPattern: source) & 3
    storage = .create(minimumCapacity: (room + offset + 7) / 8) { storage in
      storage.withUnsafeMutablePointerToElements { start in
        Header(
          format: format, byteCount: byteCount, memory: UnsafeMutableRawPointer(start) + offset)
      }
    }
    let memory = storage.header.memory
    memory.copyMemory(from: source, byteCount: byteCount)
    (memory + byteCount).initializeMemory(as: UInt8.self, repeating: 0, count: room - byteCount)
  }

  package var format: MessageFormat { storage.header.format }
  package var byteCount: Int { storage.header.byteCount }
  private var memory: UnsafeMutableRawPointer { storage.header.memory }

  /// The bytes to allocate: programs may read the fields of a whole packet, as it is declared.
  private static func room(for byteCount: Int) -> Int {
    max(byteCount, MemoryLayout<MIDIEventList>.size)
  }

  /// About the bytes of memory that the list takes, with its header and what the heap adds.
  package var memorySize: Int { Self.room(for: byteCount) + 64 }

  /// [any thread] A copy of a packet list; packets without a time get the time `now`.
  package init(copying list: UnsafePointer<MIDIPacketList>, now: MIDITimeStamp = 0) {
    self.init(.bytes, copying: list, byteCount: PacketLists.size(of: list))
    PacketLists.forEach(in: packets) { packet in
      if packet.pointee.timeStamp == 0 {
        UnsafeMutablePointer(mutating: packet).pointee.timeStamp = now
      }
    }
  }

  /// [any thread] A copy of an event list; packets without a time get the time `now`.
  package init(copying list: UnsafePointer<MIDIEventList>, now: MIDITimeStamp = 0) {
    var count: UInt32 = 0
    let byteCount = EventLists.forEach(in: list) { _ in count += 1 }
    self.init(MessageFormat(list.pointee.protocol), copying: list, byteCount: byteCount)
    let copy = UnsafeMutablePointer(mutating: events)
    copy.pointee.protocol = format.protocolID
    // A packet that is too long, and what follows it, has been left out.
    copy.pointee.numPackets = count
    EventLists.forEach(in: events) { packet in
      if packet.pointee.timeStamp == 0 {
        UnsafeMutablePointer(mutating: packet).pointee.timeStamp = now
      }
    }
  }

  /// The list, of format `bytes`.
  package var packets: UnsafePointer<MIDIPacketList> {
    UnsafePointer(memory.assumingMemoryBound(to: MIDIPacketList.self))
  }

  /// The list, of the other formats.
  package var events: UnsafePointer<MIDIEventList> {
    UnsafePointer(memory.assumingMemoryBound(to: MIDIEventList.self))
  }

  /// [any thread] Calls `body` with the time and the bytes of each packet, of format `bytes`.
  package func forEachPacket(
    _ body: (MIDITimeStamp, UnsafeBufferPointer<UInt8>) -> Void
  ) {
    PacketLists.forEach(in: packets) { body($0.pointee.timeStamp, PacketLists.bytes(of: $0)) }
  }

  /// [any thread] Calls `body` with the time and the words of each packet, of the other formats.
  package func forEachEvent(_ body: (MIDITimeStamp, UnsafeBufferPointer<UInt32>) -> Void) {
    EventLists.forEach(in: events) { body($0.pointee.timeStamp, EventLists.words(of: $0)) }
  }

  /// [any thread] Whether an event list has channel messages of the other protocol.
  package var isMixed: Bool {
    guard format != .bytes else { return false }
    let foreignType: UInt32 = format == .events1 ? 4 : 2
    var isMixed = false
    forEachEvent { _, words in
      UniversalMessage.forEach(in: words) { isMixed = isMixed || $0.type == foreignType }
    }
    return isMixed
  }

  /// [any thread] Whether there are only real-time messages, which may come between the parts of a
  /// system exclusive message.
  package var isRealTime: Bool {
    var isRealTime = true
    if format == .bytes {
      forEachPacket { _, bytes in isRealTime = isRealTime && bytes.allSatisfy { $0 >= 0xf8 } }
    } else {
      forEachEvent { _, words in
        UniversalMessage.forEach(in: words) { isRealTime = isRealTime && $0.isRealTime }
      }
    }
    return isRealTime
  }

  /// [any thread] The latest time of a packet; nil if there are no packets. The packets of a list
  /// should be in the order of their times, but need not be.
  package var latestTime: MIDITimeStamp? {
    var latest: MIDITimeStamp?
    if format == .bytes {
      forEachPacket { time, _ in latest = max(latest ?? 0, time) }
    } else {
      forEachEvent { time, _ in latest = max(latest ?? 0, time) }
    }
    return latest
  }

  /// [any thread] Calls `body` with a list for each run of packets that have the same `key`.
  package func forEachRun(
    _ key: (MIDITimeStamp) -> MIDITimeStamp, _ body: (MIDITimeStamp, MessageList) -> Void
  ) {
    var part = MessageListWriter(format)
    var current: MIDITimeStamp?
    func begin(_ time: MIDITimeStamp) {
      let next = key(time)
      guard next != current else { return }
      if let current, !part.isEmpty { body(current, part.list()) }
      part = MessageListWriter(format)
      current = next
    }
    if format == .bytes {
      forEachPacket { time, bytes in
        begin(time)
        part.add(bytes, at: time)
      }
    } else {
      forEachEvent { time, words in
        begin(time)
        part.add(words, at: time)
      }
    }
    if let current, !part.isEmpty { body(current, part.list()) }
  }

  /// [any thread] Whether there are no packets.
  package var isEmpty: Bool {
    format == .bytes ? packets.pointee.numPackets == 0 : events.pointee.numPackets == 0
  }
}

/// Makes a list of any length.
package struct MessageListWriter {
  private let format: MessageFormat
  private var memory: [UInt32]
  private var byteCount: Int
  private var packetCount: UInt32 = 0

  /// [any thread] An empty list.
  package init(_ format: MessageFormat) {
    self.format = format
    let protocolID = UInt32(bitPattern: format.protocolID.rawValue)
    memory = format == .bytes ? [0] : [protocolID, 0]
    byteCount = memory.count * 4
  }

  package var isEmpty: Bool { packetCount == 0 }

  /// [any thread] Appends a packet of bytes; none if there are no bytes. More bytes than a packet
  /// can have become several packets.
  package mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, at time: MIDITimeStamp) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeBufferPointer(rebasing: rest.prefix(PacketLists.dataLimit))
      rest = rest.dropFirst(part.count)
      let start = beginPacket(
        at: time, headerSize: PacketLists.packetHeaderSize, dataSize: part.count)
      memory.withUnsafeMutableBytes { memory in
        memory.storeBytes(
          of: UInt16(clamping: part.count), toByteOffset: start + 8, as: UInt16.self)
        UnsafeMutableRawBufferPointer(rebasing: memory[(start + PacketLists.packetHeaderSize)...])
          .copyMemory(from: UnsafeRawBufferPointer(part))
      }
    }
  }

  /// [any thread] Appends packets of whole messages; none if there are none.
  package mutating func add(_ words: UnsafeBufferPointer<UInt32>, at time: MIDITimeStamp) {
    var start = 0
    while start < words.count {
      // As many whole messages as a packet can have.
      var end = start
      while end < words.count {
        let next = end + UniversalMessage.wordCount(of: words[end])
        guard next <= words.count, next - start <= EventLists.wordLimit else { break }
        end = next
      }
      guard end > start else { return }
      let offset = beginPacket(
        at: time, headerSize: EventLists.packetHeaderSize, dataSize: (end - start) * 4)
      memory[offset / 4 + 2] = UInt32(clamping: end - start)
      for index in start..<end { memory[offset / 4 + 3 + index - start] = words[index] }
      start = end
    }
  }

  /// Appends the memory of a packet, with its time; returns where it begins.
  private mutating func beginPacket(
    at time: MIDITimeStamp, headerSize: Int, dataSize: Int
  ) -> Int {
    let start = (byteCount + 3) & ~3
    byteCount = start + headerSize + dataSize
    memory.append(contentsOf: repeatElement(0, count: (byteCount + 3) / 4 - memory.count))
    memory[start / 4] = UInt32(truncatingIfNeeded: time)
    memory[start / 4 + 1] = UInt32(truncatingIfNeeded: time >> 32)
    packetCount += 1
    memory[format == .bytes ? 0 : 1] = packetCount
    return start
  }

  /// [any thread] The list so far.
  package func list() -> MessageList {
    memory.withUnsafeBufferPointer { memory in
      guard let start = memory.baseAddress else { preconditionFailure() }
      return MessageList(format, copying: start, byteCount: byteCount)
    }
  }
}
