// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox
import MusicPlayers
import MusicSequences

/// Plays tracks of musical events with the instruments of an engine, or to MIDI destinations.
/// [control thread]
///
/// Its events are at their frames, also when the engine renders for the program. It plays while the
/// engine runs. Tracks without a destination go to the first instrument that was attached to the
/// engine.
open class AVAudioSequencer: NSObject, @unchecked Sendable {  // the parts are safe for threads
  private let sequence: EventSequence
  private let player: SequencePlayer
  private let known = Guarded<[ObjectIdentifier: AVMusicTrack]>([:])
  private(set) weak var audioEngine: AVAudioEngine?

  /// A sequencer without an engine, whose tracks go to MIDI destinations.
  public override init() {
    (sequence, player) = Self.parts()
    super.init()
  }

  private static func parts() -> (EventSequence, SequencePlayer) {
    orEnd {
      let (sequence, player) = (try EventSequence.make(), try SequencePlayer(makesGraph: false))
      try player.set(sequence)
      return (sequence, player)
    }
  }

  /// A sequencer of an engine.
  public init(audioEngine engine: AVAudioEngine) {
    (sequence, player) = Self.parts()
    super.init()
    audioEngine = engine
    sequence.sound = engine.core.sound
  }

  deinit {
    player.end()
    if let handle = sequence.handle { try? EventSequence.dispose(handle) }
  }

  // MARK: Files

  /// Loads a Standard MIDI File, in place of the present tracks. Throws if it cannot be read; then
  /// nothing has changed.
  open func load(from fileURL: URL, options: AVMusicSequenceLoadOptions = []) throws {
    let bytes = try rethrow("load(from:options:)") { () throws(AudioError) in
      try FileBytes.read(fileURL.path, limit: MIDIFileReader.byteLimit)
    }
    try load(bytes, options)
  }

  /// As above, from memory.
  open func load(from data: Data, options: AVMusicSequenceLoadOptions = []) throws {
    try load(Array(data), options)
  }

  private func load(_ bytes: [UInt8], _ options: AVMusicSequenceLoadOptions) throws {
    try rethrow("load(from:options:)") { () throws(AudioError) in
      // It is read once before anything changes.
      _ = try MIDIFileReader.read(bytes)
      for track in sequence.tracks {
        try sequence.remove(track)
        known.withLock { $0[ObjectIdentifier(track)] = nil }
      }
      try sequence.tempoTrack.clear(-1 ..< .infinity)
      try sequence.load(bytes, separatesChannels: options.contains(.smfChannelsToTracks))
    }
  }

  /// Writes a Standard MIDI File of format 1. `resolution` is the ticks of a beat; 0 for those of the
  /// tempo track. Throws if the file exists and is not to be replaced.
  open func write(
    to fileURL: URL, smpteResolution resolution: Int, replaceExisting replace: Bool
  ) throws {
    try rethrow("write(to:smpteResolution:replaceExisting:)") { () throws(AudioError) in
      try FileBytes.write(
        MIDIFileWriter.bytes(of: sequence, resolution: Int16(clamping: resolution)),
        to: fileURL.path, replaces: replace)
    }
  }

  /// The bytes of a Standard MIDI File; empty, with an error, if it cannot be made.
  open func data(
    withSMPTEResolution SMPTEResolution: Int, error outError: UnsafeMutablePointer<NSError?>?
  ) -> Data {
    do {
      return try rethrow("data(withSMPTEResolution:error:)") { () throws(AudioError) in
        Data(
          try MIDIFileWriter.bytes(of: sequence, resolution: Int16(clamping: SMPTEResolution)))
      }
    } catch {
      outError?.pointee = error as NSError
      return Data()
    }
  }

  private func rethrow<Result>(
    _ call: String, _ body: () throws(AudioError) -> Result
  ) throws -> Result {
    do throws(AudioError) { return try body() } catch {
      throw EngineError.failed("AVAudioSequencer.\(call)", error)
    }
  }

  // MARK: Tracks

  /// The tracks without the tempo track.
  open var tracks: [AVMusicTrack] { sequence.tracks.map(track) }

  /// The track of tempos, time signatures and SMPTE offsets.
  open var tempoTrack: AVMusicTrack { track(orEnd { try sequence.tempoTrack }) }

  private func track(_ track: EventTrack) -> AVMusicTrack {
    known.withLock { known in
      if let found = known[ObjectIdentifier(track)], found.track === track { return found }
      let made = AVMusicTrack(track, of: self)
      known[ObjectIdentifier(track)] = made
      return made
    }
  }

