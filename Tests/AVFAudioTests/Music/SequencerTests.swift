// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Testing

@Suite("AVAudioSequencer and AVMusicTrack")
struct SequencerTests {
  /// The events of a track as texts: "1.0: AVMIDINoteEvent".
  private func texts(_ track: AVMusicTrack) -> [String] {
    var texts: [String] = []
    let all = AVMakeBeatRange(0, AVMusicTimeStampEndOfTrack)
    track.enumerateEvents(in: all) { event, time, _ in
      texts.append("\(time.pointee): \(type(of: event))")
    }
    return texts
  }

  @Test("tracks keep every kind of event, with its values")
  func events() throws {
    let sequencer = AVAudioSequencer()
    let track = sequencer.createAndAppendTrack()
    let added: [AVMusicEvent] = [
      AVMIDINoteEvent(channel: 1, key: 60, velocity: 90, duration: 0.5),
      AVMIDIControlChangeEvent(channel: 2, messageType: .sustain, value: 127),
      AVMIDIPolyPressureEvent(channel: 3, key: 61, pressure: 5),
      AVMIDIProgramChangeEvent(channel: 4, programNumber: 9),
      AVMIDIChannelPressureEvent(channel: 5, pressure: 6),
      AVMIDIPitchBendEvent(channel: 6, value: 8_193),
      AVMIDISysexEvent(data: Data([0xf0, 1, 0xf7])),
      AVMIDIMetaEvent(type: .lyric, data: Data("la".utf8)),
      AVMusicUserEvent(data: Data([1, 2, 3])),
      AVExtendedNoteOnEvent(midiNote: 60.5, velocity: 70, groupID: 0, duration: 1),
      AVAUPresetEvent(scope: 0, element: 0, dictionary: ["name": "a"]),
    ]
    for (index, event) in added.enumerated() { track.addEvent(event, at: Double(index)) }
    var found: [AVMusicEvent] = []
    track.enumerateEvents(in: AVMakeBeatRange(0, 100)) { event, _, _ in found.append(event) }
    #expect(found.map { "\(type(of: $0))" } == added.map { "\(type(of: $0))" })
    let note = try #require(found[0] as? AVMIDINoteEvent)
    #expect((note.channel, note.key, note.velocity, note.duration) == (1, 60, 90, 0.5))
    let control = try #require(found[1] as? AVMIDIControlChangeEvent)
    #expect(control.channel == 2 && control.messageType == .sustain && control.value == 127)
    #expect((found[5] as? AVMIDIPitchBendEvent)?.value == 8_193)
    #expect((found[6] as? AVMIDISysexEvent)?.sizeInBytes == 3)
    #expect((found[7] as? AVMIDIMetaEvent)?.type == .lyric)
    #expect((found[8] as? AVMusicUserEvent)?.sizeInBytes == 3)
    #expect((found[9] as? AVExtendedNoteOnEvent)?.midiNote == 60.5)
    #expect((found[10] as? AVAUPresetEvent)?.presetDictionary["name"] as? String == "a")
  }

  @Test("a loop may lead to the end of the track")
  func endlessLoopRange() {
    let sequencer = AVAudioSequencer()
    let track = sequencer.createAndAppendTrack()
    track.addEvent(AVMIDINoteEvent(channel: 0, key: 60, velocity: 1, duration: 1), at: 3)
    track.loopRange = AVMakeBeatRange(1, AVMusicTimeStampEndOfTrack)
    track.isLoopingEnabled = true
    #expect(track.loopRange.start == 1 && track.loopRange.length == AVMusicTimeStampEndOfTrack)
    #expect(track.lengthInBeats == 4)
  }

  @Test("an enumeration can change events")
  func changes() {
    let sequencer = AVAudioSequencer()
    let track = sequencer.createAndAppendTrack()
    for key in [60, 61] as [UInt32] {
      track.addEvent(AVMIDINoteEvent(channel: 0, key: key, velocity: 1, duration: 1), at: 0)
    }
    track.enumerateEvents(in: AVMakeBeatRange(0, 3)) { event, time, _ in
      guard let note = event as? AVMIDINoteEvent, note.key == 60 else { return }
      note.key = 72
      time.pointee = 2
    }
    var keys: [UInt32] = []
    track.enumerateEvents(in: AVMakeBeatRange(0, 3)) { event, _, _ in
      if let note = event as? AVMIDINoteEvent { keys.append(note.key) }
    }
    #expect(keys == [61, 72])
  }

