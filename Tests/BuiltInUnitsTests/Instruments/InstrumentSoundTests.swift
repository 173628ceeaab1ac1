// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@testable import BuiltInUnits

@Suite("Sound of instruments", .enabled(if: InstrumentHost.isAvailable))
struct InstrumentSoundTests {
  @Test(
    "play A4 at 440 Hz at every rate", arguments: [6_000, 8_000, 44_100, 48_000, 96_000, 192_000])
  func pitch(rate: Double) throws {
    let synth = try InstrumentHost(rate: rate)
    try synth.chooseOrgan()
    try synth.send(0x90, 69, 100)
    let output = try synth.render(Int(rate)).dropping(Int(rate / 4))
    #expect(abs(cents(frequency(output, near: 440), from: 440)) < 5)
    #expect(output.peak > 0.01 && output.peak < 1)
  }

  @Test(
    "begin a note at its frame, in slices of any size",
    arguments: [0, 1, 63, 64, 100, 777])
  func onset(offset: Int) throws {
    func play(at frame: Int, slices: [Int]) throws -> [Double] {
      let synth = try InstrumentHost()
      try synth.send(0x90, 60, 100, at: UInt32(frame))
      return try synth.render(8_192 + frame, slices: slices).samples
    }
    let reference = try play(at: 0, slices: [1_024])
    #expect(reference.prefix(16).contains { $0 != 0 })
    for slices in [[1024], [64], [37, 200, 1]] {
      let output = try play(at: offset, slices: slices)
      #expect(output.prefix(offset).allSatisfy { $0 == 0 })
      // Gains apply immediately at the start, so the output is the same, only later.
      #expect(Array(output.dropFirst(offset)) == reference)
    }
  }

  @Test("begin each of many notes at its frame")
  func onsets() throws {
    let synth = try InstrumentHost()
    let alone = try InstrumentHost()
    var expected = [Double](repeating: 0, count: 16_384)
    for index in 0..<40 {
      let key = UInt32(30 + 2 * index)
      try synth.send(0x90, key, 100, at: UInt32(61 * index))
      try check(AudioUnitReset(alone.unit, kAudioUnitScope_Global, 0))
      try alone.send(0x90, key, 100)
      let output = try alone.render(16_384 - 61 * index).samples
      for (frame, sample) in output.enumerated() { expected[61 * index + frame] += sample }
    }
    let output = try synth.render(16_384, slices: [1_000, 500]).samples
    let differences = zip(output, expected).map { abs($0 - $1) }
    // FluidSynth fades a note in; afterwards only the order of the additions differs.
    #expect(differences.dropFirst(61 * 39 + 64).allSatisfy { $0 < 1e-5 })
    #expect(differences.allSatisfy { $0 < 0.02 })
  }

  @Test("bend by two semitones, or by the bend range")
  func bend() throws {
    let synth = try InstrumentHost()
    try synth.chooseOrgan()
    try synth.send(0xe0, 0x7f, 0x7f)
    try synth.send(0x90, 69, 100)
    let two = try synth.render(48_000).dropping(12_000)
    #expect(abs(cents(frequency(two, near: 440 * pow(2, 2 / 12.0)), from: 440) - 200) < 5)
    for (controller, value) in [(101, 0), (100, 0), (6, 12)] as [(UInt32, UInt32)] {
      try synth.send(0xb0, controller, value)
    }
    _ = try synth.render(4_800)
    let octave = try synth.render(48_000)
    #expect(abs(cents(frequency(octave, near: 880), from: 440) - 1200) < 5)
    try synth.send(0xe0, 0, 64)
    _ = try synth.render(4_800)
    #expect(abs(cents(frequency(try synth.render(48_000), near: 440), from: 440)) < 5)
  }

  @Test("apply the tunings of the unit, the channel, the system and the note")
  func tunings() throws {
    func measuredCents(_ prepare: (InstrumentHost) throws -> Void, key: Float = 69) throws -> Double
    {
      let synth = try InstrumentHost()
      try synth.chooseOrgan()
      try prepare(synth)
      var parameters = MusicDeviceNoteParams()
      (parameters.argCount, parameters.mPitch, parameters.mVelocity) = (2, key, 100)
      var note: NoteInstanceID = 0
      try check(
        MusicDeviceStartNote(
          synth.unit, MusicDeviceInstrumentID(kMusicNoteEvent_UseGroupInstrument), 0, &note, 0,
          &parameters))
      let sound = try synth.render(48_000).dropping(12_000)
      let coarse = 440 * pow(2, Double((key - 69).rounded()) / 12)
      return cents(frequency(sound, near: coarse), from: 440)
    }
    let own = try measuredCents { synth in
      try synth.host.set(kMusicDeviceParam_Tuning, 30, kAudioUnitScope_Global)
    }
    #expect(abs(own - 30) < 6)
    #expect(abs(try measuredCents({ _ in }, key: 69.25) - 25) < 6)
    let fine = try measuredCents { synth in
      for (controller, value) in [(101, 0), (100, 1), (6, 80), (38, 0)] as [(UInt32, UInt32)] {
        try synth.send(0xb0, controller, value)
      }
    }
    #expect(abs(fine - 25) < 6)
    let master = try measuredCents { synth in
      let message: [UInt8] = [0xf0, 0x7f, 0x7f, 0x04, 0x03, 0x00, 0x50, 0xf7]
      try check(MusicDeviceSysEx(synth.unit, message, UInt32(message.count)))
    }
    #expect(abs(master - 25) < 6)
  }

