// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@testable import BuiltInUnits

@Suite("Notes of instruments", .enabled(if: InstrumentHost.isAvailable))
struct InstrumentStuckNoteTests {
  /// What ends notes, or changes their instrument, while they sound.
  private enum Act: CaseIterable {
    case allNotesOff, allSoundOff, resetControllers, systemReset, reset, restart, sampleRate, bank
    case program, pedals

    /// Whether no note sounds afterwards, whatever was sent before.
    var endsAll: Bool { ![.program, .pedals, .resetControllers].contains(self) }
  }

  private static let bank = (try? BankFile.defaultPath()) ?? ""
  private static let slices = [[1], [37, 200, 1], [64], [512]]

  /// An instrument with steady tones, on which acts are performed.
  private final class Player {
    let synth: InstrumentHost
    let slices: [Int]
    private let kind: OSType
    private var rate = 48_000.0
    private var program: UInt32 = 16

    init(_ kind: OSType, _ slices: [Int]) throws {
      synth = try InstrumentHost(kind, dry: false)
      self.slices = slices
      self.kind = kind
      if kind == kAudioUnitSubType_MIDISynth {
        try synth.host.unit.set(kAUMIDISynthProperty_EnablePreload, to: UInt32(1))
        for program in 16..<20 as Range<UInt32> { try synth.send(0xc0, program) }
        try synth.host.unit.set(kAUMIDISynthProperty_EnablePreload, to: UInt32(0))
      }
      try choose(16)
    }

    /// Selects an organ: of the channel, or for a sampler of the whole unit.
    private func choose(_ program: UInt32) throws {
      for channel in 0..<2 as Range<UInt32> { try synth.send(0xc0 | channel, program) }
      guard kind == kAudioUnitSubType_Sampler else { return }
      let path = URL(fileURLWithPath: InstrumentStuckNoteTests.bank) as CFURL
      try withExtendedLifetime(path) {
        try check(
          synth.host.unit.setting(
            kAUSamplerProperty_LoadInstrument,
            to: AUSamplerInstrumentData(
              fileURL: .passUnretained(path), instrumentType: UInt8(kInstrumentType_SF2Preset),
              bankMSB: UInt8(kAUSampler_DefaultMelodicBankMSB), bankLSB: 0,
              presetID: UInt8(program))))
      }
    }

    func perform(_ act: Act) throws {
      switch act {
      case .allNotesOff:
        for channel in 0..<2 as Range<UInt32> {
          for pedal in [64, 66] as [UInt32] { try synth.send(0xb0 | channel, pedal, 0) }
          try synth.send(0xb0 | channel, 123)
        }
      case .allSoundOff:
        for channel in 0..<2 as Range<UInt32> { try synth.send(0xb0 | channel, 120) }
      case .resetControllers:
        for channel in 0..<2 as Range<UInt32> { try synth.send(0xb0 | channel, 121) }
      case .systemReset: try synth.send(0xff)
      case .reset: try check(AudioUnitReset(synth.unit, kAudioUnitScope_Global, 0))
      case .restart:
        try check(AudioUnitUninitialize(synth.unit))
        try check(AudioUnitInitialize(synth.unit))
      case .sampleRate:
        rate = rate == 48_000 ? 44_100 : rate == 44_100 ? 192_000 : 48_000
        try check(AudioUnitUninitialize(synth.unit))
        try synth.host.unit.set(kAudioUnitProperty_SampleRate, to: rate, kAudioUnitScope_Output)
        try check(AudioUnitInitialize(synth.unit))
      case .bank:
        let path = URL(fileURLWithPath: InstrumentStuckNoteTests.bank) as CFURL
        let object = Unmanaged.passUnretained(path).toOpaque()
        try withExtendedLifetime(path) {
          try check(synth.host.unit.setting(kMusicDeviceProperty_SoundBankURL, to: object))
        }
      case .program:
        program = 16 + (program + 1) % 4
        try choose(program)
      case .pedals:
        for pedal in [64, 66, 67] as [UInt32] { try synth.send(0xb0, pedal, 127) }
      }
    }

