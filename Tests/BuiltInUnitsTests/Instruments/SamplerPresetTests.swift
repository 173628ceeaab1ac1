// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@testable import BuiltInUnits

@Suite("Presets of a sampler", .enabled(if: InstrumentHost.isAvailable))
struct SamplerPresetTests {
  /// A folder with sound files and presets that is deleted at the end.
  private final class Folder {
    let path = NSTemporaryDirectory() + "presets-\(UUID().uuidString)"

    init() throws { try makeFolder("") }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func makeFolder(_ name: String) throws {
      try FileManager.default.createDirectory(
        atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    }

    /// Writes a WAV file with a tone of two seconds.
    func addTone(_ name: String, _ frequency: Double = 440) throws {
      var data = Data()
      func add(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
      }
      let count = 96_000
      data += Data("RIFF".utf8)
      add(UInt32(36 + 2 * count))
      data += Data("WAVEfmt ".utf8)
      add(UInt32(16))
      for value in [1, 1] as [UInt16] { add(value) }
      for value in [48_000, 96_000] as [UInt32] { add(value) }
      for value in [2, 16] as [UInt16] { add(value) }
      data += Data("data".utf8)
      add(UInt32(2 * count))
      for frame in 0..<count {
        add(Int16(16_000 * sin(2 * .pi * frequency * Double(frame) / 48_000)))
      }
      try data.write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }

    func add(_ name: String, _ data: Data) throws -> String {
      try data.write(to: URL(fileURLWithPath: "\(path)/\(name)"))
      return "\(path)/\(name)"
    }
  }

  private static func preset(
    _ zones: [[String: Any]], _ files: [String: String], layer: [String: Any] = [:],
    binary: Bool = false
  ) throws -> Data {
    let state: [String: Any] = [
      "type": Int(kAudioUnitType_MusicDevice), "subtype": Int(kAudioUnitSubType_Sampler),
      "manufacturer": Int(kAudioUnitManufacturer_Apple), "version": 0, "name": "Tones",
      "file-references": files,
      "Instrument": [
        "name": "Tones", "Layers": [layer.merging(["Zones": zones]) { first, _ in first }],
      ] as [String: Any],
    ]
    return try PropertyListSerialization.data(
      fromPropertyList: state, format: binary ? .binary : .xml, options: 0)
  }

  /// A chunk of an EXS24 instrument.
  private static func chunk(
    _ type: UInt8, _ count: Int, big: Bool, _ fields: [Int: [UInt8]], numbers: [Int: Int32] = [:]
  ) -> Data {
    var bytes = [UInt8](repeating: 0, count: 84 + count)
    func put(_ position: Int, _ value: Int32) {
      let word = big ? value.bigEndian : value.littleEndian
      withUnsafeBytes(of: word) { bytes.replaceSubrange(position..<position + 4, with: $0) }
    }
    bytes[0] = big ? 0 : 1
    (bytes[1], bytes[3]) = (1, type)
    put(4, Int32(count))
    bytes.replaceSubrange(16..<20, with: Array((big ? "SOBT" : "TBOS").utf8))
    for (position, part) in fields {
      bytes.replaceSubrange(84 + position..<84 + position + part.count, with: part)
    }
    for (position, value) in numbers { put(84 + position, value) }
    return Data(bytes)
  }

  private static func exs(
    big: Bool, sample: String = "tone.wav", fine: Int8 = 0, volume: Int16 = 0
  ) -> Data {
    let value = withUnsafeBytes(of: big ? volume.bigEndian : volume.littleEndian) { Array($0) }
    // The number of voices, and the volume.
    let parameters = [[5, 7], [0, 0], value].joined()
    return chunk(0, 40, big: big, [:], numbers: [4: 1, 12: 1])
      + chunk(
        1, 136, big: big,
        [0: [0, 69, UInt8(bitPattern: fine), 0, 0], 6: [60, 80, 0, 0, 127], 33: [1]],
        numbers: [16: 96_000, 20: 0, 24: 96_000, 88: -1, 92: 0])
      + chunk(3, 592, big: big, [336: Array(sample.utf8)], numbers: [4: 96_000, 8: 48_000])
      + chunk(4, 10, big: big, [4: Array(parameters)], numbers: [0: 2])
  }

