// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioTestSupport
import CAllocationProbe
import Foundation
import Testing

@Suite("Events of a unit")
struct EventTests {
  private func gainUnit(
    _ subType: String, type: OSType = kAudioUnitType_Effect
  ) async throws -> GainUnit {
    let unit: GainUnit = try await AUAudioUnit.registered(subType, type: type)
    try unit.allocateRenderResources()
    return unit
  }

  @Test("a parameter changes at its frame", arguments: [0, 1, 100, 511] as [Int64])
  func parameter(frame: Int64) async throws {
    let unit = try await gainUnit("evt1")
    unit.scheduleParameterBlock(AUEventSampleTimeImmediate + frame, 0, GainUnit.gain, 2)
    let samples = try unit.render(512, at: 7_000)
    #expect(samples.firstIndex(of: 2) == Int(frame))
    #expect(samples.prefix(Int(frame)).allSatisfy { $0 == 1 })
    #expect(unit.state.events.map(\.time) == [7_000 + frame])
  }

  @Test("an event waits for its render, and a late one takes effect at once")
  func times() async throws {
    let unit = try await gainUnit("evt2")
    unit.scheduleParameterBlock(1_010, 0, GainUnit.gain, 2)
    #expect(try unit.render(512, at: 0).allSatisfy { $0 == 1 })
    unit.scheduleParameterBlock(600, 0, GainUnit.gain, 3)
    let samples = try unit.render(512, at: 1_000)
    #expect(samples[0] == 3)
    #expect(samples[9] == 3)
    #expect(samples[10] == 2)
    #expect(unit.state.events.map(\.time) == [1_000, 1_010])
  }

  @Test("events come in the order of time, and those of one time as they were scheduled")
  func order() async throws {
    let unit = try await gainUnit("evt3")
    for (time, value) in [(30, 0.5), (10, 2), (30, 3), (20, 1)] as [(Int64, Float)] {
      unit.scheduleParameterBlock(time, 0, GainUnit.gain, value)
    }
    let samples = try unit.render(64)
    #expect(unit.state.events.map(\.time) == [10, 20, 30, 30])
    #expect(samples[9] == 1 && samples[10] == 2 && samples[20] == 1 && samples[30] == 3)
  }

  @Test("a ramp has its length in frames")
  func ramp() async throws {
    let unit = try await gainUnit("evt4")
    unit.scheduleParameterBlock(AUEventSampleTimeImmediate, 100, GainUnit.gain, 3)
    let samples = try unit.render(128)
    for frame in 0..<100 { #expect(abs(samples[frame] - (1 + 0.02 * Float(frame + 1))) < 1e-4) }
    #expect(samples[99...].allSatisfy { abs($0 - 3) < 1e-4 })
  }

  @Test("MIDI messages come with all their bytes, short and long")
  func midi() async throws {
    let unit = try await gainUnit("evt5", type: kAudioUnitType_MusicEffect)
    let schedule = try #require(unit.scheduleMIDIEventBlock)
    let long: [UInt8] = [0xF0] + (0..<5_000).map { UInt8($0 % 128) } + [0xF7]
    schedule(AUEventSampleTimeImmediate + 4, 0, 3, [0x90, 60, 100])
    schedule(AUEventSampleTimeImmediate + 2, 0, long.count, long)
    schedule(AUEventSampleTimeImmediate + 6, 0, 2, [0xC0, 5])
    _ = try unit.render(16)
    #expect(unit.state.events.map(\.bytes) == [long, [0x90, 60, 100], [0xC0, 5]])
    #expect(unit.state.events.map(\.type) == [.midiSysEx, .MIDI, .MIDI])
  }

  @Test("several MIDI messages in one call come one by one")
  func midiMessages() async throws {
    let unit = try await gainUnit("evta", type: kAudioUnitType_MusicEffect)
    let schedule = try #require(unit.scheduleMIDIEventBlock)
    let bytes: [UInt8] = [0x90, 60, 0xF8, 100, 0xC0, 5, 9, 0xB0, 7, 0xFE, 0x80, 60, 0, 0xF6, 0xE0]
    schedule(AUEventSampleTimeImmediate + 3, 0, bytes.count, bytes)
    schedule(AUEventSampleTimeImmediate, 0, -1, bytes)
    _ = try unit.render(16)
    #expect(
      unit.state.events.map(\.bytes) == [
        [0xF8], [0x90, 60, 100], [0xC0, 5], [0xFE], [0x80, 60, 0], [0xF6],
      ])
    #expect(unit.state.events.allSatisfy { $0.time == 3 && $0.type == .MIDI })
  }

  @Test("only units that take MIDI have a block for it")
  func noMIDI() async throws {
    let unit = try await gainUnit("evt6")
    #expect(unit.scheduleMIDIEventBlock == nil)
    #expect(!unit.isMusicDeviceOrEffect)
    #expect(unit.virtualMIDICableCount == 0)
  }

  @Test("more events than fit are dropped, and there is room again after a render")
  func capacity() async throws {
    let unit = try await gainUnit("evt7")
    for index in 0..<2_000 {
      unit.scheduleParameterBlock(AUEventSampleTimeImmediate, 0, GainUnit.gain, Float(index % 4))
    }
    _ = try unit.render(16)
    #expect(unit.state.events.count == 1_024)
    unit.scheduleParameterBlock(AUEventSampleTimeImmediate, 0, GainUnit.gain, .nan)
    unit.scheduleParameterBlock(AUEventSampleTimeImmediate, 0, GainUnit.gain, 2)
    let samples = try unit.render(16, at: 16)
    #expect(samples == [Float](repeating: 2, count: 16))
  }