    func render(_ frames: Int) throws -> Double { try synth.render(frames, slices: slices).peak }

    /// The level after the end of all releases and of the reverberation.
    func rest() throws -> Double {
      _ = try synth.render(Int(rate) * 9, slices: [1_000])
      return try synth.render(4_000, slices: [1_000]).peak
    }
  }

  /// The same random numbers in each run.
  private struct Steps: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
  }

  @Test(
    "end with each act that ends all, in slices of any size", arguments: InstrumentHost.kinds,
    slices)
  func eachAct(kind: OSType, slices: [Int]) throws {
    let player = try Player(kind, slices)
    for act in Act.allCases where act.endsAll {
      for key in [50, 57, 64] as [UInt32] {
        try player.synth.send(0x90, key, 100, at: key - 50)
        try player.synth.send(0x91, key + 3, 100)
      }
      #expect(try player.render(1_024) > 0.01)
      // One more is queued, but not rendered yet, when the act comes.
      try player.synth.send(0x90, 70, 100)
      try player.perform(act)
      // What was queued plays on the new bank until its key is released.
      if act == .bank { try player.synth.send(0x80, 70) }
      #expect(try player.rest() == 0, "\(act)")
    }
  }

  @Test(
    "end with their keys after any order of acts, in slices of any size",
    arguments: InstrumentHost.kinds, slices)
  func anyOrder(kind: OSType, slices: [Int]) throws {
    var random = Steps(state: UInt64(kind) &+ UInt64(slices[0]))
    let player = try Player(kind, slices)
    for _ in 0..<3 {
      for _ in 0..<12 {
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let key = UInt32.random(in: 40...80, using: &random)
          let status: UInt32 = Bool.random(using: &random) ? 0x90 : 0x80
          let frame = UInt32.random(in: 0...400, using: &random)
          try player.synth.send(status | key & 1, key, 100, at: frame)
        }
        if Bool.random(using: &random) { _ = try player.render(300) }
        let act = Act.allCases.randomElement(using: &random)
        try player.perform(act ?? .reset)
        if Bool.random(using: &random) { _ = try player.render(300) }
      }
      // The notes that may still be queued begin before they end.
      _ = try player.render(400)
      try player.perform(.resetControllers)
      for key in 40...80 as ClosedRange<UInt32> { try player.synth.send(0x80 | key & 1, key) }
      #expect(try player.rest() == 0)
      try player.synth.send(0x90, 60, 100)
      #expect(try player.render(9_600) > 0.01)
    }
  }

  @Test("held by a pedal end when all controllers are reset", arguments: [64, 66] as [UInt32])
  func pedals(pedal: UInt32) throws {
    for act in [.resetControllers, .systemReset, .reset, .bank, .restart] as [Act] {
      let player = try Player(OSType(kAudioUnitSubType_DLSSynth), [512])
      try player.synth.send(0x90, 60, 100)
      _ = try player.render(1_024)
      try player.synth.send(0xb0, pedal, 127)
      _ = try player.render(1_024)
      try player.synth.send(0x80, 60)
      _ = try player.render(48_000)
      #expect(try player.render(1_024) > 0.01)
      try player.perform(act)
      #expect(try player.rest() == 0, "\(act)")
    }
  }

  @Test("are held by the sostenuto pedal if they sound when it goes down, until it goes up")
  func sostenuto() throws {
    let player = try Player(OSType(kAudioUnitSubType_DLSSynth), [512])
    func play(_ messages: [(UInt32, UInt32, UInt32)]) throws -> Double {
      for message in messages {
        try player.synth.send(message.0, message.1, message.2)
        _ = try player.render(512)
      }
      return try player.rest()
    }
    #expect(try play([(0x90, 60, 100), (0xb0, 66, 127), (0x80, 60, 0)]) > 0.01)
    #expect(try play([(0xb0, 66, 0)]) == 0)
    #expect(try play([(0xb0, 66, 127), (0x90, 60, 100), (0x80, 60, 0)]) == 0)
    #expect(try play([(0xb0, 66, 0), (0x90, 60, 100), (0xb0, 66, 127), (0xb0, 66, 0)]) > 0.01)
    #expect(try play([(0x80, 60, 0)]) == 0)
    // A pedal that moves on while it is down does not catch later notes.
    #expect(
      try play([(0xb0, 66, 70), (0x90, 60, 100), (0xb0, 66, 127), (0x80, 60, 0), (0xb0, 66, 0)])
        == 0)
    #expect(try play([(0xb0, 66, 70), (0x90, 60, 100), (0xb0, 66, 90), (0x80, 60, 0)]) == 0)
    #expect(try play([(0xb0, 66, 0)]) == 0)
    // A key that is struck again ends its held note.
    #expect(
      try play([(0x90, 60, 100), (0xb0, 66, 127), (0x80, 60, 0), (0x90, 60, 100), (0x80, 60, 0)])
        == 0)
  }

  @Test("of a pedal end with it when there were more than there are voices")
  func manyUnderPedal() throws {
    let player = try Player(OSType(kAudioUnitSubType_DLSSynth), [512])
    try player.synth.send(0xb0, 64, 127)
    for round in 0..<8 as Range<UInt32> {
      for key in 30..<90 as Range<UInt32> {
        try player.synth.send(0x90, key, 60, at: key * 7 % 500)
        try player.synth.send(0x80, key, 0, at: 500)
      }
      #expect(try player.render(512) > 0, "\(round)")
    }
    try player.synth.send(0xb0, 64, 0)
    #expect(try player.rest() == 0)
  }

  @Test("that were queued are dropped by a reset even if the queue is full")
  func fullQueue() throws {
    let player = try Player(OSType(kAudioUnitSubType_DLSSynth), [512])
    while MusicDeviceMIDIEvent(player.synth.unit, 0x90, 60, 100, 0) == noErr {}
    try player.perform(.reset)
    #expect(try player.render(4_800) == 0)
    try player.synth.send(0x90, 60, 100)
    #expect(try player.render(4_800) > 0.01)
  }

  @Test("can be ended although the queue is full of notes")
  func endsInFullQueue() throws {
    let player = try Player(OSType(kAudioUnitSubType_DLSSynth), [512])
    try player.synth.send(0x90, 60, 100)
    #expect(try player.render(4_800) > 0.01)
    while MusicDeviceMIDIEvent(player.synth.unit, 0x90, 64, 100, 0) == noErr {}
    for key in [60, 64] as [UInt32] { try player.synth.send(0x80, key) }
    #expect(try player.rest() == 0)
  }

  @Test("that end at an earlier frame than they begin do not sound on")
  func endBeforeStart() throws {
    let player = try Player(OSType(kAudioUnitSubType_DLSSynth), [512])
    var parameters = MusicDeviceNoteParams()
    (parameters.argCount, parameters.mPitch, parameters.mVelocity) = (2, 60, 100)
    var note: NoteInstanceID = 0
    try check(
      MusicDeviceStartNote(
        player.synth.unit, MusicDeviceInstrumentID(kMusicNoteEvent_UseGroupInstrument), 0, &note,
        400, &parameters))
    try check(MusicDeviceStopNote(player.synth.unit, 0, note, 100))
    #expect(try player.rest() == 0)
  }

  @Test("may sound while the unit is disposed of", arguments: InstrumentHost.kinds)
  func disposal(kind: OSType) throws {
    for rendered in [false, true] {
      let player = try Player(kind, [512])
      for key in 40..<80 as Range<UInt32> { try player.synth.send(0x90, key, 100) }
      if rendered { #expect(try player.render(1_024) > 0.01) }
    }
    // Another unit has none of the notes.
    #expect(try Player(kind, [512]).render(4_800) == 0)
  }
}
