// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

// Without a tempo a beat is 24,000 frames.
@Suite("A player of a graph that is rendered offline")
struct PlayerTests {
  @Test("sends each event at its frame, whatever the slices", arguments: [512, 1, 37, 1_000])
  func frames(slice: Int) throws {
    let host = try PlayerHost()
    try host.note(0, 60, 0.01)
    try host.message(0.01, 0xb0, 7, 90)
    try host.note(0.0125, 61, 0.005)
    try host.start()
    #expect(
      try host.render(1_000, slice: slice) == [
        "0: 144 60 100", "240: 128 60 64", "240: 176 7 90", "300: 144 61 100", "420: 128 61 64",
      ])
  }

  @Test("sends an event at the nearest frame, and each once", arguments: [1, 3, 64, 480])
  func rounding(slice: Int) throws {
    let host = try PlayerHost()
    let frames = [0.0, 0.4, 0.6, 63.5, 63.49, 479.4, 479.6, 500.5]
    for (index, frame) in frames.enumerated() {
      try host.message(frame / 24_000, 0xb0, UInt8(index), 1)
    }
    try host.start()
    let found = try host.render(1_000, slice: slice)
    #expect(
      found == [
        "0: 176 0 1", "0: 176 1 1", "1: 176 2 1", "63: 176 4 1", "64: 176 3 1", "479: 176 5 1",
        "480: 176 6 1", "501: 176 7 1",
      ])
  }

  @Test("follows tempos, also those that are added while it plays")
  func tempos() throws {
    let host = try PlayerHost()
    try host.tempo(0, 60)
    try host.tempo(0.01, 120)
    for index in 0..<4 { try host.message(Double(index) * 0.01, 0xb0, UInt8(index), 0) }
    try host.start()
    #expect(
      try host.render(721) == ["0: 176 0 0", "480: 176 1 0", "720: 176 2 0"])
    try host.tempo(0.02, 240)
    #expect(try host.render(400) == ["841: 176 3 0"])
  }

  @Test("the rate shortens times, also while it plays")
  func rate() throws {
    let host = try PlayerHost()
    for index in 0..<3 { try host.message(Double(index) * 0.01, 0xb0, UInt8(index), 0) }
    #expect(MusicPlayerSetPlayRateScalar(host.player, 2) == noErr)
    try host.start()
    #expect(try host.render(120) == ["0: 176 0 0"])
    #expect(MusicPlayerSetPlayRateScalar(host.player, 0.5) == noErr)
    #expect(try host.render(1_000) == ["120: 176 1 0", "600: 176 2 0"])
    for rate in [0, -1, .nan, .infinity] {
      #expect(MusicPlayerSetPlayRateScalar(host.player, rate) == kAudio_ParamError)
    }
  }

  @Test("its time follows the frames, goes on after the end, and stays when it stops")
  func time() throws {
    let host = try PlayerHost()
    try host.note(0, 60, 0.01)
    #expect(host.time == 0)
    try host.start()
    try host.render(24_000)
    #expect(abs(host.time - 1) < 1e-9)
    var isPlaying = false
    #expect(MusicPlayerIsPlaying(host.player, &isPlaying) == noErr)
    #expect(isPlaying)
    #expect(MusicPlayerStop(host.player) == noErr)
    try host.render(2_400)
    #expect(abs(host.time - 1) < 1e-9)
    #expect(MusicPlayerIsPlaying(host.player, &isPlaying) == noErr)
    #expect(!isPlaying)
  }

  @Test("stopping ends the notes that sound, and starting again goes on")
  func stop() throws {
    let host = try PlayerHost()
    try host.note(0, 60, 1)
    try host.note(0.02, 61, 0.01)
    try host.start()
    try host.render(240)
    #expect(MusicPlayerStop(host.player) == noErr)
    #expect(try host.render(240) == ["240: 128 60 64"])
    try host.start()
    #expect(try host.render(1_000) == ["720: 144 61 100", "960: 128 61 64"])
  }

  @Test("a jump ends notes, and sends what controllers, programs and bends have there")
  func jump() throws {
    let host = try PlayerHost()
    try host.note(0, 60, 10)
    try host.message(0.1, 0xb0, 7, 10)
    try host.message(0.2, 0xc0, 5, 0)
    try host.message(0.3, 0xb0, 7, 20)
    try host.message(0.4, 0xe0, 0, 70)
    try host.message(0.5, 0xb1, 7, 30)
    try host.message(1, 0xb0, 7, 99)
    try host.note(1, 61, 0.001)
    try host.start()
    try host.render(240)
    #expect(MusicPlayerSetTime(host.player, 1) == noErr)
    #expect(host.time == 1)
    #expect(
      try host.render(10) == [
        "240: 128 60 64", "240: 192 5 0", "240: 176 7 20", "240: 224 0 70", "240: 177 7 30",
        "240: 176 7 99", "240: 144 61 100",
      ])
    #expect(MusicPlayerSetTime(host.player, 0) == noErr)
    // What is set only later gets its initial value.
    #expect(
      try host.render(5) == [
        "250: 128 61 64", "250: 176 7 100", "250: 192 0 0", "250: 224 0 64", "250: 177 7 100",
        "250: 144 60 100",
      ])
  }

  @Test("stopping lifts the pedal, and ends notes that began without a length")
  func held() throws {
    let host = try PlayerHost()
    try host.message(0, 0xb0, 64, 127)
    try host.message(0, 0xb1, 64, 127)
    try host.message(0, 0x92, 60, 100)
    try host.message(0.005, 0xb1, 64, 0)
    try host.start()
    try host.render(240)
    #expect(MusicPlayerStop(host.player) == noErr)
    #expect(try host.render(10) == ["240: 176 64 0", "240: 178 123 0"])
  }

  @Test("a jump sends a program with its bank, and each parameter of a channel with its number")
  func jumpToParameters() throws {
    let host = try PlayerHost()
    let messages: [(UInt8, UInt8, UInt8)] = [
      (0xb0, 0, 1), (0xc0, 5, 0), (0xb0, 0, 2), (0xb0, 101, 0), (0xb0, 100, 0), (0xb0, 6, 12),
      (0xb0, 100, 1), (0xb0, 6, 70), (0xb0, 101, 127), (0xb0, 100, 127),
    ]
    for (index, message) in messages.enumerated() {
      try host.message(Double(index) / 100, message.0, message.1, message.2)
    }
    try host.start()
    #expect(MusicPlayerSetTime(host.player, 1) == noErr)
    #expect(
      try host.render(10) == [
        "0: 176 0 1", "0: 192 5 0", "0: 176 0 2", "0: 176 101 0", "0: 176 100 0", "0: 176 6 12",
        "0: 176 101 0", "0: 176 100 1", "0: 176 6 70", "0: 176 101 127", "0: 176 100 127",
      ])
  }

  @Test("events that are added while it plays are heard if they come later")
  func edits() throws {
    let host = try PlayerHost()
    try host.note(0, 60, 0.001)
    try host.start()
    try host.render(240)
    try host.message(0.005, 0xb0, 1, 0)
    try host.message(0.02, 0xb0, 2, 0)
    #expect(try host.render(480) == ["480: 176 2 0"])
    #expect(MusicTrackClear(try host.track(), 0, kMusicTimeStamp_EndOfTrack) == noErr)
    #expect(try host.render(480) == [])
  }

  @Test("a loop repeats the end of the track, as often as it says")
  func loops() throws {
    let host = try PlayerHost()
    for index in 0..<4 { try host.message(Double(index) * 0.01, 0xb0, UInt8(index), 0) }
    var length = 0.04
    var loop = MusicTrackLoopInfo(loopDuration: 0.02, numberOfLoops: 3)
    let track = try host.track()
    #expect(MusicTrackSetProperty(track, kSequenceTrackProperty_TrackLength, &length, 8) == noErr)
    #expect(MusicTrackSetProperty(track, kSequenceTrackProperty_LoopInfo, &loop, 16) == noErr)
    try host.start()
    let once = try host.render(4_000)
    #expect(
      once
        == [0, 1, 2, 3, 2, 3, 2, 3].enumerated().map { "\(240 * $0.offset): 176 \($0.element) 0" })
    // Without end, and from a later pass.
    loop.numberOfLoops = 0
    #expect(MusicTrackSetProperty(track, kSequenceTrackProperty_LoopInfo, &loop, 16) == noErr)
    #expect(MusicPlayerSetTime(host.player, 0.04 + 0.02 * 1_000 + 0.01) == noErr)
    // The chase sends the last value of each controller.
    #expect(
      try host.render(490) == [
        "4000: 176 0 0", "4000: 176 1 0", "4000: 176 3 0", "4000: 176 2 0", "4000: 176 3 0",
        "4240: 176 2 0", "4480: 176 3 0",
      ])
  }

  @Test("muted tracks are silent, a soloed one silences the others, and an offset shifts")
  func settings() throws {
    let host = try PlayerHost(instruments: 2)
    try host.note(0.01, 60, 0.01)
    try host.note(0.01, 72, 0.01, track: 1)
    var (isOn, offset) = (true, 0.01)
    #expect(
      MusicTrackSetProperty(try host.track(1), kSequenceTrackProperty_OffsetTime, &offset, 8)
        == noErr)
    try host.start()
    #expect(try host.render(1_000) == ["240: 144 60 100", "480: 128 60 64"])
    #expect(RecordingInstrument.take(host.codes[1]) == ["480: 144 72 100", "720: 128 72 64"])
    #expect(
      MusicTrackSetProperty(try host.track(0), kSequenceTrackProperty_MuteStatus, &isOn, 1)
        == noErr)
    #expect(MusicPlayerSetTime(host.player, 0) == noErr)
    #expect(try host.render(1_000) == [])
    #expect(RecordingInstrument.take(host.codes[1]).count == 2)
    isOn = false
    #expect(
      MusicTrackSetProperty(try host.track(0), kSequenceTrackProperty_MuteStatus, &isOn, 1)
        == noErr)
    isOn = true
    #expect(
      MusicTrackSetProperty(try host.track(0), kSequenceTrackProperty_SoloStatus, &isOn, 1)
        == noErr)
    #expect(MusicPlayerSetTime(host.player, 0) == noErr)
    #expect(try host.render(1_000).count == 2)
    #expect(RecordingInstrument.take(host.codes[1]) == [])
  }

  @Test("parameters are set at their frame, and automated ones follow their curve")
  func parameters() throws {
    let host = try PlayerHost()
    var event = ParameterEvent(parameterID: 9, scope: 0, element: 0, value: 0)
    let track = try host.track()
    #expect(MusicTrackNewParameterEvent(track, 0.01, &event) == noErr)
    try host.start()
    #expect(try host.render(512) == ["240: parameter 9 = 0.0"])
    var isOn: UInt32 = 1
    #expect(
      MusicTrackSetProperty(track, kSequenceTrackProperty_AutomatedParameters, &isOn, 4) == noErr)
    event.value = 1
    #expect(MusicTrackNewParameterEvent(track, 0.05, &event) == noErr)
    #expect(MusicPlayerSetTime(host.player, 0) == noErr)
    let found = try host.render(1_440, slice: 480)
    #expect(
      found == [
        "752: ramp 9 from 0.0 to 0.25 in 240", "992: ramp 9 from 0.25 to 0.75 in 480",
        "1472: ramp 9 from 0.75 to 1.0 in 240", "1712: parameter 9 = 1.0",
      ])
  }

  @Test("system-exclusive messages, extended notes and presets reach the unit")
  func otherEvents() async throws {
    let host = try PlayerHost()
    let track = try host.track()
    var raw: [UInt8] = [4, 0, 0, 0, 0xf0, 1, 2, 0xf7]
    raw.withUnsafeMutableBytes { bytes in
      if let raw = bytes.baseAddress?.assumingMemoryBound(to: MIDIRawData.self) {
        #expect(MusicTrackNewMIDIRawDataEvent(track, 0, raw) == noErr)
      }
    }
    var note = ExtendedNoteOnEvent()
    note.instrumentID = kMusicNoteEvent_UseGroupInstrument
    (note.groupID, note.duration) = (3, 0.01)
    note.extendedParams.argCount = 2
    (note.extendedParams.mPitch, note.extendedParams.mVelocity) = (60.5, 90)
    #expect(MusicTrackNewExtendedNoteEvent(track, 0.01, &note) == noErr)
    let list = ["name": "a"] as NSDictionary
    var preset = AUPresetEvent(scope: 0, element: 0, preset: .passUnretained(list))
    #expect(MusicTrackNewAUPresetEvent(track, 0.03, &preset) == noErr)
    try host.start()
    #expect(
      try host.render(700) == [
        "0: exclusive [240, 1, 2, 247]", "240: start 1: 60.5 at 90.0 in 3", "480: stop 1 in 3",
      ])
    try host.render(100)
    // A thread of the library sets presets while the player runs.
    var received: [String] = []
    for _ in 0..<2_000 where !received.contains(where: { $0.hasSuffix("preset") }) {
      received += RecordingInstrument.take(host.codes[0])
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(received.contains { $0.hasSuffix("preset") })
    #expect(MusicPlayerStop(host.player) == noErr)
  }

  @Test("the last of too many notes still end")
  func manyNotes() throws {
    let host = try PlayerHost()
    for index in 0..<1_500 { try host.note(Double(index) / 24_000, UInt8(index % 128), 1) }
    try host.start()
    let found = try host.render(1_600)
    #expect(found.count { $0.contains(" 144 ") } == 1_500)
    #expect(MusicPlayerStop(host.player) == noErr)
    let ends = found.count { $0.contains(" 128 ") } + (try host.render(10)).count
    #expect(ends == 1_500)
  }

  @Test("a track without its unit, or with an endless tiny loop, does not stop the rest")
  func hostile() throws {
    let host = try PlayerHost(instruments: 2)
    try host.message(0, 0xb0, 1, 1)
    try host.note(0.01, 72, 0.01, track: 1)
    var loop = MusicTrackLoopInfo(loopDuration: 1e-12, numberOfLoops: 0)
    var length = 1e-12
    let track = try host.track()
    #expect(MusicTrackSetProperty(track, kSequenceTrackProperty_LoopInfo, &loop, 16) == noErr)
    #expect(MusicTrackSetProperty(track, kSequenceTrackProperty_TrackLength, &length, 8) == noErr)
    #expect(AUGraphRemoveNode(host.graph, host.nodes[0]) == noErr)
    try host.start()
    try host.render(720)
    #expect(RecordingInstrument.take(host.codes[1]).count == 2)
  }
}