  /// Adds an empty track.
  open func createAndAppendTrack() -> AVMusicTrack {
    track(
      orEnd {
        try EngineError.refuse(
          "AVAudioSequencer.createAndAppendTrack()", "remove a track first"
        ) { () throws(AudioError) in try sequence.addTrack() }
      })
  }

  /// Removes a track; false if it is not one of this sequencer. The track stays usable as a source of
  /// copies.
  open func removeTrack(_ track: AVMusicTrack) -> Bool {
    guard (try? sequence.remove(track.track)) != nil else { return false }
    known.withLock { $0[ObjectIdentifier(track.track)] = nil }
    return true
  }

  /// Reverses events and tempos.
  open func reverseEvents() { orEnd { try sequence.reverse() } }

  /// Sets the block that receives user events, or none.
  open func setUserCallback(_ userCallback: AVAudioSequencerUserCallback?) {
    sequence.userCallback = userCallback.map { block in
      UserCallback { [weak self] _, event in
        guard let self else { return }
        block(track(event.track), Data(event.data), event.time)
      }
    }
  }

  /// Texts and tempo, by the values of `InfoDictionaryKey`.
  open var userInfo: [String: Any] {
    sequence.info.compactMapValues(\.string)
  }

  /// The keys of `userInfo`.
  public struct InfoDictionaryKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    /// A key.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The keys that a MIDI file may have.
    public static let title = Self(rawValue: kAFInfoDictionary_Title)
    /// Who has the rights.
    public static let copyright = Self(rawValue: kAFInfoDictionary_Copyright)
    /// Texts of any kind.
    public static let comments = Self(rawValue: kAFInfoDictionary_Comments)
    /// Beats per minute at the beginning.
    public static let tempo = Self(rawValue: kAFInfoDictionary_Tempo)
    /// The time signature at the beginning.
    public static let timeSignature = Self(rawValue: kAFInfoDictionary_TimeSignature)
    /// The key at the beginning.
    public static let keySignature = Self(rawValue: kAFInfoDictionary_KeySignature)
    /// The length of the longest track.
    public static let approximateDurationInSeconds = Self(
      rawValue: kAFInfoDictionary_ApproximateDurationInSeconds)
  }

  // MARK: Time

  /// The seconds from the start to a beat.
  open func seconds(forBeats beats: AVMusicTimeStamp) -> TimeInterval {
    sequence.tempos.seconds(beats)
  }

  /// The beat at some seconds from the start.
  open func beats(forSeconds seconds: TimeInterval) -> AVMusicTimeStamp {
    sequence.tempos.beats(seconds)
  }

  /// The position; it may be set while the sequencer plays.
  open var currentPositionInBeats: TimeInterval {
    get { player.time }
    set { try? player.seek(newValue) }
  }

  /// The position in seconds, at the tempos of the sequence.
  open var currentPositionInSeconds: TimeInterval {
    get { sequence.tempos.seconds(player.time) }
    set { try? player.seek(sequence.tempos.beats(newValue)) }
  }

  /// The host time of a beat; 0, with an error, if the sequencer does not play, or started later.
  open func hostTime(
    forBeats inBeats: AVMusicTimeStamp, error outError: UnsafeMutablePointer<NSError?>?
  ) -> UInt64 {
    do {
      return try rethrow("hostTime(forBeats:error:)") { () throws(AudioError) in
        try player.hostTime(inBeats)
      }
    } catch {
      outError?.pointee = error as NSError
      return 0
    }
  }

  /// The beat of a host time; 0, with an error, if the sequencer does not play, or started later.
  open func beats(
    forHostTime inHostTime: UInt64, error outError: UnsafeMutablePointer<NSError?>?
  ) -> AVMusicTimeStamp {
    do {
      return try rethrow("beats(forHostTime:error:)") { () throws(AudioError) in
        try player.beats(inHostTime)
      }
    } catch {
      outError?.pointee = error as NSError
      return 0
    }
  }

  // MARK: Playing

  /// Whether it plays: also after the last event, until it is stopped.
  open var isPlaying: Bool { player.isPlaying }

  /// By how much it plays faster; 1 at first. A rate that is not positive changes nothing.
  open var rate: Float {
    get { Float(player.rate) }
    set { try? player.setRate(Double(newValue)) }
  }

  /// Prepares the events, so that the start is quick.
  open func prepareToPlay() { try? player.prepare() }

  /// Plays from the position on; prepares first if needed.
  open func start() throws {
    try rethrow("start()") { () throws(AudioError) in try player.play() }
  }

  /// Stops, ends the sounding notes, and keeps the position.
  open func stop() { player.stop() }
}
