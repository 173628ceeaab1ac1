// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

extension MIDIEventList {
  /// Makes an event list in memory of a fixed size. [one thread at a time]
  public final class Builder {
    private let memory: UnsafeMutableRawPointer
    private var list: UnsafeMutableMIDIEventListPointer

    /// An empty list of a protocol, in memory for this many words, packet headers included.
    public init(inProtocol: MIDIProtocolID, wordSize: Int) {
      let words = max(min(wordSize, Int(Int32.max)), MemoryLayout<MIDIEventList>.size / 4)
      memory = .allocate(byteCount: words * 4, alignment: 8)
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: words * 4)
      list = UnsafeMutableMIDIEventListPointer(
        memory.assumingMemoryBound(to: MIDIEventList.self), wordSize: words,
        inProtocol: inProtocol)
    }

    deinit { memory.deallocate() }

    /// The number of packets.
    public var count: Int { list.count }

    /// The bytes of the list.
    public var listSizeInBytes: Int { withUnsafePointer { EventLists.size(of: $0) } }

    /// Appends words: to the last packet if the time is the same and it has room, else as a new
    /// packet. Returns the packet, nil if there is no room.
    @discardableResult
    public func append(timestamp: MIDITimeStamp, words: [UInt32]) -> UnsafePointer<MIDIEventPacket>?
    {
      list.append(timestamp: timestamp, words: words)
    }

    /// Appends words, as above.
    @discardableResult
    public func append(timestamp: MIDITimeStamp, words: UInt32...)
      -> UnsafePointer<MIDIEventPacket>?
    {
      append(timestamp: timestamp, words: words)
    }

    /// Removes all packets.
    public func clear() { list.clear() }

    /// Calls `body` with the list.
    public func withUnsafePointer<Result>(
      _ body: (UnsafePointer<MIDIEventList>) throws -> Result
    ) rethrows -> Result {
      try body(UnsafePointer(memory.assumingMemoryBound(to: MIDIEventList.self)))
    }

    /// Calls `body` with the list, which it may change.
    public func withUnsafeMutableMIDIEventListPointer<Result>(
      _ body: (inout UnsafeMutableMIDIEventListPointer) throws -> Result
    ) rethrows -> Result {
      // A copy, so that the closure may ask the builder too.
      var pointer = list
      defer { list = pointer }
      return try body(&pointer)
    }
  }
}
