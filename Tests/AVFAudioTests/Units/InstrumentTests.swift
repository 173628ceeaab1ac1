// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Testing

@Suite("AVAudioUnitSampler and AVAudioUnitMIDIInstrument")
struct InstrumentTests {
  /// A sound file with a tone of 480 Hz, which makes an instrument without a bank.
  private final class Tone {
    let folder: URL
    let file: URL

    init() throws {
      folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("tone-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      file = folder.appendingPathComponent("tone-C4.wav")
      let format = try #require(
        AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
      let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 96_000))
      let samples = try #require(buffer.floatChannelData)[0]
      for frame in 0..<96_000 {
        samples[frame] = 0.5 * Float(sin(2 * .pi * 480 * Double(frame) / 48_000))
      }
      buffer.frameLength = 96_000
      let writer = try AVAudioFile(forWriting: file, settings: format.settings)
      try writer.write(from: buffer)
      writer.close()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
  }

  private func offline(_ node: AVAudioUnitMIDIInstrument, channels: UInt32 = 2) throws -> Offline {
    let offline = try Offline(48_000, channels)
    offline.engine.attach(node)
    offline.engine.connect(node, to: offline.engine.mainMixerNode, format: nil)
    return offline
  }

  private func level(_ samples: [Float]) -> Float { samples.map(abs).max() ?? 0 }

  /// Whether FluidSynth is installed.
  static let isAvailable: Bool = {
    guard let tone = try? Tone() else { return false }
    return (try? AVAudioUnitSampler().loadAudioFiles(at: [tone.file])) != nil
  }()

