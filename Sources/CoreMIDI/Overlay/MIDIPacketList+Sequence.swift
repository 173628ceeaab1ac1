// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

extension MIDIPacketList {
  /// The packets of a list, as pointers into it. It is valid as long as the list.
  public struct UnsafeSequence: Sequence {
    private let list: UnsafePointer<MIDIPacketList>

    /// Wraps a list.
    public init(_ list: UnsafePointer<MIDIPacketList>) { self.list = list }

    /// The number of packets.
    public var count: Int { Int(list.pointee.numPackets) }

    /// An iterator before the first packet.
    public func makeIterator() -> Iterator {
      Iterator(packet: PacketLists.first(list), left: count)
    }

    /// Goes from packet to packet.
    public struct Iterator: IteratorProtocol {
      fileprivate var packet: UnsafePointer<MIDIPacket>
      fileprivate var left: Int

      /// The next packet.
      public mutating func next() -> UnsafePointer<MIDIPacket>? {
        guard left > 0 else { return nil }
        left -= 1
        defer { if left > 0 { packet = UnsafePointer(MIDIPacketNext(packet)) } }
        return packet
      }
    }
  }

  /// The bytes of a list, up to the end of its last packet. [any thread]
  public static func sizeInBytes(pktList: UnsafePointer<MIDIPacketList>) -> Int {
    PacketLists.size(of: pktList)
  }
}

extension UnsafePointer where Pointee == MIDIPacketList {
  /// The packets of the list, as pointers into it.
  public func unsafeSequence() -> MIDIPacketList.UnsafeSequence { .init(self) }
}

extension UnsafeMutablePointer where Pointee == MIDIPacketList {
  /// The packets of the list, as pointers into it.
  public func unsafeSequence() -> MIDIPacketList.UnsafeSequence { .init(UnsafePointer(self)) }
}

extension MIDIPacket {
  /// The bytes of a packet. It is valid as long as the packet.
  public struct ByteCollection: RandomAccessCollection {
    private let bytes: UnsafeBufferPointer<UInt8>

    /// Wraps a packet.
    public init(_ packet: UnsafePointer<MIDIPacket>) { bytes = PacketLists.bytes(of: packet) }

    /// Wraps a packet, if there is one.
    public init?(_ packet: UnsafePointer<MIDIPacket>?) {
      guard let packet else { return nil }
      self.init(packet)
    }

    /// Zero.
    public var startIndex: Int { 0 }
    /// The number of bytes.
    public var endIndex: Int { bytes.count }
    /// The byte at an index.
    public subscript(index: Int) -> UInt8 {
      precondition(bytes.indices.contains(index), "The packet has no such byte")
      return bytes[index]
    }
  }

  /// The bytes of a packet, one after the other.
  public typealias ByteSequence = ByteCollection
}

extension UnsafePointer where Pointee == MIDIPacket {
  /// The bytes of the packet.
  public func sequence() -> MIDIPacket.ByteSequence { .init(self) }

  /// The bytes of the packet.
  public func bytes() -> MIDIPacket.ByteCollection { .init(self) }
}
