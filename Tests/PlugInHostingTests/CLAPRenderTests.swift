// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import AudioToolbox
import CAllocationProbe
import Foundation
import PlugInHosting
import Testing

@Suite("CLAP plug-ins as units", .bothWays)
struct CLAPRenderTests {
  private func gain() throws -> TestPlugIn {
    try TestPlugIn(.clap, at: TestLibrary.clap, "test.gain")
  }

  /// A unit of the gain with all that is known about it, as the library makes it for a program.
  private func gain(of description: PlugInDescription) throws -> TestPlugIn {
    try TestPlugIn(description)
  }

  private func synth() throws -> TestPlugIn {
    try TestPlugIn(.clap, at: TestLibrary.clap, "test.synth")
  }

  private func ones(_ count: Int) -> [Float] { [Float](repeating: 1, count: count) }

  /// Renders until something is so that another thread does.
  private func render(_ plugIn: TestPlugIn, channels: Int, until done: () throws -> Bool) throws {
    for _ in 0..<2_000 where try !done() {
      _ = try plugIn.render(slices: [8], channels: channels)
      usleep(1_000)
    }
    #expect(try done())
  }

  @Test("parameters apply from their frame on, and the thread is right in every call")
  func parameters() throws {
    let gain = try gain()
    try gain.start(input: [ones(60), ones(60)])
    try gain.set("Gain", to: 2)
    try check(
      AudioUnitSetParameter(gain.unit.handle, gain.id("Gain"), kAudioUnitScope_Global, 0, 3, 6))
    let output = try gain.render(slices: [10, 10], channels: 2)
    let expected = [Float](repeating: 2, count: 6) + [Float](repeating: 3, count: 14)
    #expect(output == [expected, expected])
    try check(AudioUnitReset(gain.unit.handle, kAudioUnitScope_Global, 0))
    _ = try gain.render(slices: [10], channels: 2)
    try gain.unit.uninitialize()
    try gain.unit.initialize()
    _ = try gain.render(slices: [10], channels: 2)
    #expect(try gain.value("Faults") == 0)
  }

  @Test("a reset within a render is done by the next one")
  func reset() throws {
    let gain = try gain()
    nonisolated(unsafe) let unit = gain.unit.handle
    nonisolated(unsafe) var resets = 1
    try gain.start(input: [ones(40), ones(40)])
    try gain.unit.setCallback(
      HostCallback { moment in
        if resets > 0 { AudioUnitReset(unit, kAudioUnitScope_Global, 0) }
        resets -= 1
        moment.fill { _, _ in 1 }
        return noErr
      })
    #expect(try gain.render(slices: [8, 8], channels: 2)[0] == ones(16))
    #expect(try gain.value("Faults") == 0)
  }

  @Test("a side chain is a bus of its own, silent while nothing is connected")
  func sideChain() throws {
    let gain = try gain()
    try gain.start(input: [[1, 2], [3, 4]], sideChain: [[10, 20]])
    #expect(try gain.render(slices: [2], channels: 2) == [[11, 22], [13, 24]])
  }

  @Test("values that the plug-in changes can be read, and reach it no second time")
  func changes() throws {
    let gain = try gain()
    try gain.start(input: [ones(40), ones(40)])
    try gain.set("Action", to: 4)
    _ = try gain.render(slices: [8], channels: 2)
    #expect(try gain.value("Gain") == 0.5)
    try gain.set("Action", to: 5)
    #expect(try gain.render(slices: [8], channels: 2)[0] == [Float](repeating: 0.5, count: 8))
  }

  @Test("values that change without an event are read again")
  func rescan() throws {
    let gain = try gain()
    try gain.start(input: [ones(8), ones(8)])
    try gain.set("Action", to: 3)
    try render(gain, channels: 2) { try gain.value("Gain") == 0.25 }
  }

  @Test("the latency is known at once, and changes by a restart")
  func latency() throws {
    let gain = try gain()
    try gain.start(input: [ones(8), ones(8)])
    func latency() throws -> Double { try gain.unit.get(kAudioUnitProperty_Latency, as: 0.0) }
    #expect(try latency() == 3.0 / 48_000)
    try gain.set("Action", to: 1)
    try render(gain, channels: 2) { try latency() == 8.0 / 48_000 }
    #expect(try gain.value("Faults") == 0)
  }