  private static func load(_ path: String, _ type: Int, _ sampler: InstrumentHost) -> OSStatus {
    let url = URL(fileURLWithPath: path) as CFURL
    return withExtendedLifetime(url) {
      sampler.host.unit.setting(
        kAUSamplerProperty_LoadInstrument,
        to: AUSamplerInstrumentData(
          fileURL: .passUnretained(url), instrumentType: UInt8(type), bankMSB: 0, bankLSB: 0,
          presetID: 0))
    }
  }

  private static func sound(_ sampler: InstrumentHost, _ key: UInt32) throws -> Signal {
    try check(AudioUnitReset(sampler.unit, kAudioUnitScope_Global, 0))
    try sampler.send(0x90, key, 127)
    return try sampler.render(40_000).dropping(8_000)
  }

  @Test("notify the listeners of the current preset")
  func listeners() throws {
    let folder = try Folder()
    try folder.addTone("tone.wav")
    let path = try folder.add(
      "tones.aupreset", Self.preset([["waveform": 1]], ["Sample:1": "\(folder.path)/tone.wav"]))
    let sampler = try InstrumentHost(kAudioUnitSubType_Sampler)
    let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    count.initialize(to: 0)
    defer { count.deallocate() }
    try check(
      AudioUnitAddPropertyListener(
        sampler.unit, kAudioUnitProperty_PresentPreset,
        { context, _, _, _, _ in context.assumingMemoryBound(to: Int.self).pointee += 1 }, count))
    #expect(Self.load(path, kInstrumentType_AUPreset, sampler) == noErr)
    #expect(count.pointee == 1)
    #expect(Self.load("/nowhere", kInstrumentType_AUPreset, sampler) != noErr)
    #expect(count.pointee == 1)
  }

  @Test("play their zones at the right pitches", arguments: [false, true])
  func zones(binary: Bool) throws {
    let folder = try Folder()
    try folder.makeFolder("Samples")
    try folder.addTone("Samples/low.wav", 220)
    try folder.addTone("high.wav", 440)
    let path = try folder.add(
      "tones.aupreset",
      Self.preset(
        [
          ["waveform": 1, "root key": 57, "max key": 62],
          [
            "waveform": 2, "root key": 69, "min key": 63, "loop enabled": true, "loop start": 0,
            "fine tune": 50,
          ],
        ],
        ["Sample:1": "/nowhere/Sounds/low.wav", "Sample:2": "high.wav"], binary: binary))
    let sampler = try InstrumentHost(kAudioUnitSubType_Sampler)
    #expect(Self.load(path, Int(kInstrumentType_AUPreset), sampler) == noErr)
    func expectTones() throws {
      for (key, expected) in [
        (57, 220), (60, 220 * pow(2, 3 / 12.0)), (69, 440 * pow(2, 0.5 / 12)),
      ] as [(UInt32, Double)] {
        let output = try Self.sound(sampler, key)
        #expect(abs(cents(frequency(output, near: expected), from: expected)) < 3)
        #expect(output.peak > 0.05)
      }
    }
    try expectTones()
    // The state of the unit has the instrument.
    var list: Unmanaged<CFPropertyList>?
    var size = UInt32(MemoryLayout.size(ofValue: list))
    try check(
      AudioUnitGetProperty(
        sampler.unit, kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, &list, &size))
    let saved = try #require(list)
    defer { saved.release() }
    try folder.addTone("other.wav", 300)
    #expect(
      Self.load("\(folder.path)/other.wav", Int(kInstrumentType_Audiofile), sampler) == noErr)
    try check(
      AudioUnitSetProperty(
        sampler.unit, kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, &list, size))
    try expectTones()
  }

