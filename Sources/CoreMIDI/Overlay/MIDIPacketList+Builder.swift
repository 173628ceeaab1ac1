// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

extension MIDIPacketList {
  /// Makes a packet list in memory of a fixed size. [one thread at a time]
  public final class Builder {
    private let memory: UnsafeMutableRawPointer
    private var list: UnsafeMutableMIDIPacketListPointer

    /// An empty list in memory of this many bytes.
    public init(byteSize: Int) {
      let size = max(byteSize, MemoryLayout<MIDIPacketList>.size)
      memory = .allocate(byteCount: size, alignment: 8)
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      list = UnsafeMutableMIDIPacketListPointer(
        memory.assumingMemoryBound(to: MIDIPacketList.self), byteSize: size)
    }

    deinit { memory.deallocate() }

    /// The number of packets.
    public var count: Int { list.count }

    /// The bytes of the list, up to the end of its last packet.
    public var listSizeInBytes: Int { withUnsafePointer { PacketLists.size(of: $0) } }

    /// Appends bytes: to the last packet if the time is the same, else as a new packet. Returns the
    /// packet, nil if there is no room.
    @discardableResult
    public func append(timestamp: MIDITimeStamp, data: [UInt8]) -> UnsafePointer<MIDIPacket>? {
      list.append(timestamp: timestamp, data: data)
    }

    /// Appends bytes, as above.
    @discardableResult
    public func append(timestamp: MIDITimeStamp, data: UInt8...) -> UnsafePointer<MIDIPacket>? {
      append(timestamp: timestamp, data: data)
    }

    /// Removes all packets.
    public func clear() { list.clear() }

    /// Calls `body` with the list.
    public func withUnsafePointer<Result>(
      _ body: (UnsafePointer<MIDIPacketList>) throws -> Result
    ) rethrows -> Result {
      try body(UnsafePointer(memory.assumingMemoryBound(to: MIDIPacketList.self)))
    }

    /// Calls `body` with the list, which it may change.
    public func withUnsafeMutableMIDIPacketListPointer<Result>(
      _ body: (inout UnsafeMutableMIDIPacketListPointer) throws -> Result
    ) rethrows -> Result {
      // A copy, so that the closure may ask the builder too.
      var pointer = list
      defer { list = pointer }
      return try body(&pointer)
    }
  }
}
