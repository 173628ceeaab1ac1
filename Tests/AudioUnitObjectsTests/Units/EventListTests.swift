// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioTestSupport
import CAllocationProbe
import Testing

@Suite("Event lists of a unit")
struct EventListTests {
  private func unit(_ subType: String, _ wanted: MIDIProtocolID?) async throws -> MIDIUnit {
    let unit: MIDIUnit = try await AUAudioUnit.registered(
      subType, type: kAudioUnitType_MusicDevice, name: "Tests: MIDI")
    unit.wanted = wanted
    try unit.allocateRenderResources()
    return unit
  }

  private func schedule(
    _ unit: AUAudioUnit, at time: Int64, cable: UInt8 = 0, _ protocolID: MIDIProtocolID,
    _ packets: [(time: MIDITimeStamp, words: [UInt32])]
  ) throws -> OSStatus {
    let block = try #require(unit.scheduleMIDIEventListBlock)
    var status: OSStatus = -1
    eventList(protocolID, packets) { status = block(time, cable, $0) }
    return status
  }

  @Test("a unit without a protocol gets the messages of both protocols as bytes, at their frames")
  func bytes() async throws {
    let unit = try await unit("lst1", nil)
    #expect(unit.audioUnitMIDIProtocol.rawValue == 0)
    // A note of MIDI 2.0 with velocity 0x8000, then a controller of MIDI 1.0.
    let first = try schedule(unit, at: 1_004, cable: 2, ._2_0, [(0, [0x4091_3c00, 0x8000_0000])])
    let second = try schedule(unit, at: 1_002, ._1_0, [(1, [0x20b0_0764]), (9, [0x10f8_0000])])
    #expect(first == noErr && second == noErr)
    _ = try unit.render(64, at: 1_000)
    #expect(
      unit.state.received == [
        .init(time: 1_003, bytes: [0xb0, 7, 100]),
        .init(time: 1_004, cable: 2, bytes: [0x91, 60, 64]),
        .init(time: 1_011, bytes: [0xf8]),
      ])
  }

  @Test("a unit that wants MIDI 2.0 gets lists of it, whatever a host sends")
  func upgrade() async throws {
    let unit = try await unit("lst2", ._2_0)
    let now = AUEventSampleTimeImmediate
    _ = try schedule(unit, at: now, ._2_0, [(0, [0x4090_3c00, 0x1234_0000])])
    // Banks are held until the program change.
    _ = try schedule(unit, at: now + 1, ._1_0, [(0, [0x20b0_0001, 0x20b0_2002, 0x20c0_0500])])
    let bytes = try #require(unit.scheduleMIDIEventBlock)
    bytes(now + 2, 3, 3, [0x90, 60, 127])
    _ = try unit.render(64)
    #expect(
      unit.state.received == [
        .init(time: 0, protocolNumber: 2, words: [0x4090_3c00, 0x1234_0000]),
        .init(time: 1, protocolNumber: 2, words: [0x40c0_0001, 0x0500_0102]),
        .init(time: 2, cable: 3, protocolNumber: 2, words: [0x4090_3c00, 0xffff_0000]),
      ])
  }

  @Test("a unit that wants MIDI 1.0 gets lists of it")
  func downgrade() async throws {
    let unit = try await unit("lst3", ._1_0)
    _ = try schedule(unit, at: 5, ._2_0, [(0, [0x40e3_0000, 0x8000_0000])])
    _ = try unit.render(64)
    #expect(
      unit.state.received == [.init(time: 5, protocolNumber: 1, words: [0x20e3_0040])])
  }

  @Test("a program change with a bank becomes three messages in order")
  func several() async throws {
    let unit = try await unit("lst4", nil)
    _ = try schedule(unit, at: 7, ._2_0, [(0, [0x40c0_0001, 0x0500_0102])])
    _ = try unit.render(64)
    #expect(unit.state.received.map(\.bytes) == [[0xb0, 0, 1], [0xb0, 32, 2], [0xc0, 5]])
    #expect(unit.state.received.allSatisfy { $0.time == 7 })
  }

  /// The messages of type 3 of some bytes.
  private func parts(_ bytes: [UInt8]) -> [UInt32] {
    stride(from: 0, to: bytes.count, by: 6).flatMap { start -> [UInt32] in
      let part = Array(bytes[start..<min(start + 6, bytes.count)])
      let isLast = start + 6 >= bytes.count
      let place: UInt32 = start == 0 ? (isLast ? 0 : 1) : (isLast ? 3 : 2)
      let six = (part + [0, 0, 0, 0, 0, 0]).map { UInt32($0) }
      return [
        3 << 28 | place << 20 | UInt32(part.count) << 16 | six[0] << 8 | six[1],
        six[2] << 24 | six[3] << 16 | six[4] << 8 | six[5],
      ]
    }
  }

  /// Packets of at most 64 words.
  private func packets(_ words: [UInt32]) -> [(time: MIDITimeStamp, words: [UInt32])] {
    stride(from: 0, to: words.count, by: 64).map {
      (0, Array(words[$0..<min($0 + 64, words.count)]))
    }
  }

  @Test(
    "a system exclusive message arrives whole, in bytes", arguments: [1, 6, 7, 192, 193, 5_000])
  func exclusive(count: Int) async throws {
    let unit = try await unit("lst5", nil)
    let data = (0..<count).map { UInt8($0 % 128) }
    let status = try schedule(unit, at: 3, ._2_0, packets(parts(data)))
    #expect(status == noErr)
    _ = try unit.render(64)
    #expect(unit.state.received == [.init(time: 3, bytes: [0xf0] + data + [0xf7])])
  }

  @Test("a system exclusive message over two lists arrives with the second one")
  func twoLists() async throws {
    let unit = try await unit("lst6", nil)
    let data = (0..<20).map { UInt8($0) }
    let words = parts(data)
    _ = try schedule(unit, at: 3, ._1_0, [(0, Array(words.prefix(4)))])
    _ = try schedule(unit, at: 4, ._1_0, [(0, [0x10f8_0000])])
    _ = try schedule(unit, at: 9, ._1_0, [(0, Array(words.dropFirst(4)))])
    _ = try unit.render(64)
    #expect(unit.state.received.map(\.bytes) == [[0xf8], [0xf0] + data + [0xf7]])
    #expect(unit.state.received.map(\.time) == [4, 9])
  }

  @Test(
    "a unit with a protocol gets the parts of a system exclusive message, from bytes and lists",
    arguments: [1, 6, 7, 5_000])
  func exclusiveParts(count: Int) async throws {
    let unit = try await unit("lst7", ._2_0)
    let data = (0..<count).map { UInt8($0 % 128) }
    let bytes = try #require(unit.scheduleMIDIEventBlock)
    bytes(3, 0, count + 2, [0xf0] + data + [0xf7])
    _ = try schedule(unit, at: 4, ._1_0, packets(parts(data)))
    _ = try unit.render(64)
    #expect(
      unit.state.received
        == [3, 4].map {
          .init(time: $0, protocolNumber: 2, words: parts(data))
        })
  }

  @Test("the longest message arrives, and memory returns after each render")
  func longest() async throws {
    let unit = try await unit("lst8", ._2_0)
    let bytes = try #require(unit.scheduleMIDIEventBlock)
    let message = [0xf0] + [UInt8](repeating: 1, count: 65_533) + [0xf7]
    for _ in 0..<20 {
      bytes(AUEventSampleTimeImmediate, 0, message.count, message)
      _ = try unit.render(16)
      #expect(unit.state.received.map(\.words.count) == [(65_533 + 5) / 6 * 2])
      unit.state.received = []
    }
  }

  @Test("a packet with a host time comes at once, and one within the next render stays in it")
  func hostTime() async throws {
    let unit = try await unit("lst9", ._1_0)
    let now = AUEventSampleTimeImmediate
    _ = try schedule(
      unit, at: now + 2, ._1_0, [(1 << 40, [0x2090_3c40]), (1 << 41, [0x2090_3d40])])
    _ = try schedule(unit, at: now + 4_090, ._1_0, [(100, [0x2090_3e40])])
    _ = try unit.render(512)
    #expect(unit.state.received.map(\.time) == [2, 2])
  }

  @Test("more messages than fit are refused")
  func room() async throws {
    let unit = try await unit("lsta", nil)
    var statuses: Set<OSStatus> = []
    for _ in 0..<1_100 { statuses.insert(try schedule(unit, at: 0, ._1_0, [(0, [0x2090_3c40])])) }
    #expect(statuses == [noErr, kAudioUnitErr_CannotDoInCurrentContext])
    _ = try unit.render(16)
    #expect(unit.state.received.count == 1_024)
  }

  @Test("reset drops lists that wait, and parts of messages")
  func reset() async throws {
    let unit = try await unit("lstb", nil)
    let words = parts((0..<12).map { UInt8($0) })
    _ = try schedule(unit, at: 0, ._1_0, [(0, Array(words.prefix(2)))])
    _ = try schedule(unit, at: 500, ._1_0, [(0, [0x2090_3c40])])
    _ = try unit.render(16)
    unit.reset()
    _ = try schedule(unit, at: 20, ._1_0, [(0, Array(words.dropFirst(2)))])
    _ = try unit.render(512, at: 16)
    #expect(unit.state.received.isEmpty)
  }

  @Test("only units that take MIDI have the block")
  func effect() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("lstc")
    #expect(unit.scheduleMIDIEventListBlock == nil)
  }

  @Test("scheduling and converting lists uses no heap", .enabled(if: heap_is_counted()))
  func heap() async throws {
    let unit = try await unit("lstd", ._2_0)
    let block = try #require(unit.scheduleMIDIEventListBlock)
    eventList(._1_0, [(0, [0x2090_3c40, 0x20b0_0764]), (1, parts((0..<30).map { UInt8($0) }))]) {
      // The first call may make the descriptions of types.
      _ = block(AUEventSampleTimeImmediate, 0, $0)
      let before = heap_operations()
      for _ in 0..<100 { _ = block(AUEventSampleTimeImmediate, 0, $0) }
      #expect(heap_operations() == before)
    }
  }
}

