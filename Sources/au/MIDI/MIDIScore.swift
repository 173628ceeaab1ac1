// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
@_spi(TrappingConversions) import CheckedNumbers

/// A MIDI file as a sequence with a player, and the graph that makes its sound.
final class MIDIScore {
  let path: String
  let sequence: MusicSequence
  private let player: MusicPlayer
  private var graph: AUGraph?

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
    if let graph { DisposeAUGraph(graph) }
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

  /// What plays it.
  struct Sound {
    /// The path of the bank; nil for that of the system.
    var bank: String?
    /// The rate of a graph that is rendered; nil for one of a device.
    var sampleRate: Double?
  }

  /// Makes the graph: an instrument and an output. Returns the output's unit.
  func makeGraph(_ sound: Sound) throws(Failure) -> AudioUnit {
    var made: AUGraph?
    try Failure.check(NewAUGraph(&made), "Can't make a graph")
    guard let made else { throw Failure("Can't make a graph") }
    graph = made
    let instrument = try add(kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth, to: made)
    let output = try add(
      kAudioUnitType_Output,
      sound.sampleRate == nil ? kAudioUnitSubType_DefaultOutput : kAudioUnitSubType_GenericOutput,
      to: made)
    try Failure.check(AUGraphOpen(made), "Can't open the graph")
    if let bank = sound.bank { try load(bank, into: unit(instrument, of: made)) }
    if let rate = sound.sampleRate {
      for node in [instrument, output] { try setRate(rate, of: unit(node, of: made)) }
    }
    try Failure.check(
      AUGraphConnectNodeInput(made, instrument, 0, output, 0), "Can't connect the units")
    try Failure.check(MusicSequenceSetAUGraph(sequence, made), "Can't use the graph")
    try Failure.check(MusicPlayerSetSequence(player, sequence), "Can't use the file")
    return try unit(output, of: made)
  }

  private func add(_ type: OSType, _ subType: OSType, to graph: AUGraph) throws(Failure) -> AUNode {
    var description = AudioComponentDescription(
      componentType: type, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
    var node = AUNode()
    try Failure.check(AUGraphAddNode(graph, &description, &node), "Can't make a unit")
    return node
  }

  private func unit(_ node: AUNode, of graph: AUGraph) throws(Failure) -> AudioUnit {
    var unit: AudioUnit?
    try Failure.check(AUGraphNodeInfo(graph, node, nil, &unit), "Can't make a unit")
    guard let unit else { throw Failure("Can't make a unit") }
    return unit
  }

  private func load(_ bank: String, into unit: AudioUnit) throws(Failure) {
    let url = URL(fileURLWithPath: bank) as NSURL
    var address: UnsafeRawPointer? = UnsafeRawPointer(Unmanaged.passUnretained(url).toOpaque())
    let status = withExtendedLifetime(url) {
      AudioUnitSetProperty(
        unit, kMusicDeviceProperty_SoundBankURL, kAudioUnitScope_Global, 0, &address,
        UInt32(clamping: MemoryLayout<UnsafeRawPointer>.size))
    }
    try Failure.check(status, bank)
  }

  private func setRate(_ rate: Double, of unit: AudioUnit) throws(Failure) {
    var format = AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2,
      mBitsPerChannel: 32, mReserved: 0)
    try Failure.check(
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format,
        UInt32(clamping: MemoryLayout.size(ofValue: format))), "Can't set the format")
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
