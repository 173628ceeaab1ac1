// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Testing

@Suite("Notes of an AVAudioUnitSampler", .enabled(if: InstrumentTests.isAvailable))
struct StuckNoteTests {
  /// What may happen to a sampler or its engine while notes sound.
  private enum Act: CaseIterable {
    case allNotesOff, allSoundOff, resetControllers, resetNode, resetEngine, stop, pause, reconnect
    case load, gain, detach
  }

  /// An engine with a sampler that plays a tone without end.
  private final class Studio {
    let sampler = AVAudioUnitSampler()
    private let offline: Offline
    private let folder: URL
    private var rate = 48_000.0

    init() throws {
      folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("stuck-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
      let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4_800))
      let samples = try #require(buffer.floatChannelData)[0]
      for frame in 0..<4_800 { samples[frame] = 0.5 * Float(sin(.pi * Double(frame) / 50)) }
      buffer.frameLength = 4_800
      let writer = try AVAudioFile(
        forWriting: folder.appendingPathComponent("tone.wav"), settings: format.settings)
      try writer.write(from: buffer)
      writer.close()
      let state: [String: Any] = [
        "type": Int(kAudioUnitType_MusicDevice), "subtype": Int(kAudioUnitSubType_Sampler),
        "manufacturer": Int(kAudioUnitManufacturer_Apple), "version": 0, "name": "Tone",
        "file-references": ["Sample:1": "tone.wav"],
        "Instrument": [
          "Layers": [["Zones": [["waveform": 1, "loop enabled": true, "loop start": 0]]]]
        ],
      ]
      try PropertyListSerialization.data(fromPropertyList: state, format: .xml, options: 0)
        .write(to: folder.appendingPathComponent("tone.aupreset"))
      offline = try Offline(48_000, 2)
      offline.engine.attach(sampler)
      offline.engine.connect(sampler, to: offline.engine.mainMixerNode, format: nil)
      try load()
      try offline.engine.start()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func load() throws {
      try sampler.loadPreset(at: folder.appendingPathComponent("tone.aupreset"))
    }

    func perform(_ act: Act) throws {
      let engine = offline.engine
      switch act {
      case .allNotesOff: sampler.sendController(123, withValue: 0, onChannel: 0)
      case .allSoundOff: sampler.sendController(120, withValue: 0, onChannel: 0)
      case .resetControllers: sampler.sendController(121, withValue: 0, onChannel: 0)
      case .resetNode: sampler.reset()
      case .resetEngine: engine.reset()
      case .stop:
        engine.stop()
        release()
        try engine.start()
      case .pause:
        engine.pause()
        release()
        try engine.start()
      case .reconnect:
        rate = rate == 48_000 ? 44_100 : 48_000
        let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2)
        engine.disconnectNodeOutput(sampler)
        release()
        engine.connect(sampler, to: engine.mainMixerNode, format: format)
      case .load: try load()
      case .gain: sampler.overallGain = sampler.overallGain == 0 ? -6 : 0
      case .detach:
        engine.detach(sampler)
        release()
        engine.attach(sampler)
        engine.connect(sampler, to: engine.mainMixerNode, format: nil)
      }
    }

    /// Ends all notes.
    func release() {
      for key in 50...70 as ClosedRange<UInt8> { sampler.stopNote(key, onChannel: 0) }
    }

    func play(_ key: UInt8) { sampler.startNote(key, withVelocity: 120, onChannel: 0) }

    func level(_ frames: Int, slice: Int) throws -> Float {
      try offline.render(frames, slice: slice)[0].map(abs).max() ?? 0
    }

    /// The level when releases and reverberation have faded.
    func rest() throws -> Float {
      _ = try level(48_000 * 9, slice: 4_096)
      return try level(4_096, slice: 4_096)
    }
  }

  @Test("end after each act, in slices of any size", arguments: [1, 37, 64, 512])
  func eachAct(slice: Int) throws {
    let studio = try Studio()
    for act in Act.allCases {
      studio.play(60)
      #expect(try studio.level(2_400, slice: slice) > 0.01, "\(act)")
      // Another note waits for the next render when the act comes.
      studio.play(64)
      try studio.perform(act)
      _ = try studio.level(600, slice: slice)
      studio.release()
      #expect(try studio.rest() == 0, "\(act)")
    }
  }

  @Test("end after two acts in any order")
  func pairs() throws {
    let studio = try Studio()
    for (index, first) in Act.allCases.enumerated() {
      for second in Act.allCases.dropFirst(index % 3) where second != first {
        studio.play(57)
        try studio.perform(first)
        studio.play(61)
        if index % 2 == 0 { _ = try studio.level(300, slice: 100) }
        try studio.perform(second)
        studio.release()
      }
      #expect(try studio.rest() == 0, "\(first)")
    }
    studio.play(60)
    #expect(try studio.level(4_800, slice: 512) > 0.01)
  }
}
