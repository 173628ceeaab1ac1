// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

/// The bytes of a packet in memory of the program, which keeps it alive. [one thread at a time]
public struct UnsafeMutableMIDIPacketPointer: MutableCollection, RandomAccessCollection {
  private let packet: UnsafeMutablePointer<MIDIPacket>

  /// Wraps a packet.
  public init(_ p: UnsafeMutablePointer<MIDIPacket>) { packet = p }

  /// Wraps a packet, if there is one.
  public init?(_ p: UnsafeMutablePointer<MIDIPacket>?) {
    guard let p else { return nil }
    self.init(p)
  }

  /// The time of the packet.
  public var timeStamp: Int {
    get { Int(clamping: packet.pointee.timeStamp) }
    nonmutating set { packet.pointee.timeStamp = MIDITimeStamp(clamping: newValue) }
  }

  /// The number of bytes.
  public var count: Int { Int(packet.pointee.length) }
  /// Zero.
  public var startIndex: Int { 0 }
  /// The number of bytes.
  public var endIndex: Int { count }

  /// The byte at an index.
  public subscript(index: Int) -> UInt8 {
    get { bytes[checked: index] }
    nonmutating set { bytes[checked: index] = newValue }
  }

  private var bytes: UnsafeMutableBufferPointer<UInt8> {
    UnsafeMutableBufferPointer(mutating: PacketLists.bytes(of: packet))
  }
}

/// The words of an event packet in memory of the program, which keeps it alive. [one thread at a
/// time]
public struct UnsafeMutableMIDIEventPacketPointer: MutableCollection, RandomAccessCollection {
  private let packet: UnsafeMutablePointer<MIDIEventPacket>

  /// Wraps a packet.
  public init(_ p: UnsafeMutablePointer<MIDIEventPacket>) { packet = p }

  /// Wraps a packet, if there is one.
  public init?(_ p: UnsafeMutablePointer<MIDIEventPacket>?) {
    guard let p else { return nil }
    self.init(p)
  }

  /// The time of the packet.
  public var timeStamp: Int {
    get { Int(clamping: packet.pointee.timeStamp) }
    nonmutating set { packet.pointee.timeStamp = MIDITimeStamp(clamping: newValue) }
  }

  /// The number of words.
  public var count: Int { words.count }
  /// Zero.
  public var startIndex: Int { 0 }
  /// The number of words.
  public var endIndex: Int { count }

  /// The word at an index.
  public subscript(index: Int) -> UInt32 {
    get { words[checked: index] }
    nonmutating set { words[checked: index] = newValue }
  }

  private var words: UnsafeMutableBufferPointer<UInt32> {
    UnsafeMutableBufferPointer(mutating: EventLists.words(of: packet))
  }
}

extension UnsafeMutableBufferPointer {
  /// The element at an index, which must be one of the packet.
  fileprivate subscript(checked index: Int) -> Element {
    get {
      precondition(indices.contains(index), "The packet has no such element")
      return self[index]
    }
    nonmutating set {
      precondition(indices.contains(index), "The packet has no such element")
      self[index] = newValue
    }
  }
}
