// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioTestSupport
import AudioUnitObjects
import Testing

@Suite("MIDI between objects and C")
struct MIDIBridgeTests {
  private func describe(_ subType: String) -> AudioComponentDescription {
    let description = AudioComponentDescription.test(subType, type: kAudioUnitType_MusicDevice)
    AUAudioUnit.registerSubclass(
      MIDIUnit.self, as: description, name: "Tests: MIDI", version: 0x0001_0000)
    return description
  }

  /// The C unit of a registered subclass, and its object.
  private func hosted(_ subType: String) throws -> (unit: HostedUnit, object: MIDIUnit) {
    let description = describe(subType)
    let unit = try HostedUnit(
      description.componentSubType, type: description.componentType,
      manufacturer: description.componentManufacturer)
    return (unit, try #require(try AUAudioUnit.object(of: unit.handle) as? MIDIUnit))
  }

  private func render(_ unit: HostedUnit, at time: Double) throws {
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    for channel in 0..<2 {
      list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
    }
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = time
    stamp.mFlags = .sampleTimeValid
    try check(AudioUnitRender(unit.handle, nil, &stamp, 0, 64, list.unsafeMutablePointer))
  }

  @Test("an event list from C reaches a subclass, at the frame of the packet")
  func lists() throws {
    let (unit, object) = try hosted("mbr1")
    object.wanted = ._2_0
    #expect(try unit.get(kAudioUnitProperty_AudioUnitMIDIProtocol, as: 0 as Int32) == 2)
    try unit.initialize()
    eventList(._1_0, [(0, [0x2090_3c7f]), (4, [0x2080_3c40])]) {
      #expect(MusicDeviceMIDIEventList(unit.handle, 10, $0) == noErr)
    }
    try render(unit, at: 100)
    #expect(
      object.state.received == [
        .init(time: 110, protocolNumber: 2, words: [0x4090_3c00, 0xffff_0000]),
        .init(time: 114, protocolNumber: 2, words: [0x4080_3c00, 0x8000_0000]),
      ])
  }

