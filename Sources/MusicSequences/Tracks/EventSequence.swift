// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// What plays a sequence.
package protocol SequenceObserver: AnyObject, Sendable {
  /// [control thread, without the sequence's lock] Events, settings or tracks have changed.
  func sequenceChanged()
  /// [control thread, without the sequence's lock] Something else plays the sequence from now on.
  func sequenceTaken(_ sequence: EventSequence)
  /// Whether it plays now.
  var isPlaying: Bool { get }
}

/// What receives the user events of a sequence.
package struct UserCallback: @unchecked Sendable {  // the program's
  /// An event as it is played: its track, data and time in the track, and the beats of the slice.
  package struct Event {
    package let track: EventTrack
    package let data: [UInt8]
    package let time: Double
    package let sliceStart: Double
    package let sliceEnd: Double

    package init(
      track: EventTrack, data: [UInt8], time: Double, sliceStart: Double, sliceEnd: Double
    ) {
      (self.track, self.data, self.time) = (track, data, time)
      (self.sliceStart, self.sliceEnd) = (sliceStart, sliceEnd)
    }
  }

  /// [a thread of the library, without locks] Calls the program.
  package let call: (EventSequence, Event) -> Void

  package init(_ call: @escaping (EventSequence, Event) -> Void) { self.call = call }

  /// A C function with its context.
  package init(_ function: @escaping MusicSequenceUserCallback, _ context: UnsafeMutableRawPointer?)
  {
    call = { sequence, event in
      guard let handle = sequence.handle, let track = event.track.handle else { return }
      let structure = EventMessage.user(event.data).structure
      structure.withUnsafeBytes { bytes in
        guard let data = bytes.baseAddress?.assumingMemoryBound(to: MusicEventUserData.self) else {
          return
        }
        function(
          context, handle, track, event.time, data, event.sliceStart, event.sliceEnd)
      }
    }
  }
}