  @Test("use velocity ranges, gain and fixed pitch, and play to the end")
  func details() throws {
    let folder = try Folder()
    try folder.addTone("tone.wav", 440)
    let path = try folder.add(
      "tone.aupreset",
      Self.preset(
        [
          ["waveform": 1, "root key": 69, "min vel": 100, "pitch tracking": false, "gain": -20.0],
          ["waveform": 1, "root key": 69, "max vel": 99, "pitch tracking": false],
        ], ["Sample:1": "tone.wav"], layer: ["trigger mode": 11]))
    let sampler = try InstrumentHost(kAudioUnitSubType_Sampler)
    #expect(Self.load(path, Int(kInstrumentType_AUPreset), sampler) == noErr)
    let soft = try Self.sound(sampler, 80)
    #expect(abs(cents(frequency(soft, near: 440), from: 440)) < 3)
    try check(AudioUnitReset(sampler.unit, kAudioUnitScope_Global, 0))
    try sampler.send(0x90, 80, 99)
    let loud = try sampler.render(40_000).dropping(8_000)
    // Velocity 99 is 4.3 dB below 127.
    let difference = 20 * log10(loud.peak / soft.peak)
    #expect(abs(difference - 15.7) < 1)
    try sampler.send(0x80, 80, 0)
    #expect(try sampler.render(20_000).dropping(10_000).peak > 0.5 * loud.peak)
    // The sample has ended; the reverberation fades.
    _ = try sampler.render(240_000)
    #expect(try sampler.render(4_800).peak < 0.001 * loud.peak)
  }

  @Test("move the pitch by their slow oscillator, at its rate")
  func vibrato() throws {
    let folder = try Folder()
    try folder.addTone("tone.wav")
    let pitch = 0x30b0_0000
    let oscillator: [String: Any] = ["ID": 0, "enabled": true, "rate": 5.0, "delay": 0.0]
    let key: [String: Any] = ["source": 300, "destination": pitch, "max value": 12_800.0]
    let vibrato: [String: Any] = [
      "source": 0x1000_0000, "destination": pitch, "control": 0, "max value": 100.0,
    ]
    let layer: [String: Any] = ["LFOs": [oscillator], "Connections": [key, vibrato]]
    let path = try folder.add(
      "tones.aupreset",
      Self.preset(
        [["waveform": 1, "root key": 69]], ["Sample:1": "\(folder.path)/tone.wav"], layer: layer))
    let sampler = try InstrumentHost(kAudioUnitSubType_Sampler)
    try #require(Self.load(path, kInstrumentType_AUPreset, sampler) == noErr)
    let samples = try Self.sound(sampler, 69).samples
    // Where each cycle begins, in frames, and the frequency of each.
    var begins: [Double] = []
    for (frame, (before, sample)) in zip(samples, samples.dropFirst()).enumerated()
    where before < 0 && sample >= 0 {
      begins.append(Double(frame) - before / (sample - before))
    }
    let pitches: [Double] = zip(begins, begins.dropFirst()).map { 48_000 / ($1 - $0) }
    try #require(pitches.count > 200)
    // A single cycle may lie on a step of the oscillator.
    let (lowest, highest) = (
      pitches.sorted()[pitches.count / 50], pitches.sorted()[pitches.count * 49 / 50]
    )
    #expect(abs(1_200 * log2(highest / 440) - 100) < 10)
    #expect(abs(1_200 * log2(lowest / 440) + 100) < 10)
    let rises = (1..<pitches.count).filter { pitches[$0 - 1] < 440 && pitches[$0] >= 440 }
    try #require(rises.count >= 3)
    for (rise, next) in zip(rises, rises.dropFirst()) {
      #expect(abs((begins[next] - begins[rise]) / 48_000 - 0.2) < 0.01)
    }
  }

