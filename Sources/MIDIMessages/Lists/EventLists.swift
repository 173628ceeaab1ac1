// SPDX-License-Identifier: Apache-2.0
import CCoreMIDI

/// The layout of event lists: what their C functions do, and walks through them.
package enum EventLists {
  /// The bytes of a list before its first packet.
  package static var headerSize: Int { @_noLocks get { 8 } }
  /// The bytes of a packet before its words.
  package static var packetHeaderSize: Int { @_noLocks get { 12 } }
  /// The most words in a packet.
  package static var wordLimit: Int { @_noLocks get { 64 } }

  /// [any thread] Where the first packet of a list is.
  @_noLocks
  package static func first(
    _ list: UnsafePointer<MIDIEventList>
  ) -> UnsafePointer<MIDIEventPacket> {
    (UnsafeRawPointer(list) + headerSize).assumingMemoryBound(to: MIDIEventPacket.self)
  }

  /// [any thread] The words of a packet: not more than a packet has, whatever its count says.
  @_noLocks
  package static func words(
    of packet: UnsafePointer<MIDIEventPacket>
  ) -> UnsafeBufferPointer<UInt32> {
    UnsafeBufferPointer(
      start: (UnsafeRawPointer(packet) + packetHeaderSize).assumingMemoryBound(to: UInt32.self),
      count: min(Int(packet.pointee.wordCount), wordLimit))
  }

  /// [any thread] Where the next packet is, after one with this many words.
  @_noLocks
  package static func packet(
    after packet: UnsafePointer<MIDIEventPacket>, _ wordCount: Int
  ) -> UnsafePointer<MIDIEventPacket> {
    (UnsafeRawPointer(packet) + packetHeaderSize + 4 * wordCount)
      .assumingMemoryBound(to: MIDIEventPacket.self)
  }

  /// [any thread] The time of a packet for a unit, in frames. A larger one is a host time, as in lists
  /// that a port has received: it counts as 0.
  @_noLocks
  package static func frames(of packet: UnsafePointer<MIDIEventPacket>) -> UInt32 {
    let time = packet.pointee.timeStamp
    return time < 1 << 31 ? UInt32(truncatingIfNeeded: time) : 0
  }

  /// [any thread] Calls `body` for each packet of a list; returns the bytes of the list. A packet with
  /// more words than allowed ends the list.
  @discardableResult
  package static func forEach(
    in list: UnsafePointer<MIDIEventList>, _ body: (UnsafePointer<MIDIEventPacket>) -> Void
  ) -> Int {
    var packet = first(list)
    for _ in 0..<list.pointee.numPackets {
      guard packet.pointee.wordCount <= wordLimit else { break }
      let next = UnsafePointer(MIDIEventPacketNext(packet))
      body(packet)
      packet = next
    }
    return UnsafeRawPointer(packet) - UnsafeRawPointer(list)
  }

  /// [any thread] The bytes of a list.
  package static func size(of list: UnsafePointer<MIDIEventList>) -> Int {
    forEach(in: list) { _ in }
  }

  /// [any thread] Empties a list; returns where its first packet goes.
  package static func initialize(
    _ list: UnsafeMutablePointer<MIDIEventList>, _ protocolID: MIDIProtocolID
  ) -> UnsafeMutablePointer<MIDIEventPacket> {
    list.pointee.protocol = protocolID
    list.pointee.numPackets = 0
    return UnsafeMutablePointer(mutating: first(list))
  }

  /// [any thread] Appends words to the last packet of a list, or as a new packet; returns the packet
  /// that has them, nil if there is no room.
  package static func add(
    _ words: UnsafeBufferPointer<UInt32>, at time: MIDITimeStamp,
    to list: UnsafeMutablePointer<MIDIEventList>, size: Int,
    after last: UnsafeMutablePointer<MIDIEventPacket>
  ) -> UnsafeMutablePointer<MIDIEventPacket>? {
    guard let source = words.baseAddress, !words.isEmpty else { return last }
    guard words.count <= wordLimit else { return nil }
    let hasLast = list.pointee.numPackets > 0
    let oldCount = hasLast ? Int(clamping: last.pointee.wordCount) : 0
    let isNew =
      !hasLast || last.pointee.timeStamp != time || oldCount + words.count > wordLimit
    let packet = isNew && hasLast ? MIDIEventPacketNext(last) : last
    let data =
      UnsafeMutableRawPointer(packet) + packetHeaderSize + (isNew ? 0 : oldCount) * 4
    guard data - UnsafeMutableRawPointer(list) <= size - words.count * 4 else { return nil }
    data.copyMemory(from: source, byteCount: words.count * 4)
    packet.pointee.wordCount = UInt32(clamping: (isNew ? 0 : oldCount) + words.count)
    if isNew {
      packet.pointee.timeStamp = time
      list.pointee.numPackets += 1
    }
    return packet
  }
}