  @Test("the tail is that of the plug-in, if it has one")
  func tail() throws {
    let gain = try gain()
    try gain.start(input: [ones(8), ones(8)])
    #expect(try gain.unit.get(kAudioUnitProperty_TailTime, as: 0.0) == 0.5)
    #expect(throws: CallFailure.self) {
      try synth().unit.get(kAudioUnitProperty_TailTime, as: 0.0)
    }
  }

  @Test("a requested call comes on the main thread")
  func callback() throws {
    let gain = try gain()
    try gain.start(input: [ones(8), ones(8)])
    try gain.set("Action", to: 2)
    try render(gain, channels: 2) { try gain.value("Calls") == 1 }
    #expect(try gain.value("Faults") == 0)
  }

  @Test("timers tick on the main thread until the plug-in ends them")
  func timers() throws {
    let gain = try gain()
    try gain.start(input: [ones(8), ones(8)])
    try gain.set("Action", to: 2)
    try render(gain, channels: 2) { try gain.value("Calls") == 1 }
    try render(gain, channels: 2) { try gain.value("Ticks") == 3 }
    usleep(30_000)
    _ = try gain.render(slices: [8], channels: 2)
    #expect(try gain.value("Ticks") == 3)
    #expect(try gain.value("Faults") == 0)
  }

  @Test("the presets that the library describes are factory presets")
  func presets() throws {
    let described = try #require(
      try PlugInFormat.clap.describe("test.gain", libraryAt: TestLibrary.clap))
    #expect(described.presets.map(\.name) == ["Quiet", "Loud"])
    let gain = try gain(of: described)
    try gain.start(input: [ones(16), ones(16)])
    try gain.unit.set(
      kAudioUnitProperty_PresentPreset, to: AUPreset(presetNumber: 1, presetName: nil))
    #expect(try gain.value("Gain") == 3)
    #expect(try gain.render(slices: [8], channels: 2)[0] == [Float](repeating: 3, count: 8))
    try gain.unit.set(
      kAudioUnitProperty_PresentPreset, to: AUPreset(presetNumber: 0, presetName: nil))
    #expect(try gain.value("Gain") == 0.125)
  }

  @Test("the bypass of the plug-in is that of the unit")
  func bypass() throws {
    let gain = try gain()
    try gain.start(input: [ones(20), ones(20)])
    try gain.set("Gain", to: 4)
    try gain.unit.set(kAudioUnitProperty_BypassEffect, to: UInt32(1))
    #expect(try gain.render(slices: [10], channels: 2)[1] == ones(10))
    try gain.unit.set(kAudioUnitProperty_BypassEffect, to: UInt32(0))
    #expect(try gain.render(slices: [10], channels: 2)[1] == [Float](repeating: 4, count: 10))
  }

  @Test("values have the texts of the plug-in, and texts its values")
  func texts() throws {
    let gain = try gain()
    let info = try gain.info("Frequency")
    #expect(info.flags.contains(.flag_ValuesHaveStrings))
    var value: Float = 1
    let text = try withUnsafePointer(to: &value) { value in
      try gain.unit.get(
        kAudioUnitProperty_ParameterStringFromValue,
        as: AudioUnitParameterStringFromValue(
          inParamID: gain.id("Frequency"), inValue: value, outString: nil))
    }.outString
    #expect(text?.takeRetainedValue() as String? == "10000 Hz")
    let back = try gain.unit.get(
      kAudioUnitProperty_ParameterValueFromString,
      as: AudioUnitParameterValueFromString(
        inParamID: gain.id("Frequency"), inString: Unmanaged.passRetained("1000 Hz" as CFString),
        outValue: 0))
    #expect(abs(back.outValue - 0.5) < 1e-6)
  }

  @Test("a process that fails, or output that is not finite, is silence")
  func failures() throws {
    let gain = try gain()
    try gain.start(input: [ones(40), ones(40)])
    for mode in [1, 2] as [Float] {
      try gain.set("Mode", to: mode)
      #expect(try gain.render(slices: [8], channels: 2)[0] == [Float](repeating: 0, count: 8))
    }
    try gain.set("Mode", to: 0)
    #expect(try gain.render(slices: [8], channels: 2)[0] == ones(8))
  }

  @Test("a plug-in that refuses a rate says why")
  func refusedRate() throws {
    let gain = try gain()
    let failure = #expect(throws: CallFailure.self) {
      try gain.start(rate: 11_025, input: [ones(8), ones(8)])
    }
    #expect("\(try #require(failure))".contains("this rate is too low"))
    try gain.unit.setFormat(.linear(48_000, channels: 2), kAudioUnitScope_Output)
    try gain.unit.setFormat(.linear(48_000, channels: 2), kAudioUnitScope_Input)
    try gain.unit.setFormat(.linear(48_000, channels: 1), kAudioUnitScope_Input, 1)
    try gain.unit.initialize()
  }

  @Test("notes begin and end at their frames, in slices of any length", arguments: [64, 10, 1])
  func notes(slice: Int) throws {
    let synth = try synth()
    try synth.start()
    try check(MusicDeviceMIDIEvent(synth.unit.handle, 0x90, 60, 127, 3))
    try check(MusicDeviceMIDIEvent(synth.unit.handle, 0x90, 60, 0, 20))
    try check(MusicDeviceMIDIEvent(synth.unit.handle, 0xB0, 7, 1, 40))
    let output = try synth.render(
      slices: [Int](repeating: slice, count: 64 / slice), channels: 1)[0]
    #expect(
      output == (0..<output.count).map { $0 < 3 ? 0 : $0 < 20 ? 1 : $0 < 40 ? 0 : 0.125 })
    #expect(try synth.value("Notes") == 1)
  }

  @Test("messages that the plug-in sends reach the host, when it renders and when a unit pulls")
  func sentMessages() throws {
    for isConnected in [false, true] {
      let synth = try synth()
      struct Sent { var bytes: [[UInt8]] = [] }
      var sent = Sent()
      try withUnsafeMutablePointer(to: &sent) { sent in
        try synth.unit.set(
          kAudioUnitProperty_MIDIOutputCallback,
          to: AUMIDIOutputCallbackStruct(
            midiOutputCallback: { context, _, _, list in
              let data = list.pointee.packet.data
              context?.assumingMemoryBound(to: Sent.self).pointee.bytes.append(
                [data.0, data.1, data.2, UInt8(truncatingIfNeeded: list.pointee.packet.timeStamp)])
              return noErr
            }, userData: sent))
        try synth.start()
        try check(MusicDeviceMIDIEvent(synth.unit.handle, 0x90, 60, 127, 3))
        try check(MusicDeviceMIDIEvent(synth.unit.handle, 0x90, 60, 0, 20))
        if isConnected {
          let mixer = try AudioTestSupport.HostedUnit(
            kAudioUnitSubType_MultiChannelMixer, type: kAudioUnitType_Mixer)
          try mixer.setFormat(.linear(48_000, channels: 2), kAudioUnitScope_Output)
          try mixer.connect(synth.unit)
          try mixer.initialize()
          let list = AudioBufferList.allocate(maximumBuffers: 2)
          defer { free(list.unsafeMutablePointer) }
          for channel in 0..<2 {
            list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 256, mData: nil)
          }
          var (flags, time) = (AudioUnitRenderActionFlags(rawValue: 0), AudioTimeStamp())
          time.mFlags = .sampleTimeValid
          try check(
            AudioUnitRender(mixer.handle, &flags, &time, 0, 64, list.unsafeMutablePointer))
          try mixer.dispose()
        } else {
          _ = try synth.render(slices: [64], channels: 1)
        }
      }
      #expect(sent.bytes == [[0x90, 67, 127, 3], [0x80, 60, 64, 20]])
    }
  }

  @Test("the host's tempo and beat arrive in every slice")
  func transport() throws {
    let synth = try synth()
    var callbacks = HostCallbackInfo()
    callbacks.beatAndTempoProc = { _, beat, tempo in
      beat?.pointee = 9
      tempo?.pointee = 90
      return noErr
    }
    try synth.unit.set(kAudioUnitProperty_HostCallbacks, to: callbacks)
    try synth.start()
    _ = try synth.render(slices: [16], channels: 1)
    #expect(try synth.value("Tempo") == 90)
    #expect(try synth.value("Beat") == 9)
  }

  @Test("what the plug-in saves is part of the state, and sets the parameters")
  func state() throws {
    let gain = try gain()
    try gain.start(input: [ones(8), ones(8)])
    try gain.set("Gain", to: 3)
    _ = try gain.render(slices: [8], channels: 2)
    let live = try gain.unit.get(
      kAudioUnitProperty_ClassInfo, as: nil as Unmanaged<CFPropertyList>?)
    var entries = try #require(live?.takeRetainedValue() as? [String: Any])
    #expect(entries["plug-in-state"] as? Data == Data("state 3 0".utf8))
    let other = try self.gain()
    try other.unit.set(kAudioUnitProperty_ClassInfo, to: entries as NSDictionary as CFPropertyList?)
    #expect(try other.value("Gain") == 3)
    // Without the values, those of the plug-in apply.
    entries["data"] = nil
    entries["plug-in-state"] = Data("state 1.5 0".utf8)
    try other.unit.set(kAudioUnitProperty_ClassInfo, to: entries as NSDictionary as CFPropertyList?)
    #expect(try other.value("Gain") == 1.5)
    try other.start(input: [ones(16), ones(16)])
    #expect(try other.render(slices: [4], channels: 2)[0] == [Float](repeating: 1.5, count: 4))
    entries["plug-in-state"] = Data("state 0.5 0".utf8)
    try other.unit.set(kAudioUnitProperty_ClassInfo, to: entries as NSDictionary as CFPropertyList?)
    #expect(try other.render(slices: [4], channels: 2)[0] == [Float](repeating: 0.5, count: 4))
    for broken in [Data(), Data("nothing".utf8)] {
      entries["plug-in-state"] = broken
      let state = entries as NSDictionary as CFPropertyList?
      #expect(other.unit.setting(kAudioUnitProperty_ClassInfo, to: state) != noErr)
    }
  }

  @Test("a render neither allocates nor frees memory")
  func heap() throws {
    let synth = try synth()
    try synth.start()
    var (flags, time) = (AudioUnitRenderActionFlags(rawValue: 0), AudioTimeStamp())
    time.mFlags = .sampleTimeValid
    var list = AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: 256, mData: nil))
    var operations: Int64 = 0
    for turn in 0..<10 {
      let before = heap_operations()
      try check(
        MusicDeviceMIDIEvent(synth.unit.handle, turn % 2 == 0 ? 0x90 : 0x80, 60, 100, 7))
      try check(AudioUnitRender(synth.unit.handle, &flags, &time, 0, 64, &list))
      operations = heap_operations() - before
      time.mSampleTime += 64
      list.mBuffers.mData = nil
    }
    #expect(!heap_is_counted() || operations == 0)
  }

  /// Debian's.
  private static let libraries: [(path: String, identifier: String)] = {
    [
      ("/usr/lib/clap/ZamComp.clap", ""), ("/usr/lib/clap/ZamVerb.clap", ""),
      ("/usr/lib/clap/ZamDelay.clap", ""), ("/usr/lib/clap/ZamTube.clap", ""),
    ].filter { FileManager.default.fileExists(atPath: $0.0) }
  }()

  @Test("installed plug-ins run, and give the same sound twice", arguments: libraries)
  func installed(path: String, identifier: String) throws {
    func render() throws -> [[Float]] {
      let plugIn = try TestPlugIn(.clap, at: path, identifier)
      let noise = (0..<4_096).map { Float(($0 * 7_919) % 1_000) / 1_000 - 0.5 }
      let input = plugIn.description.inputs.first.map { $0.ports.map { _ in noise } } ?? []
      try plugIn.start(input: input)
      if plugIn.description.acceptsMIDI {
        try check(MusicDeviceMIDIEvent(plugIn.unit.handle, 0x90, 60, 100, 5))
      }
      return try plugIn.render(
        slices: [512, 512, 100, 412, 1, 511, 512],
        channels: plugIn.description.outputs[0].channelCount)
    }
    let first = try render()
    #expect(first.contains { $0.contains { abs($0) > 1e-4 } })
    #expect(try render() == first)
  }
}

/// In a process of its own such a plug-in may be the same each time.
@Suite("CLAP plug-ins that change")
struct CLAPChangeTests {
  @Test("a plug-in whose ports change cannot be initialized")
  func shifting() throws {
    #expect(throws: CallFailure.self) {
      try TestPlugIn(.clap, at: TestLibrary.clap, "test.shifting").start()
    }
  }
}
