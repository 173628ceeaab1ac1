// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

extension MIDIPacketList {
  /// Makes a packet list in memory of a fixed size. [one thread at a time]
  public final class Builder {
    private let memory: UnsafeMutableRawPointer
    private let byteSize: Int
    private var last: UnsafeMutablePointer<MIDIPacket>

    /// An empty list in memory of this many bytes.
    public init(byteSize: Int) {
      self.byteSize = max(byteSize, MemoryLayout<MIDIPacketList>.size)
      memory = .allocate(byteCount: self.byteSize, alignment: 8)
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: self.byteSize)
      last = PacketLists.initialize(memory.assumingMemoryBound(to: MIDIPacketList.self))
    }

    deinit { memory.deallocate() }

    private var list: UnsafeMutablePointer<MIDIPacketList> {
      memory.assumingMemoryBound(to: MIDIPacketList.self)
    }

    /// The number of packets.
    public var count: Int { Int(list.pointee.numPackets) }

    /// The bytes of the list, up to the end of its last packet.
    public var listSizeInBytes: Int { PacketLists.size(of: list) }

    /// Appends bytes: to the last packet if the time is the same, else as a new packet. Returns the
    /// packet, nil if there is no room.
    @discardableResult
    public func append(timestamp: MIDITimeStamp, data: [UInt8]) -> UnsafePointer<MIDIPacket>? {
      let packet = data.withUnsafeBufferPointer {
        PacketLists.add($0, at: timestamp, to: list, size: byteSize, after: last)
      }
      guard let packet else { return nil }
      last = packet
      return UnsafePointer(packet)
    }

    /// Appends bytes, as above.
    @discardableResult
    public func append(timestamp: MIDITimeStamp, data: UInt8...) -> UnsafePointer<MIDIPacket>? {
      append(timestamp: timestamp, data: data)
    }

    /// Removes all packets.
    public func clear() { last = PacketLists.initialize(list) }

    /// Calls `body` with the list.
    public func withUnsafePointer<Result>(
      _ body: (UnsafePointer<MIDIPacketList>) throws -> Result
    ) rethrows -> Result {
      try body(UnsafePointer(list))
    }

    /// Calls `body` with the list, which it may change.
    public func withUnsafeMutableMIDIPacketListPointer<Result>(
      _ body: (UnsafeMutablePointer<MIDIPacketList>) throws -> Result
    ) rethrows -> Result {
      try body(list)
    }
  }
}
