// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import MIDIMessages
import Testing

@testable import BuiltInUnits

@Suite("Instruments that are played by MIDI 2.0", .enabled(if: InstrumentHost.isAvailable))
struct InstrumentUniversalTests {
  /// Sends a channel message of MIDI 2.0 on the first channel.
  private func send(
    _ status: UInt32, _ index: UInt32, _ value: UInt32, to synth: InstrumentHost,
    at frame: UInt32 = 0
  ) throws {
    let message = UniversalMessage.channelVoice2(
      group: 0, status: status, channel: 0, index: index, value)
    var list = MIDIEventList()
    (list.protocol, list.numPackets) = (._2_0, 1)
    (list.packet.timeStamp, list.packet.wordCount) = (0, 2)
    (list.packet.words.0, list.packet.words.1) = (message.words[0], message.words[1])
    try check(MusicDeviceMIDIEventList(synth.unit, frame, &list), "MusicDeviceMIDIEventList")
  }

  private func on(_ key: UInt32, _ velocity: UInt32 = 0xc924, to synth: InstrumentHost) throws {
    try send(9, key << 8, velocity << 16, to: synth)
  }

  /// A synthesizer whose notes are steady.
  private func organ() throws -> InstrumentHost {
    let synth = try InstrumentHost()
    try synth.chooseOrgan()
    return synth
  }

  /// The bend of a note by semitones, of the 48 that it has at the start.
  private func bend(_ semitones: Double) -> UInt32 { UInt32(0x1p31 * (1 + semitones / 48)) }

  /// The level of a sound compared with another one, in decibels. FluidSynth has levels in steps of 0.1 dB.
  private func level(_ one: Signal, over other: Signal) -> Double {
    func power(_ signal: Signal) -> Double {
      signal.samples.dropFirst(64).reduce(0) { $0 + $1 * $1 }
    }
    return 10 * log10(power(one) / power(other))
  }

