// SPDX-License-Identifier: Apache-2.0
import CCoreMIDI

/// The layout of packet lists: what their C functions do, and walks through them.
package enum PacketLists {
  /// The bytes of a list before its first packet.
  package static let headerSize = 4
  /// The bytes of a packet before its data.
  package static let packetHeaderSize = 10
  /// The most bytes in a packet.
  package static let dataLimit = Int(UInt16.max)

  /// [any thread] Where the first packet of a list is.
  package static func first(
    _ list: UnsafePointer<MIDIPacketList>
  ) -> UnsafePointer<MIDIPacket> {
    (UnsafeRawPointer(list) + headerSize).assumingMemoryBound(to: MIDIPacket.self)
  }

  /// [any thread] The bytes of a packet.
  package static func bytes(
    of packet: UnsafePointer<MIDIPacket>
  ) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: (UnsafeRawPointer(packet) + packetHeaderSize).assumingMemoryBound(to: UInt8.self),
      count: Int(packet.pointee.length))
  }

  /// [any thread] The time of a packet of a unit, in frames. A larger one is a host time, and counts as
  /// 0.
  package static func frames(of packet: UnsafePointer<MIDIPacket>) -> UInt32 {
    let time = packet.pointee.timeStamp
    return time < 1 << 31 ? UInt32(truncatingIfNeeded: time) : 0
  }

  /// [any thread] Calls `body` for each packet of a list; returns the bytes of the list, up to the
  /// end of the last packet.
  @discardableResult
  package static func forEach(
    in list: UnsafePointer<MIDIPacketList>, _ body: (UnsafePointer<MIDIPacket>) -> Void
  ) -> Int {
    var packet = first(list)
    var end = UnsafeRawPointer(packet)
    for _ in 0..<list.pointee.numPackets {
      end = UnsafeRawPointer(packet) + packetHeaderSize + Int(packet.pointee.length)
      let next = UnsafePointer(MIDIPacketNext(packet))
      body(packet)
      packet = next
    }
    return end - UnsafeRawPointer(list)
  }

  /// [any thread] The bytes of a list, up to the end of the last packet.
  package static func size(of list: UnsafePointer<MIDIPacketList>) -> Int {
    forEach(in: list) { _ in }
  }

  /// [any thread] Empties a list; returns where its first packet goes.
  package static func initialize(
    _ list: UnsafeMutablePointer<MIDIPacketList>
  ) -> UnsafeMutablePointer<MIDIPacket> {
    list.pointee.numPackets = 0
    return UnsafeMutablePointer(mutating: first(list))
  }

  /// [any thread] Appends bytes to the last packet of a list, or as a new packet; returns the packet
  /// that has them, nil if there is no room.
  package static func add(
    _ bytes: UnsafeBufferPointer<UInt8>, at time: MIDITimeStamp,
    to list: UnsafeMutablePointer<MIDIPacketList>, size: Int,
    after last: UnsafeMutablePointer<MIDIPacket>
  ) -> UnsafeMutablePointer<MIDIPacket>? {
    guard let source = bytes.baseAddress, !bytes.isEmpty else { return last }
    let isNew = list.pointee.numPackets == 0 || !canAppend(bytes, at: time, to: last)
    let packet = isNew && list.pointee.numPackets > 0 ? MIDIPacketNext(last) : last
    let oldCount = isNew ? 0 : Int(packet.pointee.length)
    let data = UnsafeMutableRawPointer(packet) + packetHeaderSize + oldCount
    guard bytes.count <= dataLimit,
      data - UnsafeMutableRawPointer(list) <= size - bytes.count
    else { return nil }
    data.copyMemory(from: source, byteCount: bytes.count)
    packet.pointee.length = UInt16(clamping: oldCount + bytes.count)
    if isNew {
      packet.pointee.timeStamp = time
      list.pointee.numPackets += 1
    }
    return packet
  }

  /// Whether bytes may follow in a packet: not those of system exclusive messages, which are alone in
  /// their packets.
  private static func canAppend(
    _ bytes: UnsafeBufferPointer<UInt8>, at time: MIDITimeStamp,
    to packet: UnsafeMutablePointer<MIDIPacket>
  ) -> Bool {
    let old = Self.bytes(of: packet)
    guard packet.pointee.timeStamp == time, old.count + bytes.count <= dataLimit,
      let oldFirst = old.first, let first = bytes.first
    else { return false }
    return oldFirst >= 0x80 && oldFirst != 0xf0 && first >= 0x80 && first != 0xf0 && first != 0xf7
  }
}
