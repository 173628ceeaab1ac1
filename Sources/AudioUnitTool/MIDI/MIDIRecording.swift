// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Messages as a sequence, with a track for each source. It begins with the first message.
final class MIDIRecording {
  /// A tick is about a millisecond.
  private static let (beatsPerMinute, ticksPerBeat) = (120.0, Int16(480))

  private struct Key: Hashable {
    var source: String
    var channel: UInt8
    var number: UInt8
  }

  private let sequence: MusicSequence
  private var tracks: [String: MusicTrack] = [:]
  private var held: [Key: (beat: Double, velocity: UInt8)] = [:]
  private var begin: Double?
  private var end = 0.0
  /// The notes, and the other messages, of the file.
  private(set) var noteCount = 0
  private(set) var otherCount = 0

  /// An empty recording.
  init() throws(Failure) {
    var made: MusicSequence?
    try Failure.check(NewMusicSequence(&made), "Can't make a sequence")
    guard let made else { throw Failure("Can't make a sequence") }
    sequence = made
    var tempos: MusicTrack?
    try Failure.check(MusicSequenceGetTempoTrack(made, &tempos), "Can't make a sequence")
    if let tempos {
      try Failure.check(
        MusicTrackNewExtendedTempoEvent(tempos, 0, Self.beatsPerMinute), "Can't set the tempo")
    }
  }

  deinit { DisposeMusicSequence(sequence) }

  /// Whether nothing was added.
  var isEmpty: Bool { begin == nil }
  /// From the first message to the last, or to the end of a note that was still held.
  var seconds: Double { end - (begin ?? end) }

  /// Adds a message. Clock and other messages of the system, which files do not have, are left out.
  func add(_ bytes: [UInt8], from source: String, at time: Double) throws(Failure) {
    guard let status = bytes.first, status <= 0xF0 else { return }
    if begin == nil { begin = time }
    end = max(end, time)
    let track = try track(of: source)
    switch status & 0xF0 {
    case 0x80, 0x90:
      guard bytes.count == 3 else { return }
      let key = Key(source: source, channel: status & 15, number: bytes[1])
      let isOn = status >= 0x90 && bytes[2] > 0
      try endNote(key, release: isOn || status >= 0x90 ? 0 : bytes[2])
      if isOn { held[key] = (beats, bytes[2]) }
    case 0xF0:
      otherCount += 1
      try addRaw(bytes, to: track)
    default:
      guard bytes.count > 1 else { return }
      otherCount += 1
      var message = MIDIChannelMessage(
        status: status, data1: bytes[1], data2: bytes.count > 2 ? bytes[2] : 0, reserved: 0)
      try Failure.check(MusicTrackNewMIDIChannelEvent(track, beats, &message), source)
    }
  }

  /// The beats from the first message to the last.
  private var beats: Double { seconds * Self.beatsPerMinute / 60 }

  private func endNote(_ key: Key, release: UInt8) throws(Failure) {
    guard let note = held.removeValue(forKey: key), let track = tracks[key.source] else { return }
    noteCount += 1
    var message = MIDINoteMessage(
      channel: key.channel, note: key.number, velocity: note.velocity, releaseVelocity: release,
      duration: Float(max(beats - note.beat, 1 / Double(Self.ticksPerBeat))))
    try Failure.check(MusicTrackNewMIDINoteEvent(track, note.beat, &message), key.source)
  }

  /// Ends the notes whose keys are still down.
  func finish(at time: Double) throws(Failure) {
    guard !held.isEmpty else { return }
    end = max(end, time)
    for key in held.keys { try endNote(key, release: 0) }
  }

  private func track(of source: String) throws(Failure) -> MusicTrack {
    if let track = tracks[source] { return track }
    var made: MusicTrack?
    try Failure.check(MusicSequenceNewTrack(sequence, &made), "Can't make a track")
    guard let made else { throw Failure("Can't make a track") }
    tracks[source] = made
    // Type 3 is the name of the track.
    let name = Array(source.utf8)
    try Self.withMemory([3, 0, 0, 0], name) { memory throws(Failure) in
      let event = memory.assumingMemoryBound(to: MIDIMetaEvent.self)
      try Failure.check(MusicTrackNewMetaEvent(made, 0, event), source)
    }
    return made
  }

  private func addRaw(_ bytes: [UInt8], to track: MusicTrack) throws(Failure) {
    try Self.withMemory([], bytes) { memory throws(Failure) in
      let event = memory.assumingMemoryBound(to: MIDIRawData.self)
      try Failure.check(
        MusicTrackNewMIDIRawDataEvent(track, beats, event), "Can't record a message")
    }
  }

  /// The structure of an event that ends with a number of bytes, and these.
  private static func withMemory(
    _ head: [UInt8], _ bytes: [UInt8],
    _ body: (UnsafeRawPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let all = head + withUnsafeBytes(of: UInt32(clamping: bytes.count)) { Array($0) } + bytes
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: all.count + 12, alignment: 8)
    defer { memory.deallocate() }
    memory.copyBytes(from: all)
    guard let start = memory.baseAddress else { return }
    try body(UnsafeRawPointer(start))
  }

  /// Writes a Standard MIDI File.
  func write(to path: String) throws(Failure) {
    try Failure.check(
      MusicSequenceFileCreate(
        sequence, URL(fileURLWithPath: path) as CFURL, .midiType, .eraseFile, Self.ticksPerBeat),
      path)
  }
}
