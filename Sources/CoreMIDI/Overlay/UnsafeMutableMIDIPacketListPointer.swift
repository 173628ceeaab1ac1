// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

/// A packet list in memory of the program, which keeps it alive. [one thread at a time]
///
/// Its elements are the packets, as pointers into the list.
public struct UnsafeMutableMIDIPacketListPointer: Sequence {
  private let list: UnsafeMutablePointer<MIDIPacketList>
  private let byteSize: Int
  private var last: UnsafeMutablePointer<MIDIPacket>

  /// Makes an empty list in memory of this many bytes. It must have those of the header, which are
  /// four.
  public init(_ p: UnsafeMutablePointer<MIDIPacketList>, byteSize: Int) {
    list = p
    self.byteSize = Swift.max(byteSize, 0)
    last = PacketLists.initialize(p)
  }

  /// The same, if there is memory.
  public init?(_ p: UnsafeMutablePointer<MIDIPacketList>?, byteSize: Int) {
    guard let p else { return nil }
    self.init(p, byteSize: byteSize)
  }

  /// The bytes of the memory.
  public var listSizeInBytes: Int { byteSize }

  /// The number of packets.
  public var count: Int { Int(list.pointee.numPackets) }

  /// The last packet; nil if there is none.
  public var lastPacket: UnsafeMutablePointer<MIDIPacket>? { count > 0 ? last : nil }

  /// Appends bytes: to the last packet if the time is the same, else as a new packet. Returns the
  /// packet, nil if there is no room.
  @discardableResult
  public mutating func append(
    timestamp: MIDITimeStamp, data: [UInt8]
  ) -> UnsafePointer<MIDIPacket>? {
    let packet = data.withUnsafeBufferPointer {
      PacketLists.add($0, at: timestamp, to: list, size: byteSize, after: last)
    }
    guard let packet else { return nil }
    last = packet
    return UnsafePointer(packet)
  }

  /// Removes all packets.
  public mutating func clear() { last = PacketLists.initialize(list) }

  /// An iterator before the first packet.
  public func makeIterator() -> MIDIPacketList.UnsafeSequence.Iterator {
    list.unsafeSequence().makeIterator()
  }
}
