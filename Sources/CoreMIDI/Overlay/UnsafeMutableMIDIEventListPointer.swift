// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

/// An event list in memory of the program, which keeps it alive. [one thread at a time]
///
/// Its elements are the packets, as pointers into the list.
public struct UnsafeMutableMIDIEventListPointer: Sequence {
  private let list: UnsafeMutablePointer<MIDIEventList>
  private let wordSize: Int
  private var last: UnsafeMutablePointer<MIDIEventPacket>

  /// Makes an empty list of a protocol in memory of this many words. It must have those of the
  /// header, which are two.
  public init(
    _ p: UnsafeMutablePointer<MIDIEventList>, wordSize: Int, inProtocol: MIDIProtocolID
  ) {
    list = p
    self.wordSize = Swift.min(Swift.max(wordSize, 0), Int(Int32.max))
    last = EventLists.initialize(p, inProtocol)
  }

  /// Makes an empty list, if there is memory, of the protocol that the list there has.
  public init?(_ p: UnsafeMutablePointer<MIDIEventList>?, wordSize: Int) {
    guard let p else { return nil }
    self.init(p, wordSize: wordSize, inProtocol: p.pointee.protocol)
  }

  /// The bytes of the memory.
  public var listSizeInBytes: Int { wordSize * 4 }

  /// The protocol of the list.
  public var midiProtocol: MIDIProtocolID { list.pointee.protocol }

  /// The number of packets.
  public var count: Int { Int(list.pointee.numPackets) }

  /// The last packet; nil if there is none.
  public var lastPacket: UnsafeMutablePointer<MIDIEventPacket>? { count > 0 ? last : nil }

  /// Appends words: to the last packet if the time is the same and it has room, else as a new
  /// packet. Returns the packet, nil if there is no room.
  @discardableResult
  public mutating func append(
    timestamp: MIDITimeStamp, words: [UInt32]
  ) -> UnsafePointer<MIDIEventPacket>? {
    let packet = words.withUnsafeBufferPointer {
      EventLists.add($0, at: timestamp, to: list, size: listSizeInBytes, after: last)
    }
    guard let packet else { return nil }
    last = packet
    return UnsafePointer(packet)
  }

  /// Removes all packets.
  public mutating func clear() { last = EventLists.initialize(list, midiProtocol) }

  /// An iterator before the first packet.
  public func makeIterator() -> MIDIEventList.UnsafeSequence.Iterator {
    list.unsafeSequence().makeIterator()
  }
}