  @Test("an enumeration can move and remove events")
  func enumeration() {
    let sequencer = AVAudioSequencer()
    let track = sequencer.createAndAppendTrack()
    for index in 0..<4 {
      track.addEvent(
        AVMIDINoteEvent(channel: 0, key: UInt32(60 + index), velocity: 1, duration: 1),
        at: Double(index))
    }
    track.enumerateEvents(in: AVMakeBeatRange(0, 3)) { event, time, removes in
      let key = (event as? AVMIDINoteEvent)?.key
      if key == 60 { time.pointee = 8 }
      if key == 61 { removes.pointee = true }
    }
    #expect(texts(track) == ["2.0", "3.0", "8.0"].map { "\($0): AVMIDINoteEvent" })
    track.cutEvents(in: AVMakeBeatRange(0, 2.5))
    #expect(texts(track) == ["0.5", "5.5"].map { "\($0): AVMIDINoteEvent" })
    let other = sequencer.createAndAppendTrack()
    other.copyEvents(in: AVMakeBeatRange(0, 1), from: track, insertAt: 1)
    other.copyAndMergeEvents(in: AVMakeBeatRange(5, 1), from: track, mergeAt: 0)
    #expect(texts(other) == ["0.5", "1.5"].map { "\($0): AVMIDINoteEvent" })
    other.moveEvents(in: AVMakeBeatRange(0, 1), by: 4)
    #expect(texts(other) == ["1.5", "4.5"].map { "\($0): AVMIDINoteEvent" })
    other.clearEvents(in: AVMakeBeatRange(0, 2))
    #expect(texts(other).count == 1)
  }