  @Test("events arrive although the memory is full of events in the future, and reset frees it")
  func future() async throws {
    let unit = try await gainUnit("evtb", type: kAudioUnitType_MusicEffect)
    for index in 0..<1_024 {
      unit.scheduleParameterBlock(1_000_000 + Int64(index), 0, GainUnit.gain, 0)
    }
    _ = try unit.render(16)
    unit.scheduleParameterBlock(AUEventSampleTimeImmediate, 0, GainUnit.gain, 2)
    let midi = try #require(unit.scheduleMIDIEventBlock)
    midi(AUEventSampleTimeImmediate + 1, 0, 3, [0x90, 60, 100])
    unit.scheduleParameterBlock(2_000_000, 0, GainUnit.gain, 4)
    #expect(try unit.render(16, at: 16) == [Float](repeating: 2, count: 16))
    #expect(unit.state.events.map(\.bytes) == [[], [0x90, 60, 100]])
    // Two events gave their memory to these two, which return it; the third one was the latest.
    unit.scheduleParameterBlock(1_000_000, 0, GainUnit.gain, 3)
    _ = try unit.render(16, at: 1_000_000)
    #expect(unit.state.events.count == 2 + 17)
    unit.reset()
    unit.scheduleParameterBlock(AUEventSampleTimeImmediate, 0, GainUnit.gain, 1)
    #expect(try unit.render(512, at: 1_000_500) == [Float](repeating: 1, count: 512))
    #expect(unit.state.events.count == 2 + 17 + 1)
  }

  @Test("reset drops the events that wait, also if no more fit, but not those scheduled later")
  func reset() async throws {
    let unit = try await gainUnit("evt8")
    for _ in 0..<1_024 { unit.scheduleParameterBlock(100, 0, GainUnit.gain, 2) }
    unit.reset()
    #expect(try unit.render(256).allSatisfy { $0 == 1 })
    unit.scheduleParameterBlock(300, 0, GainUnit.gain, 2)
    unit.reset()
    unit.scheduleParameterBlock(310, 0, GainUnit.gain, 3)
    let samples = try unit.render(256, at: 256)
    #expect(samples.firstIndex { $0 != 1 } == 310 - 256)
    #expect(samples[54] == 3)
  }

  /// What renders: a subclass, a C unit around one, and a C unit, both as objects.
  enum Kind: CaseIterable {
    case subclass, subclassInCUnit, filter, example
  }

  @Test(
    "rendering with events and ramps does not use the heap", .enabled(if: heap_is_counted()),
    arguments: Kind.allCases)
  func heap(kind: Kind) async throws {
    let unit: AUAudioUnit
    switch kind {
    case .subclass, .subclassInCUnit:
      let gain = try await gainUnit("evt9", type: kAudioUnitType_MusicEffect)
      gain.state.keepsEvents = false
      guard kind == .subclassInCUnit else {
        unit = gain
        break
      }
      let bridge = try AUAudioUnitV2Bridge(componentDescription: gain.componentDescription)
      let inside = try #require(try AUAudioUnit.object(of: bridge.audioUnit) as? GainUnit)
      inside.state.keepsEvents = false
      try bridge.allocateRenderResources()
      unit = bridge
    case .filter:
      unit = try AUAudioUnit(componentDescription: .apple(kAudioUnitSubType_LowPassFilter))
      try unit.allocateRenderResources()
    case .example:
      AUAudioUnit.registerSubclass(
        LowPass.self, as: .test("evta"), name: "Tests: Filter", version: 1)
      unit = try AUAudioUnitV2Bridge(componentDescription: .test("evta"))
      try unit.allocateRenderResources()
    }
    let parameter = try #require(unit.parameterTree?.allParameters.first)
    let (render, schedule, address) = (
      unit.renderBlock, unit.scheduleParameterBlock, parameter.address
    )
    let midi = unit.scheduleMIDIEventBlock
    #expect((midi == nil) == (kind == .filter || kind == .example))
    unit.token(byAddingRenderObserver: { _, _, _, _ in })
    let pull: AURenderPullInputBlock = { _, _, _, _, _ in noErr }
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    var samples = [Float](repeating: 0.5, count: 128)
    defer { free(list.unsafeMutablePointer) }
    let message = UnsafeMutablePointer<UInt8>.allocate(capacity: 3)
    defer { message.deallocate() }
    message.update(from: [0x90, 60, 100], count: 3)
    samples.withUnsafeMutableBufferPointer { buffer in
      for channel in 0..<2 {
        list[channel] = AudioBuffer(
          mNumberChannels: 1, mDataByteSize: 256,
          mData: buffer.baseAddress.map { $0 + 64 * channel })
      }
      var (flags, stamp) = (AudioUnitRenderActionFlags(), AudioTimeStamp())
      stamp.mFlags = .sampleTimeValid
      // What a first render prepares may be on the heap.
      _ = render(&flags, &stamp, 64, 0, list.unsafeMutablePointer, pull)
      let before = heap_operations()
      var status = noErr
      for round in 0..<100 {
        stamp.mSampleTime += 64
        schedule(AUEventSampleTimeImmediate + 3, 20, address, 1 + AUValue(round % 2))
        schedule(AUEventSampleTimeImmediate + 40, 0, address, 1)
        midi?(AUEventSampleTimeImmediate + 1, 0, 3, message)
        let result = render(&flags, &stamp, 64, 0, list.unsafeMutablePointer, pull)
        if result != noErr { status = result }
      }
      #expect(heap_operations() == before)
      #expect(status == noErr)
    }
  }
}
