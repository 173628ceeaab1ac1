// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

extension MIDIEventList {
  /// The packets of a list, as pointers into it. It is valid as long as the list.
  public struct UnsafeSequence: Sequence {
    private let list: UnsafePointer<MIDIEventList>

    /// Wraps a list.
    public init(_ list: UnsafePointer<MIDIEventList>) { self.list = list }

    /// The number of packets.
    public var count: Int { Int(list.pointee.numPackets) }

    /// An iterator before the first packet.
    public func makeIterator() -> Iterator {
      Iterator(packet: EventLists.first(list), left: count)
    }

    /// Goes from packet to packet.
    public struct Iterator: IteratorProtocol {
      fileprivate var packet: UnsafePointer<MIDIEventPacket>
      fileprivate var left: Int

      /// The next packet.
      public mutating func next() -> UnsafePointer<MIDIEventPacket>? {
        guard left > 0 else { return nil }
        left -= 1
        defer { if left > 0 { packet = UnsafePointer(MIDIEventPacketNext(packet)) } }
        return packet
      }
    }
  }

  /// The bytes of a list, up to the end of its last packet. [any thread]
  public static func sizeInBytes(pktList: UnsafePointer<MIDIEventList>) -> Int {
    EventLists.size(of: pktList)
  }
}

extension UnsafePointer where Pointee == MIDIEventList {
  /// The packets of the list, as pointers into it.
  public func unsafeSequence() -> MIDIEventList.UnsafeSequence { .init(self) }
}

extension UnsafeMutablePointer where Pointee == MIDIEventList {
  /// The packets of the list, as pointers into it.
  public func unsafeSequence() -> MIDIEventList.UnsafeSequence { .init(UnsafePointer(self)) }
}

extension MIDIEventPacket {
  /// The words of a packet. It is valid as long as the packet.
  public struct WordCollection: RandomAccessCollection {
    private let words: UnsafeBufferPointer<UInt32>

    /// Wraps a packet.
    public init(_ packet: UnsafePointer<MIDIEventPacket>) { words = EventLists.words(of: packet) }

    /// Wraps a packet, if there is one.
    public init?(_ packet: UnsafePointer<MIDIEventPacket>?) {
      guard let packet else { return nil }
      self.init(packet)
    }

    /// Zero.
    public var startIndex: Int { 0 }
    /// The number of words.
    public var endIndex: Int { words.count }
    /// The word at an index.
    public subscript(index: Int) -> UInt32 {
      precondition(words.indices.contains(index), "The packet has no such word")
      return words[index]
    }
  }

  /// The words of a packet, one after the other.
  public typealias WordSequence = WordCollection
}

extension UnsafePointer where Pointee == MIDIEventPacket {
  /// The words of the packet.
  public func sequence() -> MIDIEventPacket.WordSequence { .init(self) }

  /// The words of the packet.
  public func words() -> MIDIEventPacket.WordCollection { .init(self) }
}