  @Test("event lists of both protocols play as events do, at the frames of their packets")
  func eventLists() throws {
    func play(_ send: (AudioUnit) -> OSStatus) throws -> [Double] {
      let synth = try InstrumentHost()
      #expect(send(synth.unit) == noErr)
      return try synth.render(4_800).samples
    }
    func list(_ protocolID: MIDIProtocolID, _ words: (UInt32, UInt32)) -> MIDIEventList {
      var list = MIDIEventList()
      (list.protocol, list.numPackets) = (protocolID, 1)
      (list.packet.timeStamp, list.packet.wordCount) = (20, protocolID == ._2_0 ? 2 : 1)
      (list.packet.words.0, list.packet.words.1) = words
      return list
    }
    let event = try play { MusicDeviceMIDIEvent($0, 0x90, 60, 100, 52) }
    #expect(event.contains { abs($0) > 0.01 })
    for var list in [list(._1_0, (0x2090_3c64, 0)), list(._2_0, (0x4090_3c00, 0xc924_0000))] {
      #expect(try play { MusicDeviceMIDIEventList($0, 32, &list) } == event)
    }
  }

  @Test("change programs by channel, with drums on the tenth")
  func programs() throws {
    func play(_ events: [(UInt32, UInt32, UInt32)], on channel: UInt32) throws -> [Double] {
      let synth = try InstrumentHost()
      for event in events { try synth.send(event.0 | channel, event.1, event.2) }
      try synth.send(0x90 | channel, 40, 100)
      return try synth.render(9_600).samples
    }
    let piano = try play([], on: 0)
    #expect(try play([(0xc0, 0, 0)], on: 3) == piano)
    #expect(try play([(0xc0, 56, 0)], on: 0) != piano)
    let drums = try play([], on: 9)
    #expect(drums != piano && drums.contains { $0 != 0 })
    // As in General MIDI 2: bank 120 selects drums, and bank 121 melodic instruments.
    #expect(try play([(0xb0, 0, 120), (0xc0, 0, 0)], on: 0) == drums)
    #expect(try play([(0xb0, 0, 121), (0xc0, 0, 0)], on: 9) == piano)
  }

  @Test("end notes by key, with the pedal, all together, and when a key is struck again")
  func ends() throws {
    func loud(_ events: [(UInt32, UInt32, UInt32)]) throws -> Bool {
      let synth = try InstrumentHost()
      try synth.chooseOrgan()
      for event in events {
        try synth.send(event.0, event.1, event.2)
        _ = try synth.render(2_400)
      }
      _ = try synth.render(96_000)
      return try synth.render(4_800).peak > 1e-3
    }
    #expect(try loud([(0x90, 60, 100)]))
    #expect(try !loud([(0x90, 60, 100), (0x80, 60, 0)]))
    #expect(try !loud([(0x90, 60, 100), (0x90, 60, 0)]))
    #expect(try loud([(0xb0, 64, 127), (0x90, 60, 100), (0x80, 60, 0)]))
    #expect(try !loud([(0xb0, 64, 127), (0x90, 60, 100), (0x80, 60, 0), (0xb0, 64, 0)]))
    #expect(try !loud([(0x90, 60, 100), (0x90, 67, 100), (0xb0, 123, 0)]))
    #expect(try !loud([(0x90, 60, 100), (0xb0, 120, 0)]))
    #expect(try !loud([(0x90, 60, 100), (0xff, 0, 0)]))
    // One note off is enough: the first note ended when the second began.
    #expect(try !loud([(0x90, 60, 100), (0x90, 60, 90), (0x80, 60, 0)]))
  }

  @Test("fall silent, and flag silence")
  func silence() throws {
    let synth = try InstrumentHost(dry: false)
    _ = try synth.render(512)
    #expect(synth.host.flags.contains(.unitRenderAction_OutputIsSilence))
    try synth.send(0x90, 60, 100)
    try synth.send(0x80, 60, 0, at: 500)
    _ = try synth.render(512)
    #expect(!synth.host.flags.contains(.unitRenderAction_OutputIsSilence))
    let rest = try synth.render(48_000 * 12)
    #expect(synth.host.flags.contains(.unitRenderAction_OutputIsSilence))
    #expect(rest.dropping(rest.count - 100).peak == 0)
  }

