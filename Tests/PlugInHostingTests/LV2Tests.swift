// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import AudioToolbox
import Foundation
import PlugInHosting
import Testing

@Suite("LV2 plug-ins as units", .bothWays)
struct LV2Tests {
  private func makeSynth() throws -> TestPlugIn {
    try TestPlugIn(.lv2, at: TestLibrary.bundle, "urn:test:synth")
  }

  private func note(_ velocity: UInt32, at frame: UInt32, _ synth: TestPlugIn) throws {
    try check(MusicDeviceMIDIEvent(synth.unit.handle, 0x90, 60, velocity, frame))
  }

  @Test("a bundle describes its plug-ins without running them")
  func description() throws {
    let all = try PlugInFormat.lv2.describe(libraryAt: TestLibrary.bundle)
    let synth = try #require(all.first { $0.identifier == "urn:test:synth" })
    #expect(synth.refusals.isEmpty)
    #expect(synth.componentName == "Maker: Synth")
    #expect(synth.version == 0x302)
    #expect(synth.codes?.type == kAudioUnitType_MusicDevice)
    #expect(synth.codes.map { $0.manufacturer >> 24 } == 0x4C)
    #expect(synth.inputs == [PlugInBus("Modulation", [4], .control)])
    #expect(synth.parameters.map(\.name) == ["Level", "Shape", "Notes", "Latency"])
    #expect(synth.parameters.map(\.purpose) == [.value, .value, .value, .latency])
    #expect(synth.parameters[1].points.map(\.name) == ["Narrow", "Wide"])
    #expect(synth.presets.map(\.name) == ["Loud"])
    #expect(synth.presets[0].values == [synth.parameters[0].id: 2])
  }