  @Test("values of MIDI 1.0 sound the same, to the bit")
  func sameAsBytes() throws {
    func play(_ send: (InstrumentHost) throws -> Void) throws -> [Double] {
      let synth = try InstrumentHost()
      try send(synth)
      return try synth.render(4_800).samples
    }
    for velocity: UInt32 in [1, 40, 64, 65, 100, 126, 127] {
      let bytes = try play { try $0.send(0x90, 60, velocity) }
      #expect(bytes.contains { $0 != 0 })
      #expect(
        try play { try on(60, ValueScaling.velocity16(velocity), to: $0) } == bytes, "\(velocity)")
    }
    for (controller, value) in [(7, 90), (11, 3), (10, 100), (10, 64), (1, 70)]
      as [(UInt32, UInt32)]
    {
      let bytes = try play {
        try $0.send(0xb0, controller, value)
        try $0.send(0xe0, 5, 70)
        try $0.send(0x90, 60, 100)
      }
      let words = try play {
        try send(0xb, controller << 8, ValueScaling.value32(value), to: $0)
        try send(0xe, 0, ValueScaling.value32(fourteenBits: 70 << 7 | 5), to: $0)
        try on(60, to: $0)
      }
      #expect(words == bytes, "\(controller)")
    }
  }

  @Test("a velocity between two of MIDI 1.0 has a level between theirs")
  func velocity() throws {
    func play(_ velocity: UInt32) throws -> Signal {
      let synth = try InstrumentHost()
      try on(60, velocity, to: synth)
      return try synth.render(9_600)
    }
    let (first, last, middle) = (try play(0x8000), try play(0x81ff), try play(0x8104))
    // From 64 to 65 it is 0.27 dB, and the last one is almost there.
    #expect(abs(level(last, over: first) - 40 * log10(64.983 / 64)) < 0.11)
    #expect(abs(level(middle, over: first) - 40 * log10(64.5 / 64)) < 0.11)
    #expect(level(last, over: first) > 0.15)
    // Above the centre, a step of MIDI 1.0 is not its lowest value.
    #expect(abs(level(try play(0xc924), over: try play(0xc800)) - 40 * log10(100 / 99.436)) < 0.11)
  }

  @Test("a bend of a note changes its pitch alone, by the range that is set")
  func noteBend() throws {
    func play(_ keys: [UInt32], bend value: UInt32?, range: UInt32? = nil) throws -> Signal {
      let synth = try organ()
      if let range { try send(2, 7, range << 25, to: synth) }
      for key in keys { try on(key, to: synth) }
      _ = try synth.render(4_800)
      if let value { try send(6, keys[0] << 8, value, to: synth) }
      _ = try synth.render(4_800)
      return try synth.render(24_000)
    }
    let plain = frequency(try play([60], bend: nil), near: 261.63)
    let bent = try play([60], bend: bend(1))
    #expect(abs(cents(frequency(bent, near: 277.18), from: plain) - 100) < 1.5)
    let low = try play([60], bend: bend(-48), range: 2)
    #expect(abs(cents(frequency(low, near: 233.08), from: plain) + 200) < 1.5)
    let other = try play([66], bend: nil)
    let both = try play([60, 66], bend: bend(1))
    #expect(areAlike(both.samples, zip(bent.samples, other.samples).map { $0 + $1 }))
  }

  @Test("a bend that comes before its note holds for all notes of the key, until it is reset")
  func management() throws {
    let synth = try organ()
    func play(near guess: Double = 261.63) throws -> Double {
      try on(60, to: synth)
      _ = try synth.render(4_800)
      defer { try? synth.send(0x80, 60) }
      return frequency(try synth.render(24_000), near: guess)
    }
    let plain = try play()
    try send(6, 60 << 8, bend(0.5), to: synth)
    #expect(abs(cents(try play(near: 269.29), from: plain) - 50) < 1.5)
    try send(6, 61 << 8, bend(0.9), to: synth)
    #expect(abs(cents(try play(near: 269.29), from: plain) - 50) < 1.5)
    // Detached, a note keeps its bend.
    try on(60, to: synth)
    _ = try synth.render(512)
    try send(0xf, 60 << 8 | 3, 0, to: synth)
    _ = try synth.render(4_800)
    #expect(abs(cents(frequency(try synth.render(24_000), near: 269), from: plain) - 50) < 1)
    try synth.send(0x80, 60)
    #expect(abs(cents(try play(), from: plain)) < 1)
    try send(6, 60 << 8, bend(0.5), to: synth)
    try synth.send(0xb0, 121)
    #expect(abs(cents(try play(), from: plain)) < 1)
  }

  @Test("notes have pitches by attribute and by controller")
  func pitch() throws {
    func play(_ prepare: (InstrumentHost) throws -> Void) throws -> Double {
      let synth = try organ()
      try prepare(synth)
      _ = try synth.render(4_800)
      return frequency(try synth.render(24_000), near: 266)
    }
    let plain = try play { try on(60, to: $0) }
    let attribute = try play { try send(9, 60 << 8 | 3, 0xc924 << 16 | (60 << 9 | 128), to: $0) }
    #expect(abs(cents(attribute, from: plain) - 25) < 1)
    let controller = try play {
      try send(0, 60 << 8 | 3, 60 << 25 | 1 << 23, to: $0)
      try on(60, to: $0)
    }
    #expect(abs(cents(controller, from: plain) - 25) < 1)
  }

  @Test("controllers and bends have parts of a step")
  func fineControllers() throws {
    func play(_ status: UInt32, _ index: UInt32, _ value: UInt32) throws -> Signal {
      let synth = try organ()
      try send(status, index, value, to: synth)
      try on(60, to: synth)
      return try synth.render(24_000)
    }
    let step = ValueScaling.value32(80)
    let middle = step + (ValueScaling.value32(81) - step) / 2
    let low = ValueScaling.value32(10)
    let lowMiddle = low + (ValueScaling.value32(11) - low) / 2
    for index: UInt32 in [7, 11] {
      let difference = level(
        try play(0xb, index << 8, middle), over: try play(0xb, index << 8, step))
      #expect(abs(difference - 40 * log10(80.5 / 80)) < 0.11, "\(index)")
    }
    #expect(try play(0xb, 10 << 8, lowMiddle).samples != play(0xb, 10 << 8, low).samples)
    let bends = try [0xc000_0000, 0xc002_0000, 0xc004_0000].map { try play(0xe, 0, $0) }
    #expect(bends[1].samples != bends[0].samples)
    #expect(bends[1].samples != bends[2].samples)
  }

  @Test("volume, expression and pan of a note change it alone")
  func noteControllers() throws {
    func play(_ keys: [UInt32], _ controllers: [(UInt32, UInt32)]) throws -> Signal {
      let synth = try organ()
      for key in keys { try on(key, to: synth) }
      for (index, value) in controllers { try send(0, keys[0] << 8 | index, value, to: synth) }
      _ = try synth.render(4_800)
      return try synth.render(24_000)
    }
    let plain = try play([60], [])
    let quiet = try play([60], [(7, 0x8000_0000)])
    #expect(abs(level(quiet, over: plain) + 12.04) < 0.11)
    #expect(abs(level(try play([60], [(11, 0x4000_0000)]), over: plain) + 24.08) < 0.11)
    #expect(abs(level(try play([60], [(7, 0x8000_0000), (7, .max)]), over: plain)) < 0.05)
    let sum = zip(quiet.samples, try play([66], []).samples).map { $0 + $1 }
    #expect(areAlike(try play([60, 66], [(7, 0x8000_0000)]).samples, sum))
    // The left channel of a note on the right is silent.
    #expect(level(try play([60], [(10, .max)]), over: plain) < -20)
  }
}