  @Test("reverberate by the channel's send and the unit's reverb volume, or not at all")
  func reverberation() throws {
    func rest(_ prepare: (InstrumentHost) throws -> Void) throws -> Double {
      let synth = try InstrumentHost(dry: false)
      try synth.send(0xc0, 19)
      try prepare(synth)
      try synth.send(0x90, 60, 100)
      _ = try synth.render(24_000)
      try synth.send(0xb0, 120, 0)
      _ = try synth.render(9_600)
      return try synth.render(4_800).rms
    }
    let usual = try rest { _ in }
    #expect(usual > 1e-5)
    #expect(try rest { try $0.send(0xb0, 91, 0) } == 0)
    #expect(abs(decibels(try rest { try $0.send(0xb0, 91, 80) } / usual) - 6) < 1)
    let quiet = try rest {
      try $0.host.set(kMusicDeviceParam_ReverbVolume, -20, kAudioUnitScope_Global)
    }
    #expect(abs(decibels(quiet / usual) + 20) < 1)
    #expect(
      try rest { try $0.host.unit.set(kMusicDeviceProperty_UsesInternalReverb, to: UInt32(0)) } == 0
    )
  }

  @Test("add a chorus by the channel's send, whose delay swings, and whose end is silence")
  func chorus() throws {
    func play(_ send: UInt32, slices: [Int] = [512], on channel: UInt32 = 0) throws -> Signal {
      let synth = try InstrumentHost()
      try synth.chooseOrgan(channel)
      try synth.send(0xb0, 93, send)
      try synth.send(0x90 | channel, 69, 100, at: 300)
      let sound = try synth.render(72_000, slices: slices)
      try synth.send(0xb0 | channel, 120)
      _ = try synth.render(24_000)
      _ = try synth.render(512)
      #expect(synth.host.flags.contains(.unitRenderAction_OutputIsSilence))
      return sound
    }
    let dry = try play(0).samples
    func difference(_ other: [Double]) -> [Double] { zip(other, dry).map { $0 - $1 } }
    #expect(try play(127, on: 1).samples == play(0, on: 1).samples)
    let full = difference(try play(127).samples)
    #expect(full.prefix(300 + 234).allSatisfy { $0 == 0 })  // 4.9 ms, the shortest delay
    let added = Signal(full, sampleRate: 48_000).dropping(24_000)
    let direct = Signal(dry, sampleRate: 48_000).dropping(24_000)
    #expect(abs(decibels(added.rms / direct.rms)) < 1)
    let half = Signal(difference(try play(64).samples), sampleRate: 48_000).dropping(24_000)
    #expect(abs(decibels(half.rms / added.rms) + 6) < 0.2)
    // The swing shifts the pitch by at most 2 pi 0.366 3.125 ms = 0.72 %.
    let shifts = stride(from: 24_000, to: 64_000, by: 8_000).map { start in
      func measured(_ sound: [Double]) -> Double {
        frequency(Signal(Array(sound[start..<start + 8_000]), sampleRate: 48_000), near: 440)
      }
      return cents(measured(full), from: measured(dry))
    }
    let (low, high) = (shifts.min() ?? 0, shifts.max() ?? 0)
    #expect(high - low > 5 && high < 14 && low > -14, "\(shifts)")
    // The order of additions differs with the slices, but not the swing.
    let small = difference(try play(127, slices: [64, 37]).samples)
    #expect(zip(small, full).allSatisfy { abs($0 - $1) < 1e-5 })
  }

  @Test("output the same sound in every run, with notes, bends and program changes")
  func repeats() throws {
    func play() throws -> [Double] {
      let synth = try InstrumentHost(dry: false)
      for index in 0..<200 as Range<UInt32> {
        let channel = index % 16
        try synth.send(0x90 | channel, 30 + index % 60, 60 + index % 60, at: index * 19 % 512)
        if index % 3 == 0 { try synth.send(0xe0 | channel, index % 128, 64) }
        if index % 5 == 0 { try synth.send(0xc0 | channel, index % 128) }
        if index % 7 == 0 { try synth.send(0x80 | channel, 30 + index % 60, 0, at: 300) }
        if index % 20 == 0 { _ = try synth.render(512) }
      }
      return try synth.render(24_000).samples
    }
    let first = try play()
    let second = try play()
    #expect(first.contains { $0 != 0 } && first == second)
  }

  @Test("output finite samples when there are too many notes")
  func voices() throws {
    let synth = try InstrumentHost(dry: false)
    for round in 0..<40 as Range<UInt32> {
      for key in 0..<128 as Range<UInt32> {
        try synth.send(0x90 | (round + key) % 16, key, 127, at: (key * 7 + round) % 480)
      }
      #expect(try synth.render(480).samples.allSatisfy(\.isFinite))
    }
    try synth.send(0xff)
    _ = try synth.render(48_000 * 8)
    #expect(try synth.render(480).peak == 0)
  }
}