  @Test("follow the controllers that are connected to pitch and gain")
  func controllers() throws {
    let folder = try Folder()
    try folder.addTone("tone.wav")
    let (pitch, gain) = (0x30b0_0000, 0x5010_0000)
    let connections: [[String: Any]] = [
      ["source": 300, "destination": pitch, "max value": 12_800.0],
      ["source": 20, "destination": pitch, "max value": 700.0],
      ["source": 21, "destination": gain, "max value": -24.0],
    ]
    let path = try folder.add(
      "tones.aupreset",
      Self.preset(
        [["waveform": 1, "root key": 69]], ["Sample:1": "\(folder.path)/tone.wav"],
        layer: ["Connections": connections]))
    let sampler = try InstrumentHost(kAudioUnitSubType_Sampler)
    try #require(Self.load(path, kInstrumentType_AUPreset, sampler) == noErr)
    // Without the reverberation of what was louder.
    try sampler.send(0xb0, 91, 0)
    try sampler.send(0x90, 69, 127)
    let plain = try sampler.render(20_000).dropping(8_000)
    #expect(abs(cents(frequency(plain, near: 440), from: 440)) < 3)
    // The largest value of a controller is 127 of 128 parts.
    let part = 127.0 / 128
    try sampler.send(0xb0, 20, 127)
    let high = try sampler.render(20_000).dropping(8_000)
    let expected = 440 * pow(2, 7 * part / 12)
    #expect(abs(cents(frequency(high, near: expected), from: expected)) < 3)
    try sampler.send(0xb0, 21, 127)
    let soft = try sampler.render(20_000).dropping(8_000)
    #expect(abs(20 * log10(soft.peak / high.peak) + 24 * part) < 0.5)
  }

  @Test("of EXS24 are read in both byte orders", arguments: [false, true])
  func exs24(big: Bool) throws {
    let folder = try Folder()
    try folder.makeFolder("Samples")
    try folder.addTone("Samples/tone.wav", 440)
    let path = try folder.add("tone.exs", Self.exs(big: big, fine: -30))
    let sampler = try InstrumentHost(kAudioUnitSubType_Sampler)
    #expect(Self.load(path, Int(kInstrumentType_EXS24), sampler) == noErr)
    let expected = 440 * pow(2, (3 - 0.3) / 12)
    let output = try Self.sound(sampler, 72)
    #expect(abs(cents(frequency(output, near: expected), from: expected)) < 3)
    #expect(try Self.sound(sampler, 59).peak == 0)
    let soft = try folder.add("soft.exs", Self.exs(big: big, fine: -30, volume: -12))
    #expect(Self.load(soft, Int(kInstrumentType_EXS24), sampler) == noErr)
    let difference = 20 * log10(try Self.sound(sampler, 72).peak / output.peak)
    #expect(abs(difference + 12) < 0.5)
  }

  @Test("without their samples or with damage are refused, and the instrument stays")
  func missing() throws {
    let folder = try Folder()
    try folder.addTone("tone.wav", 440)
    let sampler = try InstrumentHost(kAudioUnitSubType_Sampler)
    #expect(Self.load("\(folder.path)/tone.wav", Int(kInstrumentType_Audiofile), sampler) == noErr)
    let absent = try folder.add(
      "absent.aupreset", Self.preset([["waveform": 1]], ["Sample:1": "gone.wav"]))
    let notFound = OSStatus(kAudio_FileNotFoundError)
    #expect(Self.load(absent, Int(kInstrumentType_AUPreset), sampler) == notFound)
    let reason = try #require(AUDiagnosticsCopyLastExplanation()).takeRetainedValue()
    #expect("\(reason)".contains("gone.wav: the sample is not there"))
    let text = try folder.add("text.aupreset", Data("no list".utf8))
    #expect(Self.load(text, Int(kInstrumentType_AUPreset), sampler) == kAudioUnitErr_InvalidFile)
    let lost = try folder.add("lost.exs", Self.exs(big: false, sample: "gone.wav"))
    #expect(Self.load(lost, Int(kInstrumentType_EXS24), sampler) == notFound)
    let short = try folder.add("short.exs", Self.exs(big: true).dropLast(10))
    #expect(Self.load(short, Int(kInstrumentType_EXS24), sampler) == kAudioUnitErr_InvalidFile)
    let output = try Self.sound(sampler, 60)
    #expect(abs(cents(frequency(output, near: 440), from: 440)) < 3)
  }

