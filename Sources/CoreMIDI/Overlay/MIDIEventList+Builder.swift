// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

extension MIDIEventList {
  /// Makes an event list in memory of a fixed size. [one thread at a time]
  public final class Builder {
    private let memory: UnsafeMutableRawPointer
    private let byteSize: Int
    private let protocolID: MIDIProtocolID
    private var last: UnsafeMutablePointer<MIDIEventPacket>

    /// An empty list of a protocol, in memory for this many words, packet headers included.
    public init(inProtocol: MIDIProtocolID, wordSize: Int) {
      let words = min(max(wordSize, 0), Int(Int32.max))
      byteSize = max(words * 4, MemoryLayout<MIDIEventList>.size)
      protocolID = inProtocol
      memory = .allocate(byteCount: byteSize, alignment: 8)
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteSize)
      last = EventLists.initialize(
        memory.assumingMemoryBound(to: MIDIEventList.self), inProtocol)
    }

    deinit { memory.deallocate() }

    private var list: UnsafeMutablePointer<MIDIEventList> {
      memory.assumingMemoryBound(to: MIDIEventList.self)
    }

    /// The number of packets.
    public var count: Int { Int(list.pointee.numPackets) }

    /// The bytes of the list.
    public var listSizeInBytes: Int { EventLists.size(of: list) }

    /// Appends words: to the last packet if the time is the same and it has room, else as a new
    /// packet. Returns the packet, nil if there is no room.
    @discardableResult
    public func append(timestamp: MIDITimeStamp, words: [UInt32]) -> UnsafePointer<MIDIEventPacket>?
    {
      let packet = words.withUnsafeBufferPointer {
        EventLists.add($0, at: timestamp, to: list, size: byteSize, after: last)
      }
      guard let packet else { return nil }
      last = packet
      return UnsafePointer(packet)
    }

    /// Appends words, as above.
    @discardableResult
    public func append(timestamp: MIDITimeStamp, words: UInt32...)
      -> UnsafePointer<MIDIEventPacket>?
    {
      append(timestamp: timestamp, words: words)
    }

    /// Removes all packets.
    public func clear() { last = EventLists.initialize(list, protocolID) }

    /// Calls `body` with the list.
    public func withUnsafePointer<Result>(
      _ body: (UnsafePointer<MIDIEventList>) throws -> Result
    ) rethrows -> Result {
      try body(UnsafePointer(list))
    }

    /// Calls `body` with the list, which it may change.
    public func withUnsafeMutableMIDIEventListPointer<Result>(
      _ body: (UnsafeMutablePointer<MIDIEventList>) throws -> Result
    ) rethrows -> Result {
      try body(list)
    }
  }
}