  @Test("tracks are the same objects each time, and a removed one stays a source of copies")
  func tracks() {
    let sequencer = AVAudioSequencer()
    let first = sequencer.createAndAppendTrack()
    let second = sequencer.createAndAppendTrack()
    #expect(
      sequencer.tracks.map { ObjectIdentifier($0) } == [first, second].map { ObjectIdentifier($0) })
    #expect(sequencer.tempoTrack === sequencer.tempoTrack)
    first.addEvent(AVMusicUserEvent(data: Data([1])), at: 0)
    #expect(sequencer.removeTrack(first))
    #expect(!sequencer.removeTrack(first))
    second.copyEvents(in: AVMakeBeatRange(0, 1), from: first, insertAt: 0)
    #expect(texts(second).count == 1)
    #expect(sequencer.tracks.count == 1)
  }

  @Test("a file that is written loads again, in place of the tracks before")
  func files() throws {
    let sequencer = AVAudioSequencer()
    let track = sequencer.createAndAppendTrack()
    track.addEvent(AVMIDINoteEvent(channel: 0, key: 60, velocity: 90, duration: 2), at: 1)
    sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 60), at: 0)
    #expect(track.lengthInBeats == 3)
    #expect(track.lengthInSeconds == 3)
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("sequence-\(UUID().uuidString).mid")
    defer { try? FileManager.default.removeItem(at: file) }
    try sequencer.write(to: file, smpteResolution: 0, replaceExisting: false)
    #expect(throws: NSError.self) {
      try sequencer.write(to: file, smpteResolution: 0, replaceExisting: false)
    }
    let other = AVAudioSequencer()
    _ = other.createAndAppendTrack()
    _ = other.createAndAppendTrack()
    try other.load(from: file, options: [])
    #expect(other.tracks.count == 1)
    #expect(texts(other.tracks[0]) == ["1.0: AVMIDINoteEvent"])
    #expect(other.seconds(forBeats: 2) == 2)
    #expect(other.beats(forSeconds: 3) == 3)
    #expect(other.userInfo["tempo"] as? String == "60")
    #expect(throws: NSError.self) { try other.load(from: Data([1, 2, 3]), options: []) }
    #expect(other.tracks.count == 1)
    let bytes = other.data(withSMPTEResolution: 0, error: nil)
    #expect(bytes == (try Data(contentsOf: file)))
  }

  // MARK: Sound

  /// An engine that is rendered offline, with an instrument made of a tone.
  private final class Host {
    let offline: Offline
    let sampler = AVAudioUnitSampler()
    let sequencer: AVAudioSequencer
    private let folder: URL

    init() throws {
      folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("tone-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appendingPathComponent("tone-C4.wav")
      let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
      let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 48_000))
      let samples = try #require(buffer.floatChannelData)[0]
      for frame in 0..<48_000 {
        samples[frame] = 0.5 * Float(sin(2 * .pi * 480 * Double(frame) / 48_000))
      }
      buffer.frameLength = 48_000
      let writer = try AVAudioFile(forWriting: file, settings: format.settings)
      try writer.write(from: buffer)
      writer.close()
      try sampler.loadAudioFiles(at: [file])
      offline = try Offline(48_000, 2)
      offline.engine.attach(sampler)
      offline.engine.connect(sampler, to: offline.engine.mainMixerNode, format: nil)
      sequencer = AVAudioSequencer(audioEngine: offline.engine)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The frames at which notes begin, the first of which is 0: where the level rises to three quarters
    /// of the largest, after it was lower for a hundredth of a second. Until there FluidSynth raises the
    /// level of a voice at its first use more slowly than later.
    func onsets(_ frames: Int) throws -> [Int] {
      let samples = try offline.render(frames)[0]
      let limit = (samples.map(abs).max() ?? 0) * 3 / 4
      guard limit > 0.02 else { return [] }
      var onsets: [Int] = []
      var quiet = 480
      for (frame, sample) in samples.enumerated() {
        if abs(sample) >= limit {
          if quiet >= 480 { onsets.append(frame) }
          quiet = 0
        } else {
          quiet += 1
        }
      }
      return onsets.map { $0 - onsets[0] }
    }
  }

  /// Whether the notes begin at these frames. What is left of the note before may move the rise of the
  /// next by a frame or two.
  private func expect(
    _ onsets: [Int], near expected: [Int], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(onsets.count == expected.count, "\(onsets)", sourceLocation: sourceLocation)
    for (onset, frame) in zip(onsets, expected) {
      #expect(abs(onset - frame) <= 2, "\(onsets)", sourceLocation: sourceLocation)
    }
  }

  /// Whether FluidSynth is installed.
  static let isAvailable = (try? Host()) != nil

  @Test(
    "plays the first instrument of the engine, each note at its frame", .enabled(if: isAvailable))
  func sound() throws {
    let host = try Host()
    let track = host.sequencer.createAndAppendTrack()
    // A beat is 24,000 frames.
    for beat in [0.0, 1, 1.75] {
      track.addEvent(
        AVMIDINoteEvent(channel: 0, key: 60, velocity: 127, duration: 0.05), at: beat)
    }
    try host.offline.engine.start()
    try host.sequencer.start()
    expect(try host.onsets(60_000), near: [0, 24_000, 42_000])
    #expect(abs(host.sequencer.currentPositionInBeats - 2.5) < 1e-6)
    #expect(host.sequencer.isPlaying)
    host.sequencer.stop()
    #expect(!host.sequencer.isPlaying)
    #expect(abs(host.sequencer.currentPositionInSeconds - 1.25) < 1e-6)
  }

  @Test("follows destinations, loops of any range, mutes and rates", .enabled(if: isAvailable))
  func settings() throws {
    let host = try Host()
    let track = host.sequencer.createAndAppendTrack()
    for beat in [0.0, 0.5, 1] {
      track.addEvent(
        AVMIDINoteEvent(channel: 0, key: 60, velocity: 127, duration: 0.05), at: beat)
    }
    track.destinationAudioUnit = host.sampler
    track.loopRange = AVMakeBeatRange(0.25, 0.5)
    track.numberOfLoops = AVMusicTrackLoopCount.forever.rawValue
    track.isLoopingEnabled = true
    host.sequencer.rate = 2
    try host.offline.engine.start()
    try host.sequencer.start()
    // The notes at 0 and at 0.5, then the loop from 0.25 to 0.75 at double speed.
    expect(try host.onsets(30_000), near: [0, 6_000, 12_000, 18_000, 24_000])
    track.isMuted = true
    _ = try host.onsets(6_000)
    #expect(try host.onsets(20_000) == [])
  }

  @Test("an engine plays a sequence of a player", .enabled(if: isAvailable))
  func musicSequence() throws {
    let host = try Host()
    var (sequence, player, track) = (MusicSequence?.none, MusicPlayer?.none, MusicTrack?.none)
    #expect(NewMusicSequence(&sequence) == noErr)
    #expect(NewMusicPlayer(&player) == noErr)
    let (made, playing) = (try #require(sequence), try #require(player))
    #expect(MusicSequenceNewTrack(made, &track) == noErr)
    var note = MIDINoteMessage(
      channel: 0, note: 60, velocity: 127, releaseVelocity: 0, duration: 0.05)
    for beat in [0.0, 0.5] {
      #expect(MusicTrackNewMIDINoteEvent(try #require(track), beat, &note) == noErr)
    }
    host.offline.engine.musicSequence = made
    #expect(host.offline.engine.musicSequence == made)
    #expect(MusicPlayerSetSequence(playing, made) == noErr)
    try host.offline.engine.start()
    #expect(MusicPlayerStart(playing) == noErr)
    expect(try host.onsets(20_000), near: [0, 12_000])
    #expect(MusicPlayerStop(playing) == noErr)
    host.offline.engine.musicSequence = nil
    #expect(DisposeMusicPlayer(playing) == noErr)
    #expect(DisposeMusicSequence(made) == noErr)
  }
}