/// Tracks of events and a tempo track: the object behind a MusicSequence. [control thread]
package final class EventSequence: TrackOwner, @unchecked Sendable {  // guarded by `lock`
  package static let handles = HandleTable<EventSequence, MusicSequence>(kind: 0x28)

  /// Guards the sequence and its tracks.
  let lock = Lock()
  package private(set) var handle: MusicSequence?
  private var list: [EventTrack] = []
  private var tempo: EventTrack?
  private weak var player: (any SequenceObserver)?
  private var kind = MusicSequenceType.beats
  private var fileResolution: Int16 = 480
  private var midiEndpoint: MIDIEndpointRef?
  private var callback: UserCallback?
  private var tempoCache: (edits: Int, type: MusicSequenceType, map: TempoMap)?
  private var output: AnyObject?

  /// A sequence with an empty tempo track.
  package static func make() throws(AudioError) -> EventSequence {
    let sequence = EventSequence()
    sequence.tempo = try EventTrack(sequence, sequence.lock, isTempo: true)
    sequence.handle = try handles.insert(sequence)
    return sequence
  }

  private init() {}

  /// Disposes of a sequence with its tracks; refused while a player has it.
  package static func dispose(_ handle: MusicSequence) throws(AudioError) {
    guard let entered = handles.enter(handle) else { throw .stale("sequence") }
    let sequence = entered.takeUnretainedValue()
    handles.leave(handle)
    guard sequence.observer == nil else {
      throw .invalidPlayerState.because(
        "a player has the sequence; call MusicPlayerSetSequence with NULL first")
    }
    guard handles.invalidate(handle) else { throw .stale("sequence") }
    sequence.end()
    handles.finishRemoval(of: handle)
  }

  /// Ends the handles of its tracks, and what it made for its sound.
  private func end() {
    let tracks = lock.withLock {
      defer {
        list = []
        callback = nil
      }
      return list + [tempo].compactMap(\.self)
    }
    for track in tracks { track.leaveSequence() }
    sound = nil
  }

  // MARK: Tracks

  /// The tracks without the tempo track.
  package var tracks: [EventTrack] { lock.withLock { list.copied() } }

  /// The track of tempos. Only a sequence that was disposed of has none.
  package var tempoTrack: EventTrack {
    get throws(AudioError) {
      guard let tempo = lock.withLock({ tempo }) else { throw .stale("sequence") }
      return tempo
    }
  }

  /// Adds an empty track.
  @discardableResult
  package func addTrack() throws(AudioError) -> EventTrack {
    let track = try lock.withLock { () throws(AudioError) in
      guard list.count < Self.trackLimit else {
        throw .outOfMemory.because("a sequence has at most \(Self.trackLimit) tracks")
      }
      let track = try EventTrack(self, lock, isTempo: false)
      list.append(track)
      return track
    }
    if let endpoint { try track.set { $0.destination = .endpoint(endpoint) } }
    changed()
    return track
  }

  private static let trackLimit = 65_535

  /// Removes a track, which is then without a sequence.
  package func remove(_ track: EventTrack) throws(AudioError) {
    let isRemoved = lock.withLock {
      let count = list.count
      list.removeAll { $0 === track }
      return list.count < count
    }
    guard isRemoved else {
      throw .trackNotFound.because(
        track.isTempo ? "the tempo track cannot be removed" : "it belongs to another sequence")
    }
    track.leaveSequence()
    changed()
  }

  /// The track at an index.
  package func track(_ index: UInt32) throws(AudioError) -> EventTrack {
    let tracks = tracks
    guard index < tracks.count else {
      throw .trackIndex.because("index \(index); the sequence has \(tracks.count) tracks")
    }
    return tracks[Int(index)]
  }

  /// A new sequence with one track: a copy of the events of a range of a track. Returns the track.
  package static func make(copying range: Range<Double>, of source: EventTrack) throws(AudioError)
    -> EventTrack
  {
    let track = try make().addTrack()
    try track.copy(range, of: source, to: 0, makesRoom: false)
    return track
  }

  /// The index of a track.
  package func index(of track: EventTrack) throws(AudioError) -> Int {
    guard let index = tracks.firstIndex(where: { $0 === track }) else {
      throw .trackNotFound.because(
        track.isTempo ? "the tempo track has no index" : "it belongs to another sequence")
    }
    return index
  }

  /// The length of the longest track, with its offset, in beats.
  package var length: Double {
    tracks.reduce(0) { max($0, $1.length + max(0, $1.settings.offset)) }
  }

  // MARK: Values

  /// The unit of times.
  package var type: MusicSequenceType { lock.withLock { kind } }

  /// Sets the unit of times; other than beats only while there are no tempos.
  package func setType(_ new: MusicSequenceType) throws(AudioError) {
    guard [.beats, .seconds, .samples].contains(new) else {
      throw .invalidSequenceType.because("type '\(FourCharacterCode(new.rawValue))'")
    }
    let hasTempo = try tempoTrack.events.contains {
      if case .tempo = $0.message { true } else { false }
    }
    guard new == .beats || !hasTempo else {
      throw .invalidSequenceType.because("the tempo track has tempos")
    }
    lock.withLock { kind = new }
    changed()
  }

  /// The ticks of a beat, or the SMPTE resolution of a sequence in seconds.
  package var resolution: Int16 {
    get { lock.withLock { fileResolution } }
    set { lock.withLock { fileResolution = newValue } }
  }

  /// Where its tracks go by default; nil for its graph.
  package var endpoint: MIDIEndpointRef? { lock.withLock { midiEndpoint } }

  /// Sends all tracks, and those that are added, to a MIDI destination, or to the graph.
  package func setEndpoint(_ endpoint: MIDIEndpointRef?) throws(AudioError) {
    lock.withLock { midiEndpoint = endpoint }
    for track in tracks {
      try track.set { $0.destination = endpoint.map { .endpoint($0) } ?? .automatic }
    }
  }

  /// The function that receives user events.
  package var userCallback: UserCallback? {
    get { lock.withLock { callback } }
    set {
      lock.withLock { callback = newValue }
      changed()
    }
  }

  /// What makes the sound of the sequence: an object of the module that plays. Its end is that of the
  /// sequence.
  package var sound: AnyObject? {
    get { lock.withLock { output } }
    set {
      // The old one may end here, without the lock.
      let old = lock.withLock {
        defer { output = newValue }
        return output
      }
      withExtendedLifetime(old) { changed() }
    }
  }

  // MARK: Time

  /// The tempos.
  package var tempos: TempoMap {
    guard let track = try? tempoTrack else { return TempoMap() }
    return lock.withLock {
      let edits = track.editCount
      if let tempoCache, tempoCache.edits == edits, tempoCache.type == kind {
        return tempoCache.map
      }
      let map = TempoMap(
        track.events.compactMap { event in
          guard case .tempo(let tempo) = event.message else { return nil }
          return (event.time, tempo)
        }, initial: kind.initialTempo)
      tempoCache = (edits, kind, map)
      return map
    }
  }

  /// Bar, beat and part of the beat of a time.
  package func barBeatTime(_ beats: Double, divisor: UInt32) throws(AudioError) -> CABarBeatTime {
    guard beats.isFinite else { throw .invalidArgument.because("\(beats) beats") }
    return try BarMap(try tempoTrack.events).barBeatTime(beats, divisor: divisor)
  }

  /// The time of a bar, a beat and a part of it.
  package func beats(_ time: CABarBeatTime) throws(AudioError) -> Double {
    try BarMap(try tempoTrack.events).beats(time)
  }

  // MARK: Playing

  /// What plays it, if anything does.
  package var observer: (any SequenceObserver)? { lock.withLock { player } }

  /// Whether it is being played.
  package var isPlaying: Bool { observer?.isPlaying ?? false }

  /// Sets what plays it, in place of what had it before; refused if that plays it now.
  package func setObserver(_ new: any SequenceObserver) throws(AudioError) {
    let old = observer
    if let old, old !== new, old.isPlaying {
      throw .invalidPlayerState.because("another player plays the sequence")
    }
    lock.withLock { player = new }
    if let old, old !== new { old.sequenceTaken(self) }
  }

  /// Leaves it without what plays it, unless something else does by now.
  package func removeObserver(_ old: any SequenceObserver) {
    lock.withLock { if player === old { player = nil } }
  }

  /// Informs what plays it of a change.
  func changed() { observer?.sequenceChanged() }
}

extension MusicSequenceType {
  /// The tempo that gives its unit its length.
  fileprivate var initialTempo: Double {
    switch self {
    case .seconds: 60
    case .samples: 60 * 44_100
    default: TempoMap.initialTempo
    }
  }
}
