// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import AudioToolbox
import CAllocationProbe
import CPlugIns
import Foundation
import PlugInHosting
import Testing

@Suite("LADSPA plug-ins as units", .bothWays)
struct LADSPARenderTests {
  private func plugIn(_ label: String) throws -> TestPlugIn {
    try TestPlugIn(.ladspa, at: TestLibrary.effects, ":\(label)")
  }

  @Test("each channel of an effect for one channel has its own instance", arguments: [1, 2, 5, 8])
  func channels(count: Int) throws {
    let delay = try plugIn("delay")
    let input = (0..<count).map { channel in (0..<300).map { Float($0 * (channel + 1)) } }
    try delay.start(input: input, channels: count)
    let output = try delay.render(slices: [100, 7, 193], channels: count)
    for channel in 0..<count {
      #expect(output[channel] == [Float](repeating: 0, count: 64) + input[channel].prefix(236))
    }
  }

  @Test("more than eight channels, or different numbers, are refused")
  func tooManyChannels() throws {
    #expect(throws: CallFailure.self) { try plugIn("gain").start(channels: 9) }
    #expect(throws: CallFailure.self) { try plugIn("mix").start(channels: 1) }
  }

  @Test("numbers of channels may differ")
  func wide() throws {
    let wide = try plugIn("wide")
    let input = (0..<4).map { channel in (0..<1_024).map { Float($0 + channel * 10_000) } }
    try wide.start(input: input)
    #expect(try wide.render(slices: [512, 512], channels: 8) == input + input)
  }

  @Test("a side chain is a bus, silent while nothing is connected to it")
  func sideChain() throws {
    let mix = try plugIn("mix")
    try mix.start(input: [[1, 2, 3], [4, 5, 6]])
    #expect(try mix.render(slices: [3], channels: 2) == [[4, 5, 6], [1, 2, 3]])
    // The side chain may have no source, but not the main input.
    let unfed = try plugIn("mix")
    try unfed.start()
    let failure = #expect(throws: CallFailure.self) { try unfed.render(slices: [3], channels: 2) }
    #expect(failure?.status == kAudioUnitErr_NoConnection)
    let fed = try plugIn("mix")
    try fed.start(input: [[1, 2, 3], [4, 5, 6]], sideChain: [[10, 20, 30]])
    #expect(try fed.render(slices: [3], channels: 2) == [[14, 25, 36], [11, 22, 33]])
  }

  @Test("parameters apply from their frame on, and meters can be read")
  func parameters() throws {
    let gain = try plugIn("gain")
    try gain.start(input: [[Float](repeating: 1, count: 20)], channels: 1)
    try gain.set("Gain", to: 2)
    try check(
      AudioUnitSetParameter(gain.unit.handle, gain.id("Gain"), kAudioUnitScope_Global, 0, 3, 6))
    let output = try gain.render(slices: [10], channels: 1)
    #expect(output[0] == [Float](repeating: 2, count: 6) + [Float](repeating: 3, count: 4))
    #expect(try gain.value("Peak") == 3)
    #expect(throws: CallFailure.self) { try gain.set("Peak", to: 1) }
  }

  @Test("the latency is known before the first render, and its change is notified")
  func latency() throws {
    let delay = try plugIn("delay")
    try delay.start(input: [[1]], channels: 1)
    #expect(try delay.unit.get(kAudioUnitProperty_Latency, as: 0.0) == 64.0 / 48_000)
    _ = try delay.render(slices: [8, 8, 8, 8, 8, 8], channels: 1)
    #expect(try delay.unit.get(kAudioUnitProperty_Latency, as: 0.0) == 65.0 / 48_000)
  }

  @Test("bypass passes the input on, delayed by the latency")
  func bypass() throws {
    let delay = try plugIn("delay")
    try delay.unit.set(kAudioUnitProperty_BypassEffect, to: UInt32(1))
    try delay.start(input: [(0..<200).map(Float.init)], channels: 1)
    let output = try delay.render(slices: [200], channels: 1)
    #expect(output[0][100...] == (36..<136).map(Float.init)[...])
  }

  @Test("a reset forgets the history, at once and in a render")
  func reset() throws {
    let delay = try plugIn("delay")
    try delay.start(input: [[Float](repeating: 1, count: 1_000)], channels: 1)
    let silence = [Float](repeating: 0, count: 64)
    #expect(try delay.render(slices: [64], channels: 1)[0] == silence)
    try check(AudioUnitReset(delay.unit.handle, kAudioUnitScope_Global, 0))
    #expect(try delay.render(slices: [64], channels: 1)[0] == silence)
    #expect(try delay.render(slices: [64], channels: 1)[0] == [Float](repeating: 1, count: 64))
  }