  @Test("a subclass without a protocol gets bytes, and does not have the property")
  func bytes() throws {
    let (unit, object) = try hosted("mbr2")
    #expect(throws: (any Error).self) {
      try unit.get(kAudioUnitProperty_AudioUnitMIDIProtocol, as: 0 as Int32)
    }
    try unit.initialize()
    eventList(._2_0, [(2, [0x4090_3c00, 0x8000_0000])]) {
      #expect(MusicDeviceMIDIEventList(unit.handle, 0, $0) == noErr)
    }
    try render(unit, at: 0)
    #expect(object.state.received == [.init(time: 2, bytes: [0x90, 60, 64])])
  }

  @Test("units that take no MIDI refuse event lists")
  func refusals() throws {
    let effect = try HostedUnit(kAudioUnitSubType_LowPassFilter, type: kAudioUnitType_Effect)
    eventList(._1_0, [(0, [0x2090_3c7f])]) {
      #expect(MusicDeviceMIDIEventList(effect.handle, 0, $0) == kAudio_UnimplementedError)
    }
  }

  /// What the callback of a C host got.
  private final class Packets {
    var packets: [(output: UInt32, start: Double, frame: UInt64, bytes: [UInt8])] = []
  }

  private func callback(_ packets: Packets) -> AUMIDIOutputCallbackStruct {
    AUMIDIOutputCallbackStruct(
      midiOutputCallback: { context, time, output, list in
        guard let context else { return kAudio_ParamError }
        let packets = Unmanaged<Packets>.fromOpaque(context).takeUnretainedValue()
        for packet in list.unsafeSequence() {
          packets.packets.append(
            (
              output, time.pointee.mSampleTime, packet.pointee.timeStamp, Array(packet.sequence())
            ))
        }
        return noErr
      }, userData: Unmanaged.passUnretained(packets).toOpaque())
  }

  @Test("a C host gets the bytes that a subclass sends, and how many outputs it has")
  func output() throws {
    let (unit, object) = try hosted("mbr3")
    let names = try unit.get(
      kAudioUnitProperty_MIDIOutputCallbackInfo, as: UnsafeRawPointer?.none)
    let array = try #require(names)
    #expect(
      Unmanaged<NSArray>.fromOpaque(array).takeRetainedValue() as? [String]
        == ["Notes", "Controllers"])
    let packets = Packets()
    try unit.set(kAudioUnitProperty_MIDIOutputCallback, to: callback(packets))
    try unit.initialize()
    let long: [UInt8] = [0xf0] + (0..<300).map { UInt8($0 % 128) } + [0xf7]
    object.state.bytes = [(3, [0x90, 60, 100]), (9, long)]
    try render(unit, at: 1_000)
    #expect(packets.packets.map(\.frame) == [3, 9, 9])
    #expect(packets.packets.allSatisfy { $0.output == 1 && $0.start == 1_000 })
    #expect(packets.packets.first?.bytes == [0x90, 60, 100])
    #expect(packets.packets.dropFirst().flatMap(\.bytes) == long)
    try unit.set(kAudioUnitProperty_MIDIOutputCallback, to: AUMIDIOutputCallbackStruct())
    object.state.bytes = [(3, [0x90, 60, 100])]
    try render(unit, at: 1_064)
    #expect(packets.packets.count == 3)
    withExtendedLifetime(packets) {}
  }

  @Test("a C host that takes bytes also gets the lists that a subclass sends")
  func listsAsBytes() throws {
    let (unit, object) = try hosted("mbr4")
    let packets = Packets()
    try unit.set(kAudioUnitProperty_MIDIOutputCallback, to: callback(packets))
    try unit.initialize()
    object.state.lists = [
      (4, ._2_0, [0x4090_3c00, 0x8000_0000]), (5, ._1_0, [0x3003_0102, 0x0300_0000]),
    ]
    try render(unit, at: 0)
    #expect(packets.packets.map(\.bytes) == [[0x90, 60, 64], [0xf0, 1, 2, 3, 0xf7]])
    #expect(packets.packets.map(\.frame) == [4, 5])
    withExtendedLifetime(packets) {}
  }

  @Test("the protocol of a host is 1 or 2, and fixed while the unit is initialised")
  func hostProtocol() throws {
    let (unit, object) = try hosted("mbr5")
    let id = kAudioUnitProperty_HostMIDIProtocol
    #expect(unit.setting(id, to: 3 as Int32) == kAudioUnitErr_InvalidPropertyValue)
    try unit.set(id, to: 2 as Int32)
    #expect(object.hostMIDIProtocol == ._2_0)
    try unit.initialize()
    #expect(unit.setting(id, to: 1 as Int32) == kAudioUnitErr_Initialized)
  }

  @Test("an object of a C unit passes lists on, and gets the bytes that the unit sends")
  func object() throws {
    let bridge = try AUAudioUnitV2Bridge(componentDescription: describe("mbr6"))
    #expect(bridge.midiOutputNames == ["Notes", "Controllers"])
    let inner = try #require(try AUAudioUnit.object(of: bridge.audioUnit) as? MIDIUnit)
    inner.wanted = ._1_0
    #expect(bridge.audioUnitMIDIProtocol == ._1_0)
    nonisolated(unsafe) var sent: [MIDIUnit.Received] = []
    bridge.midiOutputEventBlock = { time, cable, count, bytes in
      sent.append(
        .init(
          time: time, cable: cable,
          bytes: Array(UnsafeBufferPointer(start: bytes, count: count))))
      return noErr
    }
    let schedule = try #require(bridge.scheduleMIDIEventListBlock)
    try bridge.allocateRenderResources()
    eventList(._2_0, [(3, [0x4090_3c00, 0x8000_0000])]) { #expect(schedule(200, 0, $0) == noErr) }
    inner.state.bytes = [(8, [0xb0, 7, 100])]
    _ = try bridge.render(64, at: 200)
    #expect(
      inner.state.received == [.init(time: 203, protocolNumber: 1, words: [0x2090_3c40])])
    #expect(sent == [.init(time: 208, cable: 1, bytes: [0xb0, 7, 100])])
  }

  @Test("an object of a C unit turns bytes into lists, in the protocol of the host")
  func objectLists() throws {
    let bridge = try AUAudioUnitV2Bridge(componentDescription: describe("mbr7"))
    let inner = try #require(try AUAudioUnit.object(of: bridge.audioUnit) as? MIDIUnit)
    bridge.hostMIDIProtocol = ._2_0
    #expect(inner.hostMIDIProtocol == ._2_0)
    nonisolated(unsafe) var sent: [[UInt32]] = []
    bridge.midiOutputEventListBlock = { _, _, list in
      for packet in list.unsafeSequence() { sent.append(Array(packet.sequence())) }
      return noErr
    }
    try bridge.allocateRenderResources()
    inner.state.bytes = [(8, [0x90, 60, 127]), (9, [0xf0, 1, 2, 0xf7])]
    _ = try bridge.render(64)
    #expect(sent == [[0x4090_3c00, 0xffff_0000], [0x3002_0102, 0]])
  }
}