@Suite("MIDI that a unit sends")
struct MIDIOutputTests {
  private func unit(_ subType: String) async throws -> MIDIUnit {
    try await AUAudioUnit.registered(
      subType, type: kAudioUnitType_MIDIProcessor, name: "Tests: MIDI")
  }

  @Test("a host gets lists in the protocol that it has chosen", arguments: [1, 2] as [Int32])
  func hostProtocol(number: Int32) async throws {
    let unit = try await unit("out1")
    #expect(unit.hostMIDIProtocol.rawValue == 0)
    unit.hostMIDIProtocol = try #require(MIDIProtocolID(rawValue: number))
    nonisolated(unsafe) var received: [MIDIUnit.Received] = []
    unit.midiOutputEventListBlock = { time, cable, list in
      var words: [UInt32] = []
      for packet in list.unsafeSequence() { words += Array(packet.sequence()) }
      received.append(
        .init(
          time: time, cable: cable, protocolNumber: list.pointee.protocol.rawValue, words: words))
      return noErr
    }
    try unit.allocateRenderResources()
    unit.state.lists = [
      (5, ._1_0, [0x2090_3c7f]), (6, ._2_0, [0x4090_3c00, 0xffff_0000]),
    ]
    _ = try unit.render(64, at: 100)
    let words: [UInt32] = number == 1 ? [0x2090_3c7f] : [0x4090_3c00, 0xffff_0000]
    #expect(
      received
        == [105, 106].map {
          .init(time: $0, cable: 1, protocolNumber: number, words: words)
        })
  }

  @Test("a unit without profiles has none, and enables none")
  func noProfiles() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("out2")
    let state = unit.profileState(forCable: 0, channel: 5)
    #expect(state.enabledProfiles.isEmpty && state.disabledProfiles.isEmpty)
    #expect(state.midiChannel == 5)
    let profile = MIDICIProfile(data: Data([0x7e, 0, 1, 2, 3]), name: "Organ")
    #expect(
      status { try unit.enable(profile, cable: 0, onChannel: 0) } == kAudio_UnimplementedError)
    #expect(
      status { try unit.disableProfile(profile, cable: 0, onChannel: 0) }
        == kAudio_UnimplementedError)
  }

  @Test("a unit with profiles tells the host which one it has enabled")
  func profiles() async throws {
    let unit = try await unit("out3")
    let profile = MIDICIProfile(data: Data([0x7e, 0, 1, 2, 3]), name: "Organ")
    unit.profiles = [profile]
    nonisolated(unsafe) var changes: [String] = []
    unit.profileChangedBlock = { cable, channel, profile, isEnabled in
      changes.append("\(cable) \(channel) \(profile.name) \(isEnabled)")
    }
    #expect(unit.profileState(forCable: 0, channel: 2).disabledProfiles == [profile])
    try unit.enable(MIDICIProfile(data: profile.profileID), cable: 0, onChannel: 2)
    #expect(changes == ["0 2  true"])
    let state = unit.profileState(forCable: 0, channel: 2)
    #expect(state.enabledProfiles == [profile] && state.disabledProfiles.isEmpty)
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: state, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(
      ofClass: MIDICIProfileState.self, from: archive)
    #expect(read?.enabledProfiles == [profile])
    #expect(read?.midiChannel == 2)
  }
}