  @Test("plays a sound file at the pitch of the key", .enabled(if: isAvailable))
  func soundFile() throws {
    let (tone, sampler) = (try Tone(), AVAudioUnitSampler())
    try sampler.loadAudioFiles(at: [tone.file])
    let offline = try offline(sampler)
    try offline.engine.start()
    #expect(level(try offline.render(1_000)[0]) == 0)
    sampler.startNote(72, withVelocity: 127, onChannel: 0)
    let samples = try offline.render(24_000)[0]
    #expect(level(samples) > 0.05)
    let tail = samples[12_000...]
    let crossings = zip(tail, tail.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
    #expect(abs(Double(crossings) * 4 - 960) < 12)
    sampler.stopNote(72, onChannel: 0)
    _ = try offline.render(48_000)
    #expect(level(try offline.render(4_800)[0]) < 0.001)
  }

  @Test("loads presets, whose samples are beside them", .enabled(if: isAvailable))
  func presets() throws {
    let tone = try Tone()
    let state: [String: Any] = [
      "type": Int(kAudioUnitType_MusicDevice), "subtype": Int(kAudioUnitSubType_Sampler),
      "manufacturer": Int(kAudioUnitManufacturer_Apple), "version": 0, "name": "Tone",
      "file-references": ["Sample:1": tone.file.lastPathComponent],
      "Instrument": ["Layers": [["Zones": [["waveform": 1, "max key": 64]]]]],
    ]
    let file = tone.folder.appendingPathComponent("tone.aupreset")
    try PropertyListSerialization.data(fromPropertyList: state, format: .xml, options: 0)
      .write(to: file)
    for loadsPreset in [false, true] {
      let sampler = AVAudioUnitSampler()
      if loadsPreset {
        try sampler.loadPreset(at: file)
      } else {
        try sampler.loadInstrument(at: file)
      }
      let text = tone.folder.appendingPathComponent("text.exs")
      try Data("nothing".utf8).write(to: text)
      #expect(throws: NSError.self) { try sampler.loadInstrument(at: text) }
      let offline = try offline(sampler)
      try offline.engine.start()
      sampler.startNote(65, withVelocity: 127, onChannel: 0)
      #expect(level(try offline.render(9_600)[0]) == 0)
      sampler.startNote(60, withVelocity: 127, onChannel: 0)
      #expect(level(try offline.render(9_600)[0]) > 0.05)
    }
  }

  @Test("sends to a mono mixer, and has two channels itself", .enabled(if: isAvailable))
  func mono() throws {
    let (tone, sampler) = (try Tone(), AVAudioUnitSampler())
    try sampler.loadInstrument(at: tone.file)
    let offline = try offline(sampler, channels: 1)
    #expect(sampler.outputFormat(forBus: 0).channelCount == 2)
    try offline.engine.start()
    sampler.startNote(60, withVelocity: 100, onChannel: 3)
    #expect(level(try offline.render(9_600)[0]) > 0.05)
  }

  @Test("gets controllers that were sent before the engine starts", .enabled(if: isAvailable))
  func early() throws {
    let tone = try Tone()
    func played(_ volume: UInt8) throws -> Float {
      let sampler = AVAudioUnitSampler()
      try sampler.loadAudioFiles(at: [tone.file])
      let offline = try offline(sampler)
      sampler.sendController(7, withValue: volume, onChannel: 0)
      try offline.engine.start()
      sampler.startNote(60, withVelocity: 100, onChannel: 0)
      return level(try offline.render(9_600)[0])
    }
    #expect(try played(30) < (try played(127)) / 4)
  }

  @Test("gain, pan and tuning", .enabled(if: isAvailable))
  func parameters() throws {
    let (tone, sampler) = (try Tone(), AVAudioUnitSampler())
    #expect((sampler.overallGain, sampler.stereoPan, sampler.globalTuning) == (0, 0, 0))
    sampler.globalTuning = -1_250
    #expect(sampler.globalTuning == -1_250)
    sampler.globalTuning = .nan
    sampler.globalTuning = 1_200
    sampler.stereoPan = 100
    sampler.masterGain = -6
    #expect((sampler.overallGain, sampler.stereoPan, sampler.globalTuning) == (-6, 100, 1_200))
    try sampler.loadAudioFiles(at: [tone.file])
    let offline = try offline(sampler)
    try offline.engine.start()
    sampler.startNote(60, withVelocity: 127, onChannel: 0)
    let samples = try offline.render(24_000)
    #expect(level(samples[0]) < level(samples[1]) / 50)
    let tail = samples[1][12_000...]
    let crossings = zip(tail, tail.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
    #expect(abs(Double(crossings) * 4 - 960) < 12, "an octave higher")
  }

  /// Sends messages of one or two words each as a list.
  private func send(
    _ messages: [[UInt32]], _ midiProtocol: MIDIProtocolID, to unit: AVAudioUnitMIDIInstrument
  ) {
    var list = MIDIEventList()
    withUnsafeMutablePointer(to: &list) { list in
      var packet = MIDIEventListInit(list, midiProtocol)
      for words in messages {
        packet =
          MIDIEventListAdd(
            list, MemoryLayout<MIDIEventList>.size, packet, 0, words.count, words) ?? packet
      }
      unit.send(list)
    }
  }

  @Test(
    "plays lists of messages, and keeps what is no note until the engine starts",
    .enabled(if: isAvailable), arguments: [MIDIProtocolID._1_0, ._2_0])
  func eventLists(midiProtocol: MIDIProtocolID) throws {
    let (tone, sampler) = (try Tone(), AVAudioUnitSampler())
    try sampler.loadAudioFiles(at: [tone.file])
    let isNew = midiProtocol == ._2_0
    let note: (UInt32, UInt32) -> [UInt32] = { status, key in
      isNew
        ? [0x4000_0000 | status << 16 | key << 8, 0xffff_0000]
        : [0x2000_007f | status << 16 | key << 8]
    }
    let offline = try offline(sampler)
    // Volume 0, and a note that is over when the engine starts.
    let mute: [UInt32] = isNew ? [0x40b0_0700, 0] : [0x20b0_0700]
    send([mute, note(0x90, 72)], midiProtocol, to: sampler)
    try offline.engine.start()
    _ = try offline.render(1_000)
    send([note(0x90, 60)], midiProtocol, to: sampler)
    #expect(level(try offline.render(9_600)[0]) < 0.001)
    let loud: [UInt32] = isNew ? [0x40b0_0700, .max] : [0x20b0_077f]
    send([loud, note(0x90, 60)], midiProtocol, to: sampler)
    #expect(level(try offline.render(9_600)[0]) > 0.05)
    send([note(0x80, 60), note(0x80, 60)], midiProtocol, to: sampler)
    _ = try offline.render(96_000)
    #expect(level(try offline.render(4_800)[0]) < 0.001)
  }

  @Test("a message that does not exist is not sent", .enabled(if: isAvailable))
  func hostile() throws {
    let (tone, sampler) = (try Tone(), AVAudioUnitSampler())
    try sampler.loadAudioFiles(at: [tone.file])
    let offline = try offline(sampler)
    try offline.engine.start()
    sampler.startNote(60, withVelocity: 100, onChannel: 16)
    sampler.startNote(128, withVelocity: 100, onChannel: 0)
    sampler.sendMIDIEvent(0x10, data1: 60, data2: 100)
    sampler.sendPitchBend(.max, onChannel: 0)
    sampler.sendMIDISysExEvent(Data())
    sampler.sendProgramChange(200, onChannel: 0)
    #expect(level(try offline.render(4_800)[0]) == 0)
  }

  @Test("files that have no instrument are refused")
  func refused() {
    let sampler = AVAudioUnitSampler()
    let missing = URL(fileURLWithPath: "/nowhere/bank.sf2")
    for load in [
      { try sampler.loadSoundBankInstrument(at: missing, program: 0, bankMSB: 0x79, bankLSB: 0) },
      { try sampler.loadInstrument(at: missing) }, { try sampler.loadAudioFiles(at: [missing]) },
      { try sampler.loadAudioFiles(at: []) },
    ] {
      let error = #expect(throws: NSError.self) { try load() }
      #expect(error?.domain == "com.apple.coreaudio.avfaudio")
      #expect(error?.localizedDescription.contains("AVAudioUnitSampler") == true)
    }
  }
}
