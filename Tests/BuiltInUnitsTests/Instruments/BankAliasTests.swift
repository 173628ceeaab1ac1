// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import AudioUnitCore
import Foundation
import Testing

@testable import BuiltInUnits

@Suite("High keys of a bank's instrument", .enabled(if: InstrumentHost.isAvailable))
struct BankAliasTests {
  /// A SoundFont with one instrument of one sample, which is deleted at the end.
  private final class Bank {
    let path = NSTemporaryDirectory() + "bank-\(UUID().uuidString).sf2"
    let bytes: [UInt8]

    /// Generators of the zone for all, and of the zone with the sample.
    init(
      _ samples: [Double], loop: Range<Int>? = nil, root: UInt8 = 60, rate: Int = 48_000,
      global: [[UInt16]] = [], zone: [[UInt16]] = [], preset: [[UInt16]] = []
    ) throws {
      var pool = SamplePool()
      samples.map { Float($0) }.withUnsafeBufferPointer { pool.append($0, gain: 1) }
      let own = zone + (loop == nil ? [] : [[54, 1]]) + [[53, 0]]
      let loop = loop ?? 0..<samples.count
      let (name, zeros) = (SoundFont.text("Tone"), [UInt8](repeating: 0, count: 12))
      let modulators = [UInt8](repeating: 0, count: 10)
      let presetBags: [UInt16] = [0, 0, UInt16(preset.count + 1), 0]
      let lastBag = UInt16(global.count + own.count)
      let globalBag: [UInt16] = global.isEmpty ? [] : [0, 0]
      let bags: [UInt16] = globalBag + [UInt16(global.count), 0, lastBag, 0]
      let frames = [0, samples.count, loop.lowerBound, loop.upperBound, rate]
      let instrument = Self.join(
        name, SoundFont.words([0]), SoundFont.text("EOI"),
        SoundFont.words([global.isEmpty ? 1 : 2]))
      let header = Self.join(
        name, SoundFont.words([0, 0, 0]), zeros, SoundFont.text("EOP"),
        SoundFont.words([0, 0, 1]), zeros)
      let sample = Self.join(
        name, SoundFont.numbers(frames), [root, 0], SoundFont.words([0, 1]),
        SoundFont.text("EOS"), [UInt8](repeating: 0, count: 26))
      bytes = SoundFont.file(
        "Tone", pool,
        [
          ("phdr", header), ("pbag", SoundFont.words(presetBags)), ("pmod", modulators),
          ("pgen", SoundFont.words(preset.flatMap(\.self) + [41, 0, 0, 0])),
          ("inst", instrument), ("ibag", SoundFont.words(bags)), ("imod", modulators),
          ("igen", SoundFont.words((global + own).flatMap(\.self) + [0, 0])),
          ("shdr", sample),
        ])
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    private static func join(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(\.self) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// As the sampler plays it, and as FluidSynth reads the same bytes.
    var copied: BankSource { .file(path) }
    var plain: BankSource { .samples(bytes: bytes, paths: []) }
  }

  private static let tone = SamplerAliasTests.longTone
  private static let pitch = SamplerAliasTests.pitch

  /// The highest frequency that no harmonic has, relative to the fundamental, in dB.
  private func alias(_ source: BankSource, key: Int, pitch: Double) throws -> Double {
    let spectrum = Spectrum(try SamplerAliasTests.play(source, key))
    let played = pitch * pow(2, Double(key - 60) / 12)
    let fundamental = spectrum.amplitude(at: played)
    #expect(fundamental > 0.01)
    let other = spectrum.highest(except: SamplerAliasTests.harmonics(played), below: 17_000)
    return decibels(other.amplitude / fundamental)
  }

  @Test("alias at most by -60 dB", arguments: [60, 67, 72, 79, 84])
  func aliases(key: Int) throws {
    let bank = try Bank(Self.tone)
    #expect(try alias(bank.copied, key: key, pitch: Self.pitch) < -60)
    if key >= 72 {
      #expect(try alias(bank.plain, key: key, pitch: Self.pitch) > -40, "FluidSynth alone")
    }
  }

  @Test("repeat their loops", arguments: [72, 84])
  func loops(key: Int) throws {
    let pitch = SamplerAliasTests.rate / 183
    let bank = try Bank(SamplerAliasTests.tone(pitch, 1_366), loop: 1_000..<1_366)
    #expect(try alias(bank.copied, key: key, pitch: pitch) < -60)
  }

  @Test("leave low keys as they are")
  func lowKeys() throws {
    let bank = try Bank(Self.tone)
    #expect(
      try SamplerAliasTests.play(bank.copied, 55).samples
        == SamplerAliasTests.play(bank.plain, 55).samples)
  }