  @Test("a reset within a render is left to another thread, and silent until then")
  func resetInRender() throws {
    let threads = try plugIn("threads")
    nonisolated(unsafe) let unit = threads.unit.handle
    nonisolated(unsafe) var rendersUntilReset = 1
    try threads.start(input: [[1]], channels: 1)
    try threads.unit.setCallback(
      HostCallback { moment in
        if rendersUntilReset == 0 { AudioUnitReset(unit, kAudioUnitScope_Global, 0) }
        rendersUntilReset -= 1
        moment.fill { _, _ in 1 }
        return noErr
      })
    let ones = [Float](repeating: 1, count: 8)
    #expect(try threads.render(slices: [8], channels: 1)[0] == ones)
    _ = try threads.render(slices: [8], channels: 1)
    // The render after the request asks for it.
    #expect(try threads.render(slices: [8], channels: 1)[0] == [Float](repeating: 0, count: 8))
    for _ in 0..<2_000 where try threads.render(slices: [8], channels: 1)[0] != ones {
      usleep(1_000)
    }
    #expect(try threads.render(slices: [8], channels: 1)[0] == ones)
    #expect(try threads.value("Activations") == 2)
    #expect(try threads.value("Foreign") == 1)
  }

  @Test("samples that are not finite become silence, and an error that can be read")
  func notFinite() throws {
    let broken = try plugIn("nan")
    try broken.start(input: [[Float](repeating: 1, count: 100)], channels: 1)
    try broken.set("Broken", to: 1)
    #expect(try broken.render(slices: [10], channels: 1)[0] == [Float](repeating: 0, count: 10))
    #expect(try broken.unit.lastRenderError == kAudioUnitErr_InvalidParameterValue)
    try broken.set("Broken", to: 0)
    #expect(try broken.render(slices: [10], channels: 1)[0] == [Float](repeating: 1, count: 10))
  }

  @Test("it never processes in place, and its tail is unknown")
  func properties() throws {
    let gain = try plugIn("gain")
    #expect(try gain.unit.get(kAudioUnitProperty_InPlaceProcessing, as: UInt32(1)) == 0)
    #expect(gain.unit.setting(kAudioUnitProperty_InPlaceProcessing, to: UInt32(1)) != noErr)
    #expect(throws: CallFailure.self) { try gain.unit.get(kAudioUnitProperty_TailTime, as: 0.0) }
  }

  @Test("ranges and defaults that are multiples of the rate follow it")
  func rates() throws {
    let tone = try plugIn("urn:test:tone/1")
    try tone.start(rate: 96_000)
    let info = try tone.info("Frequency")
    #expect(info.unit == .hertz)
    #expect(abs(info.minValue - 96) < 1e-4 && info.maxValue == 9_600)
    #expect(abs(try tone.value("Frequency") - 960) < 0.01)
    try tone.set("Frequency", to: 96_000)
    let fast = try tone.render(slices: [3], channels: 1)[0]
    #expect(fast == [0, sin(0.1 as Float), sin(0.2 as Float)])
  }

  @Test("a call leaves the modes of the processor and the locale as they were")
  func modes() throws {
    let gain = try plugIn("gain")
    let before = floating_point_modes()
    let locale = setlocale(LC_ALL, nil).map { String(cString: $0) }
    try gain.start(input: [[1, 2]], channels: 1)
    _ = try gain.render(slices: [2], channels: 1)
    let after = floating_point_modes()
    #expect(before.control & ~0x3f == after.control & ~0x3f && before.x87 == after.x87)
    #expect(setlocale(LC_ALL, nil).map { String(cString: $0) } == locale)
  }

  @Test("a render neither allocates nor frees memory")
  func heap() throws {
    let gain = try plugIn("gain")
    let silence = AURenderCallbackStruct(
      inputProc: { _, _, _, _, _, _ in noErr }, inputProcRefCon: nil)
    try gain.unit.set(
      kAudioUnitProperty_SetRenderCallback, to: silence, kAudioUnitScope_Input, 0)
    try gain.unit.setFormat(.linear(48_000, channels: 1), kAudioUnitScope_Input)
    try gain.start(channels: 1)
    var (flags, time) = (AudioUnitRenderActionFlags(rawValue: 0), AudioTimeStamp())
    time.mFlags = .sampleTimeValid
    var list = AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: 256, mData: nil))
    var operations: Int64 = 0
    for _ in 0..<10 {
      let before = heap_operations()
      try check(AudioUnitRender(gain.unit.handle, &flags, &time, 0, 64, &list))
      operations = heap_operations() - before
      time.mSampleTime += 64
      list.mBuffers.mData = nil
    }
    #expect(!heap_is_counted() || operations == 0)
  }

  @Test("a state is restored, and refused by another plug-in")
  func state() throws {
    let gain = try plugIn("gain")
    try gain.set("Gain", to: 2.5)
    let state = try gain.unit.get(
      kAudioUnitProperty_ClassInfo, as: nil as Unmanaged<CFPropertyList>?)
    let other = try plugIn("gain")
    try other.unit.set(kAudioUnitProperty_ClassInfo, to: state)
    #expect(try other.value("Gain") == 2.5)
    let third = try plugIn("nan")
    #expect(third.unit.setting(kAudioUnitProperty_ClassInfo, to: state) != noErr)
  }

  @Test("a plug-in that makes no instance gives a reason")
  func refusal() throws {
    let refusing = try TestPlugIn(.ladspa, at: TestLibrary.faults, ":refusing")
    let failure = #expect(throws: CallFailure.self) {
      try refusing.start(input: [[0]], channels: 1)
    }
    let reason = "\(try #require(failure))"
    #expect(reason.contains("makes no instance for 48000 Hz"))
    #expect(throws: CallFailure.self) {
      try TestPlugIn(.ladspa, at: TestLibrary.faults, ":idle")
    }
  }
}
