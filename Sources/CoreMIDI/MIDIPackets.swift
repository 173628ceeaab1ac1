// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import MIDIMessages

// The functions of MIDIPackets.h.

@c @implementation
public func MIDIPacketListInit(
  _ pktlist: UnsafeMutablePointer<MIDIPacketList>
) -> UnsafeMutablePointer<MIDIPacket> {
  PacketLists.initialize(pktlist)
}

@c @implementation
public func MIDIPacketListAdd(
  _ pktlist: UnsafeMutablePointer<MIDIPacketList>, _ listSize: ByteCount,
  _ curPacket: UnsafeMutablePointer<MIDIPacket>, _ time: MIDITimeStamp, _ nData: ByteCount,
  _ data: UnsafePointer<UInt8>
) -> UnsafeMutablePointer<MIDIPacket>? {
  // In C the sizes are unsigned: the largest ones are negative here.
  guard !isNull(pktlist), !isNull(curPacket), listSize >= 0, nData >= 0 else { return nil }
  return PacketLists.add(
    UnsafeBufferPointer(start: data, count: nData), at: time, to: pktlist, size: listSize,
    after: curPacket)
}

@c @implementation
public func MIDIEventListInit(
  _ evtlist: UnsafeMutablePointer<MIDIEventList>, _ protocol: MIDIProtocolID
) -> UnsafeMutablePointer<MIDIEventPacket> {
  EventLists.initialize(evtlist, `protocol`)
}

@c @implementation
public func MIDIEventListAdd(
  _ evtlist: UnsafeMutablePointer<MIDIEventList>, _ listSize: ByteCount,
  _ curPacket: UnsafeMutablePointer<MIDIEventPacket>, _ time: MIDITimeStamp,
  _ wordCount: ByteCount, _ words: UnsafePointer<UInt32>
) -> UnsafeMutablePointer<MIDIEventPacket>? {
  guard !isNull(evtlist), !isNull(curPacket), listSize >= 0, wordCount >= 0 else { return nil }
  return EventLists.add(
    UnsafeBufferPointer(start: words, count: wordCount), at: time, to: evtlist, size: listSize,
    after: curPacket)
}

@_cdecl("MIDIEventPacketSysexBytesForGroup")
public func midiEventPacketSysexBytesForGroup(
  _ pkt: UnsafePointer<MIDIEventPacket>?, _ groupIndex: UInt8,
  _ outData: UnsafeMutablePointer<UnsafeRawPointer?>?
) -> OSStatus {
  status(in: "MIDIEventPacketSysexBytesForGroup") { () throws(AudioError) in
    guard let pkt else { throw .null("pkt") }
    let outData = try memory(outData, "outData")
    _ = MIDI.setup
    guard let bytes = SystemExclusiveBytes.bytes(in: EventLists.words(of: pkt), group: groupIndex)
    else {
      throw AudioError(status: kMIDIUnknownError).because(
        "the packet has no system exclusive message of group \(groupIndex)")
    }
    outData.pointee = Bridge.current.retainedPropertyList(.data(bytes))
  }
}

/// Collects the bytes of the system exclusive messages of one group in a packet, without their first
/// and last bytes F0 and F7. [any thread]
@discardableResult
public func MIDIEventPacketSysexBytesForGroup(
  _ pkt: UnsafePointer<MIDIEventPacket>, _ groupIndex: UInt8,
  _ outData: UnsafeMutablePointer<Unmanaged<CFData>?>
) -> OSStatus {
  midiEventPacketSysexBytesForGroup(
    pkt, groupIndex,
    UnsafeMutableRawPointer(outData).assumingMemoryBound(to: UnsafeRawPointer?.self))
}