  /// A binary property list of arrays, each within the one before.
  private static func nestedArrays(_ count: UInt32) -> Data {
    func bytes(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xFF) } }
    var data = Data("bplist00".utf8)
    for index in 1...count { data += [0xA1] + bytes(index) }
    let table = UInt32(data.count) + 1
    data += [0x08]
    for index in 0...count { data += bytes(8 + 5 * index) }
    data += [0, 0, 0, 0, 0, 0, 4, 4]
    for number in [count + 1, 0, table] { data += [0, 0, 0, 0] + bytes(number) }
    return data
  }

  /// A binary property list whose objects are all the same array, of all of them.
  private static func sharedArrays(_ count: UInt32) -> Data {
    func bytes(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xFF) } }
    var data = Data("bplist00".utf8)
    data += [0xAF, 0x12] + bytes(count)
    for index in 0..<count { data += bytes(index) }
    let table = UInt32(data.count)
    for _ in 0..<count { data += bytes(8) }
    data += [0, 0, 0, 0, 0, 0, 4, 4]
    for number in [count, 0, table] { data += [0, 0, 0, 0] + bytes(number) }
    return data
  }

  @Test("with collections nested without an end are refused", .timeLimit(.minutes(60)))
  func nested() throws {
    let folder = try Folder()
    let sampler = try InstrumentHost(kAudioUnitSubType_Sampler)
    func list(_ part: String) -> String {
      "<plist version=\"1.0\"><dict><key>a</key>" + String(repeating: part, count: 150_000)
    }
    let files = [
      Data(list("<array>").utf8), Data(list("<array><data></data>").utf8),
      Data(list("<dict><key>a</key><date/>").utf8), Data(list("<array><!--</array>-->").utf8),
      Data(list("<array><!--></array>-->").utf8), Data(list("<array><?></array>?>").utf8),
      Data(list("<array><![CDATA[</array>]]>").utf8), Self.nestedArrays(150_000),
      Self.sharedArrays(400_000),
      try #require(
        ("<?xml version=\"1.0\" encoding=\"UTF-16\"?>" + list("<array>")).data(using: .utf16)),
    ]
    for (number, file) in files.enumerated() {
      let path = try folder.add("\(number).aupreset", file)
      #expect(
        Self.load(path, Int(kInstrumentType_AUPreset), sampler) == kAudioUnitErr_InvalidFile,
        "\(number)")
    }
  }

  /// The same random numbers in each run.
  private struct Steps: RandomNumberGenerator {
    private var state: UInt64 = 1

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
  }

  @Test("with random changes are read or refused")
  func mutations() throws {
    let folder = try Folder()
    try folder.addTone("tone.wav", 440)
    let zones: [[String: Any]] = [
      ["waveform": 1, "root key": 69, "loop enabled": true, "loop start": 10, "gain": 1.5]
    ]
    let originals = try [
      Self.exs(big: false), Self.exs(big: true), Self.preset(zones, ["Sample:1": "tone.wav"]),
      Self.preset(zones, ["Sample:1": "tone.wav"], binary: true),
    ]
    // The first unit installs what reads property lists.
    _ = try InstrumentHost(kAudioUnitSubType_Sampler, initializes: false)
    var random = Steps()
    var (read, refused) = (0, 0)
    for round in 0..<3_000 {
      var data = originals[round % 4]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        data[Int.random(in: 0..<data.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      if round % 16 < 4 { data = data.prefix(Int.random(in: 0...data.count, using: &random)) }
      let path = try folder.add("changed", data)
      do {
        let parts =
          if round % 4 < 2 {
            try EXSInstrument.zones(of: path)
          } else {
            try SamplerPreset(SamplerPreset.read(path), folder: folder.path)?.zones ?? []
          }
        // The size of the bank, copies included, does not depend on numbers in the preset.
        if round % 40 < 4 { #expect(try SampleBank(parts, name: "").bytes.count < 1 << 22) }
        read += 1
      } catch { refused += 1 }
    }
    #expect(read > 100 && refused > 100)
  }
}
