// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import MusicSequences
import Testing

@Suite("Standard MIDI Files")
struct MIDIFileTests {
  /// A note of a quarter of a beat at the start.
  private static let shortNote: [UInt8] = [0, 0x90, 60, 100, 24, 0x80, 60, 5]
  private static let end: [UInt8] = [0, 0xff, 0x2f, 0]

  @Test("notes have their length and release velocity, and others their bytes")
  func events() throws {
    let sequence = try load(
      file([
        Self.shortNote + [0, 0xb1, 7, 90, 0, 0xc2, 5, 0, 0xe3, 0, 64] + Self.end
      ]))
    let track = try #require(sequence.tracks.first)
    #expect(
      track.texts == [
        "0: note 60/0 at 100 for 0.25", "0.25: 177 7 90", "0.25: 194 5 0", "0.25: 227 0 64",
      ])
    guard case .note(let note) = track.events[0].message else { return }
    #expect(note.releaseVelocity == 5)
    #expect(sequence.resolution == 96)
  }

  @Test("running status goes on, also after meta events and system-exclusive messages")
  func runningStatus() throws {
    let sequence = try load(
      file([
        [
          0, 0x90, 60, 100, 48, 60, 0, 0, 0xff, 1, 1, 65, 0, 62, 100, 48, 62, 0, 0, 0xf0, 2, 1,
          0xf7, 0, 64, 100, 48, 64, 0,
        ] + Self.end
      ]))
    #expect(sequence.tracks[0].keys == [60, 62, 64])
    #expect(sequence.tracks[0].events.map(\.time) == [0, 0.5, 0.5, 1, 1])
  }

  @Test(
    "of two sounding notes of a key the older one ends first, and one without end lasts to the end")
  func overlaps() throws {
    let sequence = try load(
      file([
        [
          0, 0x90, 60, 1, 96, 60, 2, 96, 0x80, 60, 0, 96, 60, 0, 0, 0x90, 61, 3, 0x60, 0xff, 0x2f,
          0,
        ]
      ]))
    #expect(
      sequence.tracks[0].texts == [
        "0: note 60/0 at 1 for 2", "1: note 60/0 at 2 for 2", "3: note 61/0 at 3 for 1",
      ])
    #expect(sequence.tracks[0].length == 4)
  }

  @Test("a system-exclusive message in parts is one, and an escape stays raw")
  func exclusive() throws {
    let sequence = try load(
      file([
        [0, 0xf0, 2, 1, 2, 10, 0xf7, 2, 3, 4, 10, 0xf7, 2, 5, 0xf7, 0, 0xf7, 1, 0xf8]
          + Self.end
      ]))
    #expect(
      sequence.tracks[0].texts == [
        "0: raw [240, 1, 2, 3, 4, 5, 247]", "0.20833333333333334: raw [248]",
      ])
  }

  @Test(
    "tempos and signatures of all tracks are in the tempo track; a first track with only them is none"
  )
  func tempos() throws {
    let tempo: [UInt8] = [0, 0xff, 0x51, 3, 0x0f, 0x42, 0x40, 0, 0xff, 0x58, 4, 3, 2, 24, 8]
    let later: [UInt8] = [96, 0xff, 0x51, 3, 0x07, 0xa1, 0x20]
    let sequence = try load(file([tempo + Self.end, Self.shortNote + later + Self.end]))
    #expect(sequence.tracks.count == 1)
    #expect(
      try sequence.tempoTrack.texts == [
        "0: tempo 60", "0: meta 88 [3, 2, 24, 8]", "1.25: tempo 120",
      ])
    let named = try load(
      file([tempo + [0, 0xff, 3, 2, 72, 105] + Self.end, Self.shortNote + Self.end]))
    #expect(named.tracks.count == 2)
    #expect(named.tracks[0].texts == ["0: meta 3 [72, 105]"])
  }

  @Test("a file with SMPTE resolution is in seconds, without tempos")
  func smpte() throws {
    let sequence = try load(
      file(
        division: [0xe7, 0x28],
        [
          [0, 0xff, 0x51, 3, 0x0f, 0x42, 0x40, 0x87, 0x68, 0x90, 60, 1, 0x83, 0x74, 60, 0]
            + Self.end
        ]))
    #expect(sequence.type == .seconds)
    #expect(sequence.tracks[0].texts == ["1: note 60/0 at 1 for 0.5"])
    #expect(sequence.tempos.seconds(1) == 1)
    let written = try MIDIFileWriter.bytes(of: sequence)
    #expect(Array(written[12..<14]) == [0xe7, 0x28])
    #expect(try load(written).tracks[0].texts == sequence.tracks[0].texts)
  }

  @Test("channels become tracks, the last one has the rest")
  func channels() throws {
    let bytes = file([
      [0, 0x91, 60, 1, 96, 60, 0, 0, 0xff, 1, 1, 65] + Self.end,
      [0, 0x90, 62, 1, 96, 62, 0, 0, 0xb1, 7, 1, 0, 0xf0, 1, 0xf7] + Self.end,
    ])
    let sequence = try load(bytes, separatesChannels: true)
    #expect(
      sequence.tracks.map(\.texts) == [
        ["0: note 62/0 at 1 for 1"], ["0: note 60/1 at 1 for 1", "1: 177 7 1"],
        ["1: meta 1 [65]", "1: raw [240, 247]"],
      ])
  }

  /// Files that break a rule, and the keys that they still have in their tracks.
  static let oddFiles: [(String, [UInt8], [[UInt8]])] = {
    let track = shortNote + end
    return [
      ("a longer header", file(headerRest: [1, 2, 3], [track]), [[60]]),
      (
        "an unknown chunk before the track",
        file(tracks: 1, []) + chunk("XFIH", [1, 2, 3]) + chunk("MTrk", track), [[60]]
      ),
      ("no end of the track", file([shortNote]), [[60]]),
      ("bytes after the end", file([track + [0, 0x90, 61, 1]]), [[60]]),
      (
        "a chunk that is too long", file(tracks: 1, []) + chunk("MTrk", track, length: 9_999),
        [[60]]
      ),
      (
        "a chunk that is too short",
        file(tracks: 2, []) + chunk("MTrk", shortNote + track, length: 8) + chunk("MTrk", track),
        [[60], [60]]
      ),
      ("fewer tracks than it says", file(tracks: 60_000, [track]), [[60]]),
      ("more tracks than it says", file(tracks: 1, [track, track]), [[60]]),
      ("format 0", file(format: 0, [track]), [[60]]),
      ("format 2", file(format: 2, [track, track]), [[60], [60]]),
      ("no resolution", file(division: [0, 0], [track]), [[60]]),
      ("data without a status", file([[0, 60, 100, 0x90, 61, 1, 96, 61, 0] + end]), [[61]]),
      (
        "a length without end", file([shortNote + [0, 0xff, 1, 0xff, 0xff, 0xff, 0xff, 0x7f]]),
        [[60]]
      ),
      (
        "a delta without end", file([shortNote + [0xff, 0xff, 0xff, 0xff, 0x7f, 0x90, 61, 1]]),
        [[60]]
      ),
      ("a text past the end", file([shortNote + [0, 0xff, 1, 50, 65]]), [[60]]),
      ("a message that is cut", file([shortNote + [0, 0x90, 61]]), [[60]]),
      ("a data byte above 127", file([[0, 0x90, 60 | 0x80, 100, 24, 0x80, 60, 0] + end]), [[60]]),
      (
        "a RIFF file",
        Array("RIFF".utf8) + [0, 0, 0, 0] + Array("RMIDDISP".utf8) + [1, 0, 0, 0, 0, 0]
          + Array("data".utf8) + [0, 0, 0, 0] + file([track]), [[60]]
      ),
    ]
  }()

  @Test("what files in use contain beyond the rules is read", arguments: oddFiles.indices)
  func odd(index: Int) throws {
    let (name, bytes, keys) = Self.oddFiles[index]
    #expect(try load(bytes).tracks.map(\.keys) == keys, "\(name)")
  }

  @Test("what is no MIDI file is refused, and changes nothing")
  func noFiles() throws {
    let sequence = try load(file([Self.shortNote + Self.end]))
    let header = file([])
    for bytes in [
      [], Array("MThd".utf8), Array(header.dropLast()), file(format: 3, []),
      Array("RIFF____WAVEfmt ".utf8), [UInt8](repeating: 0, count: 100),
    ] {
      #expect(
        failure { () throws(AudioError) in try sequence.load(bytes, separatesChannels: false) }
          != noErr)
    }
    #expect(sequence.tracks.count == 1)
  }

  @Test("a saved sequence loads as it was: tracks, times, lengths, texts, bytes")
  func roundTrip() throws {
    let sequence = try EventSequence.make()
    try sequence.tempoTrack.add(0, .tempo(125))
    try sequence.tempoTrack.add(7, .tempo(100))
    try sequence.tempoTrack.add(0, .meta(0x58, [5, 3, 24, 8]))
    let first = try sequence.addTrack()
    for (time, message) in [
      (0, .meta(3, Array("Lead".utf8))), (0, note(60, 0.5)), (0.5, note(60, 0)),
      (1, note(61, 100, channel: 9)), (1.25, controller(64, 127)),
      (2, .raw([0xf0, 0x7e, 0x7f, 9, 1, 0xf7])), (3, .raw([0xfa])),
      (40, .channel(MIDIChannelMessage(status: 0xc4, data1: 12, data2: 0, reserved: 0))),
    ] as [(Double, EventMessage)] { try first.add(time, message) }
    _ = try sequence.addTrack()
    let last = try sequence.addTrack()
    try last.add(0.25, note(70, 0.25))
    try last.setLength(16)
    let loaded = try load(try MIDIFileWriter.bytes(of: sequence))
    #expect(try loaded.tempoTrack.texts == sequence.tempoTrack.texts)
    #expect(loaded.tracks.map(\.texts) == sequence.tracks.map(\.texts))
    #expect(loaded.tracks.map(\.length) == [101, 0, 16])
    #expect(loaded.resolution == 480)
  }

  @Test("at one tick notes end before others begin, and the bytes follow the standard")
  func bytes() throws {
    let sequence = try EventSequence.make()
    let track = try sequence.addTrack()
    try track.add(0, note(60, 1))
    try track.add(1, note(60, 1))
    let bytes = try MIDIFileWriter.bytes(of: sequence, resolution: 96)
    #expect(
      bytes
        == file(
          tracks: 2,
          [
            [0, 0xff, 0x2f, 0],
            [
              0, 0x90, 60, 100, 96, 0x80, 60, 64, 0, 0x90, 60, 100, 96, 0x80, 60, 64, 0, 0xff, 0x2f,
              0,
            ],
          ]))
  }

  @Test("a time that is longer than a number of a file is filled")
  func longTime() throws {
    let sequence = try EventSequence.make()
    try sequence.tempoTrack.add(1e6, .tempo(90))
    let track = try sequence.addTrack()
    try track.add(2e6, note(60))
    try track.setLength(4e6)
    let loaded = try load(try MIDIFileWriter.bytes(of: sequence))
    #expect(loaded.tracks.map(\.texts) == [track.texts])
    #expect(try loaded.tempoTrack.events.map(\.time) == [1e6])
    #expect(loaded.tracks.map(\.length) == [4e6])
  }

  @Test("what a file cannot have is left out, or refused")
  func limits() throws {
    let sequence = try EventSequence.make()
    let track = try sequence.addTrack()
    try track.add(0, .user([1, 2]))
    try track.add(0, .parameter(ParameterEvent(parameterID: 1, scope: 0, element: 0, value: 1)))
    #expect(try load(try MIDIFileWriter.bytes(of: sequence)).tracks.map(\.texts) == [[]])
    #expect(
      failure { () throws(AudioError) in
        _ = try MIDIFileWriter.bytes(of: sequence, resolution: -6_616)
      } == kAudio_ParamError)
    try track.add(1, note(60, velocity: 0))
    #expect(try load(try MIDIFileWriter.bytes(of: sequence)).tracks.map(\.texts) == [[]])
    let samples = try EventSequence.make()
    try samples.setType(.samples)
    #expect(
      failure { () throws(AudioError) in _ = try MIDIFileWriter.bytes(of: samples) }
        == kAudioToolboxErr_InvalidSequenceType)
  }

  @Test("a hundred thousand events are saved and loaded")
  func large() throws {
    let sequence = try EventSequence.make()
    let track = try sequence.addTrack()
    for index in 0..<50_000 { try track.add(Double(index) / 16, note(UInt8(index % 128), 0.5)) }
    let loaded = try load(try MIDIFileWriter.bytes(of: sequence))
    #expect(loaded.tracks[0].keys.count == 50_000)
    #expect(loaded.tracks[0].length == 50_007.0 / 16)
  }

  @Test("texts, tempo, signatures and length are its information")
  func information() throws {
    let sequence = try EventSequence.make()
    try sequence.tempoTrack.add(0, .tempo(90))
    try sequence.tempoTrack.add(0, .meta(0x58, [6, 3, 24, 8]))
    let track = try sequence.addTrack()
    try track.add(0, .meta(3, Array("Bär".utf8)))
    try track.add(0, .meta(2, [0x42, 0xe4, 0x72]))
    try track.add(0, .meta(0x59, [0xfe, 1]))
    try track.add(2, note(60, 1))
    #expect(
      sequence.info == [
        "tempo": .string("90"), "time signature": .string("6/8"), "title": .string("Bär"),
        "copyright": .string("Bär"), "key signature": .string("G minor"),
        "approximate duration in seconds": .string("2"),
      ])
  }
}
