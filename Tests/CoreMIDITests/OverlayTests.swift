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

  @Test("are built in the memory of the program")
  func pointers() throws {
    let memory = UnsafeMutablePointer<MIDIPacketList>.allocate(capacity: 1)
    defer { memory.deallocate() }
    memory.pointee.numPackets = 7
    var list = try #require(UnsafeMutableMIDIPacketListPointer(memory as Optional, byteSize: 272))
    #expect(list.count == 0 && list.lastPacket == nil && list.listSizeInBytes == 272)
    #expect(list.append(timestamp: 5, data: [0x90, 60, 100]) != nil)
    #expect(list.append(timestamp: 5, data: [0x80, 60, 0]) != nil)
    #expect(list.append(timestamp: 6, data: [0xf8]) != nil)
    #expect(list.map { Array($0.bytes()) } == [[0x90, 60, 100, 0x80, 60, 0], [0xf8]])
    #expect(list.lastPacket?.pointee.timeStamp == 6 && memory.pointee.numPackets == 2)
    #expect(list.append(timestamp: 7, data: [UInt8](repeating: 0, count: 260)) == nil, "full")
    list.clear()
    #expect(list.count == 0 && Array(list).isEmpty)
    for size in [Int.min, -1, 0, 3] {
      var small = UnsafeMutableMIDIPacketListPointer(memory, byteSize: size)
      #expect(small.append(timestamp: 0, data: [0xf8]) == nil)
    }
    #expect(UnsafeMutableMIDIPacketListPointer(nil, byteSize: 272) == nil)
  }

  @Test("of words are built in the memory of the program")
  func eventPointers() throws {
    let memory = UnsafeMutablePointer<MIDIEventList>.allocate(capacity: 1)
    defer { memory.deallocate() }
    var list = UnsafeMutableMIDIEventListPointer(memory, wordSize: 69, inProtocol: ._2_0)
    #expect(list.midiProtocol == ._2_0 && list.lastPacket == nil && list.listSizeInBytes == 276)
    #expect(list.append(timestamp: 1, words: [1, 2]) != nil)
    #expect(list.append(timestamp: 2, words: [3]) != nil)
    #expect(list.map { Array($0.words()) } == [[1, 2], [3]])
    #expect(list.lastPacket?.pointee.timeStamp == 2)
    #expect(list.append(timestamp: 3, words: [UInt32](repeating: 0, count: 64)) == nil, "full")
    list.clear()
    #expect(list.count == 0 && list.midiProtocol == ._2_0)
    let again = try #require(UnsafeMutableMIDIEventListPointer(memory as Optional, wordSize: 69))
    #expect(again.midiProtocol == ._2_0 && again.count == 0)
    for size in [Int.min, 0, Int.max] {
      var other = UnsafeMutableMIDIEventListPointer(memory, wordSize: size, inProtocol: ._1_0)
      #expect((other.append(timestamp: 0, words: [1]) != nil) == (size > 0))
    }
    #expect(UnsafeMutableMIDIEventListPointer(nil, wordSize: 69) == nil)
  }

  @Test("are changed by closures that may ask their builder too")
  func buildersByPointer() {
    let builder = MIDIPacketList.Builder(byteSize: 272)
    builder.append(timestamp: 1, data: 0xf8)
    let count = builder.withUnsafeMutableMIDIPacketListPointer { list in
      list.append(timestamp: 2, data: [0xfa])
      return (list.count, builder.count)
    }
    #expect(count == (2, 2))
    builder.append(timestamp: 2, data: 0xfc)
    builder.withUnsafePointer { list in
      #expect(list.unsafeSequence().map { Array($0.bytes()) } == [[0xf8], [0xfa, 0xfc]])
    }
    let events = MIDIEventList.Builder(inProtocol: ._1_0, wordSize: 69)
    _ = events.withUnsafeMutableMIDIEventListPointer { $0.append(timestamp: 4, words: [9]) }
    #expect(events.count == 1)
  }

  @Test("have packets whose elements can be changed")
  func packetPointers() throws {
    let builder = MIDIPacket.Builder(maximumNumberMIDIBytes: 3)
    builder.append(0x90, 60, 100)
    builder.withUnsafeMutableMIDIPacketPointer { packet in
      packet[1] = 61
      packet.timeStamp = 12
      #expect(Array(packet) == [0x90, 61, 100] && packet.count == 3)
      packet.reverse()
    }
    #expect(builder.timeStamp == 12)
    builder.withUnsafePointer { #expect(Array($0.bytes()) == [100, 61, 0x90]) }
    #expect(UnsafeMutableMIDIPacketPointer(nil) == nil)

    let event = MIDIEventPacket.Builder(maximumNumberMIDIWords: 2)
    event.append(1, 2)
    event.withUnsafeMutableMIDIEventPacketPointer { packet in
      packet[0] = 7
      packet.timeStamp = -4
      #expect(Array(packet) == [7, 2] && packet.timeStamp == 0)
    }
    event.withUnsafePointer { #expect(Array($0.words()) == [7, 2]) }
    #expect(UnsafeMutableMIDIEventPacketPointer(nil) == nil)
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
