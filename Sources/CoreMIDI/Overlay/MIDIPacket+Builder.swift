// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

extension MIDIPacket {
  /// Makes a packet of bytes. [one thread at a time]
  public final class Builder {
    private let memory: UnsafeMutableRawPointer
    /// The most bytes.
    public let capacity: Int

    /// An empty packet with room for this many bytes, at most 65,535.
    public init(maximumNumberMIDIBytes: Int) {
      capacity = min(max(maximumNumberMIDIBytes, 0), PacketLists.dataLimit)
      let size = max(
        PacketLists.packetHeaderSize + capacity, MemoryLayout<MIDIPacket>.size)
      memory = .allocate(byteCount: size, alignment: 8)
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    }

    deinit { memory.deallocate() }

    private var packet: UnsafeMutablePointer<MIDIPacket> {
      memory.assumingMemoryBound(to: MIDIPacket.self)
    }

    /// The time of the packet.
    public var timeStamp: Int {
      get { Int(clamping: packet.pointee.timeStamp) }
      set { packet.pointee.timeStamp = MIDITimeStamp(clamping: newValue) }
    }

    /// The number of bytes.
    public var count: Int { Int(packet.pointee.length) }

    /// Appends bytes, for which there must be room.
    public func append(_ bytes: UInt8...) {
      precondition(count + bytes.count <= capacity, "The packet has no room for these bytes")
      for byte in bytes {
        (memory + PacketLists.packetHeaderSize + count).storeBytes(of: byte, as: UInt8.self)
        packet.pointee.length += 1
      }
    }

    /// Calls `body` with the packet.
    public func withUnsafePointer<Result>(
      _ body: (UnsafePointer<MIDIPacket>) throws -> Result
    ) rethrows -> Result {
      try body(UnsafePointer(packet))
    }

    /// Calls `body` with the packet, which it may change.
    public func withUnsafeMutableMIDIPacketPointer<Result>(
      _ body: (inout UnsafeMutableMIDIPacketPointer) throws -> Result
    ) rethrows -> Result {
      var pointer = UnsafeMutableMIDIPacketPointer(packet)
      return try body(&pointer)
    }
  }
}

extension MIDIEventPacket {
  /// Makes a packet of words. [one thread at a time]
  public final class Builder {
    // In memory of its own, so that a closure that has a pointer to it may use the builder too.
    private let packet = UnsafeMutablePointer<MIDIEventPacket>.allocate(capacity: 1)
    /// The most words.
    public let capacity: Int

    /// An empty packet with room for this many words, at most 64.
    public init(maximumNumberMIDIWords: Int) {
      capacity = min(max(maximumNumberMIDIWords, 0), EventLists.wordLimit)
      packet.initialize(to: MIDIEventPacket())
    }

    deinit { packet.deallocate() }

    /// The time of the packet.
    public var timeStamp: Int {
      get { Int(clamping: packet.pointee.timeStamp) }
      set { packet.pointee.timeStamp = MIDITimeStamp(clamping: newValue) }
    }

    /// The number of words.
    public var count: Int { Int(packet.pointee.wordCount) }

    /// Appends words, for which there must be room.
    public func append(_ words: UInt32...) {
      precondition(count + words.count <= capacity, "The packet has no room for these words")
      for word in words {
        UnsafeMutableRawPointer(packet).storeBytes(
          of: word, toByteOffset: EventLists.packetHeaderSize + count * 4, as: UInt32.self)
        packet.pointee.wordCount += 1
      }
    }

    /// Calls `body` with the packet.
    public func withUnsafePointer<Result>(
      _ body: (UnsafePointer<MIDIEventPacket>) throws -> Result
    ) rethrows -> Result {
      try body(UnsafePointer(packet))
    }

    /// Calls `body` with the packet, which it may change.
    public func withUnsafeMutableMIDIEventPacketPointer<Result>(
      _ body: (inout UnsafeMutableMIDIEventPacketPointer) throws -> Result
    ) rethrows -> Result {
      var pointer = UnsafeMutableMIDIEventPacketPointer(packet)
      return try body(&pointer)
    }
  }
}
