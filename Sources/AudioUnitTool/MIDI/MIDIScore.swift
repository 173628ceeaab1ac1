// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
@_spi(TrappingConversions) import CheckedNumbers

/// A MIDI file as a sequence with a player, and the graph that makes its sound.
final class MIDIScore {
  let path: String
  let sequence: MusicSequence
  private let player: MusicPlayer
  private var graph: InstrumentGraph?

  /// Whether a file is a Standard MIDI File, by its first bytes.
  static func isScore(_ path: String) -> Bool {
    guard path != "-", let file = FileHandle(forReadingAtPath: path),
      let start = try? file.read(upToCount: 12)
    else { return false }
    return start.starts(with: "MThd".utf8)
      || start.starts(with: "RIFF".utf8) && start.dropFirst(8).elementsEqual("RMID".utf8)
  }

  /// Loads a file.
  init(_ path: String) throws(Failure) {
    self.path = path
    var (sequence, player) = (MusicSequence?.none, MusicPlayer?.none)
    try Failure.check(NewMusicSequence(&sequence), "Can't make a sequence")
    try Failure.check(NewMusicPlayer(&player), "Can't make a player")
    guard let sequence, let player else { throw Failure("Can't make a player") }
    (self.sequence, self.player) = (sequence, player)
    try Failure.check(
      MusicSequenceFileLoad(sequence, URL(fileURLWithPath: path) as CFURL, .midiType, []), path)
  }

  deinit {
    MusicPlayerStop(player)
    MusicPlayerSetSequence(player, nil)
    DisposeMusicPlayer(player)
    DisposeMusicSequence(sequence)
  }

  // MARK: Content

  /// Its tracks without the tempo track.
  var tracks: [MusicTrack] {
    var count: UInt32 = 0
    MusicSequenceGetTrackCount(sequence, &count)
    return (0..<count).compactMap { index in
      var track: MusicTrack?
      return MusicSequenceGetIndTrack(sequence, index, &track) == noErr ? track : nil
    }
  }

  /// The track of its tempos.
  var tempoTrack: MusicTrack? {
    var track: MusicTrack?
    return MusicSequenceGetTempoTrack(sequence, &track) == noErr ? track : nil
  }

  /// The length of a track in beats.
  static func length(_ track: MusicTrack) -> Double {
    var length = 0.0
    MusicTrackGetProperty(track, kSequenceTrackProperty_TrackLength, &length, nil)
    return length
  }

  /// Its length in seconds.
  var seconds: Double {
    var seconds = 0.0
    MusicSequenceGetSecondsForBeats(sequence, tracks.map(Self.length).max() ?? 0, &seconds)
    return seconds
  }

  // MARK: Sound

  /// Makes the graph that plays it. Returns the output's unit.
  func makeGraph(_ sound: InstrumentGraph.Sound) throws(Failure) -> AudioUnit {
    let made = try InstrumentGraph(sound)
    graph = made
    try Failure.check(MusicSequenceSetAUGraph(sequence, made.graph), "Can't use the graph")
    try Failure.check(MusicPlayerSetSequence(player, sequence), "Can't use the file")
    return made.output
  }

  /// Plays to a destination of MIDI instead of a graph.
  func setDestination(_ destination: MIDIEndpointRef) throws(Failure) {
    try Failure.check(
      MusicSequenceSetMIDIEndpoint(sequence, destination), "Can't use the destination")
    try Failure.check(MusicPlayerSetSequence(player, sequence), "Can't use the file")
  }

  // MARK: Playing

  /// Starts to play.
  func start() throws(Failure) {
    try Failure.check(MusicPlayerPreroll(player), path)
    try Failure.check(MusicPlayerStart(player), path)
  }

  /// Sets by how much it plays faster.
  func setRate(_ rate: Double) throws(Failure) {
    try Failure.check(MusicPlayerSetPlayRateScalar(player, rate), "Can't set the rate")
  }

  /// Stops or goes on.
  func setPaused(_ isPaused: Bool) throws(Failure) {
    try Failure.check(isPaused ? MusicPlayerStop(player) : MusicPlayerStart(player), path)
  }

  /// The position in seconds; setting it moves the player.
  var position: Double {
    get {
      var (beats, seconds) = (0.0, 0.0)
      MusicPlayerGetTime(player, &beats)
      MusicSequenceGetSecondsForBeats(sequence, beats, &seconds)
      return seconds
    }
    set {
      var beats = 0.0
      MusicSequenceGetBeatsForSeconds(sequence, max(0, newValue), &beats)
      MusicPlayerSetTime(player, beats)
    }
  }
}