  @Test(
    "have the pitch that the generators give them, wherever these are",
    arguments: [
      ([], [[58, 72]], []), ([[58, 72]], [], []), ([], [[51, UInt16(bitPattern: -12)]], []),
      ([[51, 12], [52, 30]], [], []), ([], [[56, 50]], []), ([], [], [[51, 5]]),
      ([[0, 3_000]], [], []), ([], [[0, 1_000], [4, 1]], []),
      ([[43, 0x7f00]], [[44, 0x7f00]], []),
    ] as [([[UInt16]], [[UInt16]], [[UInt16]])])
  func generators(global: [[UInt16]], zone: [[UInt16]], preset: [[UInt16]]) throws {
    let bank = try Bank(Self.tone, global: global, zone: zone, preset: preset)
    for key in [84, 91] {
      let (one, other) = (
        try SamplerAliasTests.play(bank.copied, key), try SamplerAliasTests.play(bank.plain, key)
      )
      let guess = Self.pitch * pow(2, Double(key - 60) / 12)
      let pitches = [one, other].map { signal in
        let spectrum = Spectrum(signal)
        return stride(from: guess / 5, to: guess * 5, by: 1).max {
          spectrum.amplitude(at: $0) < spectrum.amplitude(at: $1)
        } ?? 0
      }
      #expect(abs(pitches[0] - pitches[1]) < 3, "\(pitches) Hz")
      #expect(abs(decibels(power(one) / power(other)) / 2) < 1.5)
    }
  }

  private func power(_ signal: Signal) -> Double { signal.samples.reduce(0) { $0 + $1 * $1 } }

  @Test("of a bank for all programs, or without need of copies, are played as they are")
  func noCopies() throws {
    let low = try Bank(Self.tone, zone: [[43, 60 << 8]])
    #expect(BankInstrumentCopy(low.path, bank: 0, program: 0) == nil)
    let bank = try Bank(Self.tone)
    #expect(BankInstrumentCopy(bank.path, bank: 0, program: 1) == nil)
    #expect(BankInstrumentCopy(bank.path, bank: 1, program: 0) == nil)
    #expect(BankInstrumentCopy("/nowhere", bank: 0, program: 0) == nil)
    #expect(BankInstrumentCopy("/usr/bin/env", bank: 0, program: 0) == nil)
  }

  @Test("Fuzz: a damaged bank gives an error or some sound")
  func damaged() throws {
    let rounds =
      ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_ROUNDS"].flatMap { Int($0) } ?? 300
    let bank = try Bank(
      Array(Self.tone.prefix(400)), loop: 100..<300, global: [[51, 2], [0, 1]],
      zone: [[43, 0x7f00], [2, 3]])
    let path = bank.path
    // The tables are behind the samples.
    let tables = bank.bytes.count - 400
    var state: UInt64 = 1
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    for _ in 0..<rounds {
      var bytes = bank.bytes
      for _ in 0...next(5) {
        let place = next(4) == 0 ? next(bytes.count) : min(tables + next(400), bytes.count - 1)
        switch next(4) {
        case 0: bytes.removeSubrange(place..<min(place + 1 + next(30), bytes.count))
        case 1: bytes[place] = [0, 1, 0x7f, 0x80, 0xff][next(5)]
        default: bytes[place] = UInt8(next(256))
        }
        if bytes.count < 20 { bytes = bank.bytes }
      }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      guard let copy = BankInstrumentCopy(path, bank: 0, program: 0) else { continue }
      #expect(copy.bytes.count < 8 << 20)
      if next(20) == 0,
        let made = try? SynthRack.make(
          .samples(bytes: copy.bytes, paths: []), sampleRate: 48_000, members: 1)
      {
        made.rack.deallocate()
      }
    }
  }

  @Test("of instruments that repeat the same zones are not copied", .timeLimit(.minutes(60)))
  func repeatedZones() throws {
    let (zoneCount, instrumentCount) = (60_000, 30_000)
    var pool = SamplePool()
    Self.tone.prefix(400).map { Float($0) }.withUnsafeBufferPointer { pool.append($0, gain: 1) }
    func words(_ rows: [[Int]]) -> [UInt8] { SoundFont.words(rows.joined().map { UInt16($0) }) }
    let (name, end) = (SoundFont.text("A"), [UInt8](repeating: 0, count: 12))
    let tables: [(String, [UInt8])] = [
      (
        "phdr",
        name + words([[0, 0, 0]]) + end + name + words([[0, 0, instrumentCount]]) + end
      ),
      ("pbag", words((0...instrumentCount).map { [$0, 0] })), ("pmod", []),
      ("pgen", words((0..<instrumentCount).map { [41, 2 * $0] })),
      // Each second one has all zones.
      ("inst", (0...2 * instrumentCount).flatMap { name + words([[$0 % 2 * zoneCount]]) }),
      ("ibag", words((0...zoneCount).map { [$0, 0] })), ("imod", []),
      ("igen", words((0..<zoneCount).map { _ in [53, 0] })),
      (
        "shdr", name + SoundFont.numbers([0, 400, 0, 400, 48_000]) + [60, 0] + words([[0, 1]])
      ),
    ]
    let path = NSTemporaryDirectory() + "bank-\(UUID().uuidString).sf2"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(SoundFont.file("A", pool, tables)).write(to: URL(fileURLWithPath: path))
    #expect(BankInstrumentCopy(path, bank: 0, program: 0) == nil)
  }

  @Test(
    "of the system's bank load within a second, and have all of it", arguments: [0, 19, 56, 73])
  func systemBank(program: Int) throws {
    let path = try BankFile.defaultPath()
    let begin = ContinuousClock.now
    let copy = BankInstrumentCopy(path, bank: 0, program: program)
    #expect(ContinuousClock.now - begin < .seconds(5))
    guard let copy else { return }
    let (rack, instruments) = try SynthRack.make(
      .samples(bytes: copy.bytes, paths: []), sampleRate: 48_000)
    defer { rack.deallocate() }
    #expect(instruments.count == 1)
    #expect(instruments.first?.program == program)
  }
}
