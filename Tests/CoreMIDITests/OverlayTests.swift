// SPDX-License-Identifier: Apache-2.0
import CoreMIDI
import Testing

@Suite("MIDI lists in Swift")
struct OverlayTests {
  @Test("have the sizes of the C structures")
  func sizes() {
    #expect(MemoryLayout<MIDIPacket>.size == 268 && MemoryLayout<MIDIPacketList>.size == 272)
    #expect(MemoryLayout<MIDIEventPacket>.size == 268 && MemoryLayout<MIDIEventList>.size == 276)
    #expect(MemoryLayout<MIDISysexSendRequest>.size == 40)
    #expect(MemoryLayout<MIDIThruConnectionParams>.size == 204)
  }

  @Test("are built and iterated")
  func packets() {
    let builder = MIDIPacketList.Builder(byteSize: 4096)
    for time in 1...20 as ClosedRange<UInt64> {
      #expect(
        builder.append(timestamp: time, data: [UInt8](repeating: 0xf8, count: Int(time))) != nil)
    }
    builder.withUnsafePointer { list in
      let packets = Array(list.unsafeSequence())
      #expect(list.unsafeSequence().count == 20)
      #expect(packets.map(\.pointee.timeStamp) == Array(1...20))
      #expect(packets.map { $0.sequence().count } == Array(1...20))
      #expect(MIDIPacketList.sizeInBytes(pktList: list) == builder.listSizeInBytes)
    }
    builder.clear()
    #expect(builder.count == 0)
  }

  @Test("of words are built in any memory, however small")
  func events() {
    let builder = MIDIEventList.Builder(inProtocol: ._2_0, wordSize: 1)
    #expect(builder.append(timestamp: 1, words: 1, 2) != nil)
    #expect(builder.append(timestamp: 1, words: [3]) != nil)
    builder.withUnsafePointer { list in
      #expect(list.unsafeSequence().map { Array($0.words()) } == [[1, 2, 3]])
      #expect(MIDIEventList.sizeInBytes(pktList: list) == 8 + 12 + 12)
      #expect(list.pointee.protocol == ._2_0)
    }
    #expect(builder.append(timestamp: 2, words: [UInt32](repeating: 0, count: 64)) == nil, "full")
    #expect(builder.count == 1)
  }

  @Test("have packets that are built alone")
  func single() {
    let packet = MIDIPacket.Builder(maximumNumberMIDIBytes: 3)
    packet.timeStamp = 9
    packet.append(0x90, 60)
    packet.append(100)
    #expect(packet.count == packet.capacity)
    packet.withUnsafePointer { pointer in
      #expect(Array(pointer.bytes()) == [0x90, 60, 100] && pointer.pointee.timeStamp == 9)
    }
    let event = MIDIEventPacket.Builder(maximumNumberMIDIWords: 100)
    #expect(event.capacity == 64)
    event.append(1, 2)
    event.append(3)
    event.withUnsafePointer { pointer in
      #expect(Array(pointer.words()) == [1, 2, 3])
      #expect(event.count == 3, "the builder may be used in there")
    }
  }

  @Test("are refused by the C functions when they do not fit")
  func limits() {
    var list = MIDIPacketList()
    withUnsafeMutablePointer(to: &list) { list in
      let first = MIDIPacketListInit(list)
      let bytes = [UInt8](repeating: 0xf8, count: 300)
      let size = MemoryLayout<MIDIPacketList>.size
      #expect(MIDIPacketListAdd(list, size, first, 0, 259, bytes) == nil)
      #expect(MIDIPacketListAdd(list, -1, first, 0, 3, bytes) == nil)
      #expect(MIDIPacketListAdd(list, size, first, 0, -1, bytes) == nil)
      #expect(MIDIPacketListAdd(list, size, first, 0, 258, bytes) == first)
    }
    var events = MIDIEventList()
    withUnsafeMutablePointer(to: &events) { list in
      let first = MIDIEventListInit(list, ._1_0)
      let words = [UInt32](repeating: 0, count: 65)
      #expect(MIDIEventListAdd(list, 1 << 20, first, 0, 65, words) == nil)
      #expect(MIDIEventListAdd(list, 276, first, 0, 64, words) == first)
    }
  }

  @Test("have the bytes of system exclusive messages")
  func systemExclusive() {
    let message = MIDI1UPSysEx(2, 0, 3, 1, 2, 3, 0, 0, 0)
    let packet = MIDIEventPacket.Builder(maximumNumberMIDIWords: 4)
    packet.append(message.word0, message.word1)
    packet.withUnsafePointer { packet in
      var data: Unmanaged<CFData>?
      #expect(MIDIEventPacketSysexBytesForGroup(packet, 2, &data) == noErr)
      #expect(data.map { Array(Data(referencing: $0.takeRetainedValue())) } == [1, 2, 3])
      #expect(MIDIEventPacketSysexBytesForGroup(packet, 0, &data) == kMIDIUnknownError)
    }
  }
}