  @Test("a plug-in that requires an unknown feature is listed, and cannot be opened")
  func unknownFeature() throws {
    let all = try PlugInFormat.lv2.describe(libraryAt: TestLibrary.bundle)
    let wanting = try #require(all.first { $0.identifier == "urn:test:wanting" })
    #expect(wanting.refusals == ["it requires urn:test:unheard"])
    #expect(throws: CallFailure.self) {
      try TestPlugIn(.lv2, at: TestLibrary.bundle, "urn:test:wanting")
    }
  }

  @Test("a folder without a bundle has no plug-ins")
  func noBundle() throws {
    #expect(try PlugInFormat.lv2.describe(libraryAt: "/nowhere.lv2").isEmpty)
  }

  @Test("notes begin and end at their frames, in slices of any length", arguments: [64, 10, 1])
  func notes(slice: Int) throws {
    let synth = try makeSynth()
    try synth.start()
    try note(127, at: 3, synth)
    try note(0, at: 20, synth)
    let output = try synth.render(
      slices: [Int](repeating: slice, count: 64 / slice), channels: 1)[0]
    let expected = (0..<output.count).map { $0 >= 3 && $0 < 20 ? 1 as Float : 0 }
    #expect(output == expected)
  }

  @Test("started notes end by their identifiers")
  func startedNotes() throws {
    let synth = try makeSynth()
    try synth.start()
    var parameters = MusicDeviceNoteParams(
      argCount: 2, mPitch: 60, mVelocity: 127, mControls: NoteParamsControlValue())
    var note: NoteInstanceID = 0
    try check(MusicDeviceStartNote(synth.unit.handle, 0, 2, &note, 1, &parameters))
    try check(MusicDeviceStopNote(synth.unit.handle, 2, note, 3))
    #expect(try synth.render(slices: [5], channels: 1)[0] == [0, 1, 1, 0, 0])
    #expect(MusicDeviceStopNote(synth.unit.handle, 2, 77, 0) != noErr)
  }

  @Test("messages that are too long, or no messages, are refused")
  func refusedMessages() throws {
    let synth = try makeSynth()
    #expect(MusicDeviceMIDIEvent(synth.unit.handle, 0x90, 60, 1, 0) != noErr)
    try synth.start()
    let long = [UInt8](repeating: 0xf0, count: 33)
    #expect(MusicDeviceSysEx(synth.unit.handle, long, 33) != noErr)
    #expect(MusicDeviceMIDIEvent(synth.unit.handle, 0x10, 60, 1, 0) != noErr)
  }

  @Test("parameters, and a control signal on a bus of its own, change the sound")
  func control() throws {
    let synth = try makeSynth()
    try synth.start(input: [[0.25, 0.5, 0.75, 1]])
    try synth.set("Level", to: 2)
    try note(127, at: 2, synth)
    #expect(try synth.render(slices: [4], channels: 1)[0] == [0.25, 0.5, 2.75, 3])
  }

  @Test("named values anywhere in a range have their texts")
  func namedValues() throws {
    let info = try makeSynth().info("Shape")
    #expect(info.flags.contains(.flag_ValuesHaveStrings))
    #expect(info.unit == .indexed)
  }

  @Test("offline, work in another thread is done in step")
  func worker() throws {
    let synth = try makeSynth()
    try synth.unit.set(kAudioUnitProperty_OfflineRender, to: UInt32(1))
    try synth.start()
    for count in 1...20 {
      try note(100, at: 0, synth)
      _ = try synth.render(slices: [1, 1], channels: 1)
      #expect(try synth.value("Notes") == Float(count))
    }
  }

  @Test("live, work is done in a thread, and its result arrives later")
  func liveWorker() throws {
    let synth = try makeSynth()
    try synth.start()
    try note(100, at: 0, synth)
    for _ in 0..<2_000 where try synth.value("Notes") == 0 {
      _ = try synth.render(slices: [1], channels: 1)
      usleep(1_000)
    }
    #expect(try synth.value("Notes") == 1)
  }

  @Test("what the plug-in saves is part of the state, and outlives its instance")
  func state() throws {
    let synth = try makeSynth()
    try synth.unit.set(kAudioUnitProperty_OfflineRender, to: UInt32(1))
    try synth.start()
    for _ in 0..<5 { try note(100, at: 0, synth) }
    _ = try synth.render(slices: [8], channels: 1)
    try synth.set("Level", to: 3)
    let live = try synth.unit.get(
      kAudioUnitProperty_ClassInfo, as: nil as Unmanaged<CFPropertyList>?)
    try synth.unit.uninitialize()
    let stored = try synth.unit.get(
      kAudioUnitProperty_ClassInfo, as: nil as Unmanaged<CFPropertyList>?)
    for state in [live, stored] {
      let other = try makeSynth()
      try other.unit.set(kAudioUnitProperty_ClassInfo, to: state)
      try other.start()
      _ = try other.render(slices: [1], channels: 1)
      #expect(try other.value("Notes") == 5)
      #expect(try other.value("Level") == 3)
    }
    let running = try makeSynth()
    try running.start()
    try running.unit.set(kAudioUnitProperty_ClassInfo, to: live)
    _ = try running.render(slices: [1], channels: 1)
    #expect(try running.value("Notes") == 5)
  }

  @Test("a state that cannot be read is refused, and changes nothing")
  func brokenState() throws {
    let synth = try makeSynth()
    let state = try synth.unit.get(
      kAudioUnitProperty_ClassInfo, as: nil as Unmanaged<CFPropertyList>?)
    var entries = try #require(state?.takeRetainedValue() as? [String: Any])
    for bytes in [Data(), Data("<a> <b> \"".utf8), Data(repeating: 0xff, count: 1_000)] {
      entries["plug-in-state"] = bytes
      let broken: CFPropertyList? = entries as NSDictionary
      #expect(synth.unit.setting(kAudioUnitProperty_ClassInfo, to: broken) != noErr)
    }
    try synth.start()
    _ = try synth.render(slices: [1], channels: 1)
    #expect(try synth.value("Notes") == 0)
  }

  @Test("a factory preset sets parameters and what the plug-in saves")
  func preset() throws {
    let synth = try makeSynth()
    try synth.start()
    try synth.unit.set(
      kAudioUnitProperty_PresentPreset, to: AUPreset(presetNumber: 0, presetName: nil))
    _ = try synth.render(slices: [1], channels: 1)
    #expect(try synth.value("Level") == 2)
    #expect(try synth.value("Notes") == 41)
  }

  @Test("the host's tempo and transport arrive as a position when they change")
  func position() throws {
    let clock = try TestPlugIn(.lv2, at: TestLibrary.bundle, "urn:test:clock")
    var callbacks = HostCallbackInfo()
    callbacks.beatAndTempoProc = { _, beat, tempo in
      beat?.pointee = 9
      tempo?.pointee = 90
      return noErr
    }
    callbacks.musicalTimeLocationProc = { _, _, numerator, denominator, downbeat in
      numerator?.pointee = 3
      denominator?.pointee = 4
      downbeat?.pointee = 6
      return noErr
    }
    callbacks.transportStateProc = { _, plays, _, frame, _, _, _ in
      plays?.pointee = false
      frame?.pointee = 100
      return noErr
    }
    try clock.unit.set(kAudioUnitProperty_HostCallbacks, to: callbacks)
    try clock.start()
    _ = try clock.render(slices: [16], channels: 1)
    #expect(try clock.value("Tempo") == 90)
    #expect(try clock.value("Bar") == 2)
    #expect(try clock.value("Beat in bar") == 3)
    _ = try clock.render(slices: [16, 16], channels: 1)
    #expect(try clock.value("Positions") == 1)
  }

  @Test(
    "messages that a plug-in sends reach the host at their frames",
    .enabled(if: FileManager.default.fileExists(atPath: "/usr/lib/lv2/eg-fifths.lv2")))
  func sentMessages() throws {
    let fifths = try TestPlugIn(
      .lv2, at: "/usr/lib/lv2/eg-fifths.lv2", "http://lv2plug.in/plugins/eg-fifths")
    #expect(fifths.description.codes?.type == kAudioUnitType_MIDIProcessor)
    struct Sent { var keys: [UInt8] = [], frames: [UInt64] = [], time = -1.0 }
    var sent = Sent()
    try withUnsafeMutablePointer(to: &sent) { sent in
      try fifths.unit.set(
        kAudioUnitProperty_MIDIOutputCallback,
        to: AUMIDIOutputCallbackStruct(
          midiOutputCallback: { context, time, _, list in
            let sent = context?.assumingMemoryBound(to: Sent.self)
            sent?.pointee.keys.append(list.pointee.packet.data.1)
            sent?.pointee.frames.append(list.pointee.packet.timeStamp)
            sent?.pointee.time = time.pointee.mSampleTime
            return noErr
          }, userData: sent))
      try fifths.start()
      _ = try fifths.render(slices: [32], channels: 2)
      try note(100, at: 17, fifths)
      _ = try fifths.render(slices: [32], channels: 2)
    }
    #expect(sent.keys == [60, 67])
    #expect(sent.frames == [17, 17])
    #expect(sent.time == 32)
  }

  /// Plug-ins of several makers and kinds.
  private static let bundles = [
    ("amp-swh.lv2", "http://plugin.org.uk/swh-plugins/amp"),
    ("eg-amp.lv2", "http://lv2plug.in/plugins/eg-amp"),
    ("mda.lv2", "http://drobilla.net/plugins/mda/JX10"),
    ("mda.lv2", "http://drobilla.net/plugins/mda/Delay"),
    ("calf.lv2", "http://calf.sourceforge.net/plugins/Reverb"),
    ("ZamComp.lv2", "urn:zamaudio:ZamComp"),
    ("fil4.lv2", "http://gareus.org/oss/lv2/fil4#stereo"),
  ].filter { FileManager.default.fileExists(atPath: "/usr/lib/lv2/\($0.0)") }

  @Test("installed plug-ins run, and give the same sound twice", arguments: bundles)
  func installed(bundle: String, identifier: String) throws {
    func render() throws -> [[Float]] {
      let plugIn = try TestPlugIn(.lv2, at: "/usr/lib/lv2/\(bundle)", identifier)
      let noise = (0..<4_096).map { Float(($0 * 7_919) % 1_000) / 1_000 - 0.5 }
      let input = plugIn.description.inputs.first.map { $0.ports.map { _ in noise } } ?? []
      try plugIn.start(input: input)
      if plugIn.description.acceptsMIDI { try note(100, at: 5, plugIn) }
      return try plugIn.render(
        slices: [512, 512, 100, 412, 1, 511, 512],
        channels: plugIn.description.outputs[0].channelCount)
    }
    let first = try render()
    #expect(first.contains { $0.contains { abs($0) > 1e-4 } })
    #expect(try render() == first)
  }
}
