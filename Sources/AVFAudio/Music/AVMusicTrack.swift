// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox
import MusicPlayers
import MusicSequences

/// A track of a sequencer. Calls that break a rule end the program with a sentence that names it.
/// [control thread]
open class AVMusicTrack: NSObject, @unchecked Sendable {  // what changes is guarded
  let track: EventTrack
  private weak var sequencer: AVAudioSequencer?
  private let chosen = Guarded(Chosen())

  /// What the track of the sequence does not have in this form.
  private struct Chosen {
    var unit: AVAudioUnit?
    var isLooping = false
    var loopRange: AVBeatRange?
    var loopCount = 1
  }

  init(_ track: EventTrack, of sequencer: AVAudioSequencer) {
    self.track = track
    self.sequencer = sequencer
  }

  private func orRefuse<Result>(
    _ call: String, _ mend: String, _ body: () throws(AudioError) -> Result
  ) -> Result { orEnd { try EngineError.refuse("AVMusicTrack.\(call)", mend, body) } }

  // MARK: Destination

  /// The unit that plays the track; nil for the first instrument that was attached to the engine. It
  /// must be attached to the engine of the sequencer, and cannot change while that plays.
  open var destinationAudioUnit: AVAudioUnit? {
    get { chosen.withLock { $0.unit } }
    set {
      checkIsStopped("destinationAudioUnit")
      if let newValue, newValue.engine == nil || newValue.engine !== sequencer?.audioEngine {
        orEnd {
          throw EngineError.refusal(
            "AVMusicTrack.destinationAudioUnit",
            "the unit is not attached to the engine of the "
              + "sequencer", mend: "attach it first")
        }
      }
      chosen.withLock { $0.unit = newValue }
      let destination = newValue.map { TrackDestination.unit(UInt(bitPattern: $0.audioUnit)) }
      orRefuse("destinationAudioUnit", "attach a unit to the engine of the sequencer") {
        () throws(AudioError) in
        try track.set { $0.destination = destination ?? .automatic }
      }
    }
  }

  /// The MIDI destination of the track, instead of a unit; 0 for none. It cannot change while the
  /// sequencer plays.
  open var destinationMIDIEndpoint: MIDIEndpointRef {
    get { (try? track.endpoint) ?? 0 }
    set {
      checkIsStopped("destinationMIDIEndpoint")
      chosen.withLock { $0.unit = nil }
      orRefuse("destinationMIDIEndpoint", "pass a destination of MIDI, or 0") {
        () throws(AudioError) in
        try track.set { $0.destination = newValue == 0 ? .automatic : .endpoint(newValue) }
      }
    }
  }

  private func checkIsStopped(_ call: String) {
    guard sequencer?.isPlaying == true else { return }
    orEnd {
      throw EngineError.refusal(
        "AVMusicTrack.\(call)", "the sequencer plays", mend: "stop it first",
        kAudioToolboxErr_InvalidPlayerState)
    }
  }

  // MARK: Loops

  /// The beats that repeat; the whole track unless it was set. A length of
  /// `AVMusicTimeStampEndOfTrack` leads to the end of the track.
  open var loopRange: AVBeatRange {
    get { chosen.withLock { $0.loopRange } ?? AVBeatRange(start: 0, length: lengthInBeats) }
    set {
      chosen.withLock { $0.loopRange = newValue }
      applyLoop()
    }
  }

  /// Whether beats repeat; at first they do not.
  open var isLoopingEnabled: Bool {
    get { chosen.withLock { $0.isLooping } }
    set {
      chosen.withLock { $0.isLooping = newValue }
      applyLoop()
    }
  }

  /// How often the beats are played: 1 or more, or `AVMusicTrackLoopCount.forever`.
  open var numberOfLoops: Int {
    get { chosen.withLock { $0.loopCount } }
    set {
      orRefuse("numberOfLoops", "set the number of times, or AVMusicTrackLoopCount.forever") {
        () throws(AudioError) in
        guard newValue > 0 || newValue == AVMusicTrackLoopCount.forever.rawValue else {
          throw .invalidArgument.because("\(newValue) loops; expected 1 or more, or -1")
        }
      }
      chosen.withLock { $0.loopCount = newValue }
      applyLoop()
    }
  }

  private func applyLoop() {
    let (isLooping, range, count) = chosen.withLock { ($0.isLooping, $0.loopRange, $0.loopCount) }
    orRefuse("loopRange", "begin at beat 0 or later, with a length above 0") {
      () throws(AudioError) in
      if let range {
        guard range.start >= 0, range.start < EventTime.limit, range.length > 0 else {
          throw .invalidArgument.because("a loop of \(range.length) beats from \(range.start)")
        }
      }
      try track.set { settings in
        settings.loopCount = count < 0 ? 0 : Int32(clamping: count)
        let end = range.map { $0.start + $0.length } ?? .infinity
        let hasEnd = end < EventTime.limit
        settings.loopEnd = isLooping && hasEnd ? end : nil
        // Without an end its start counts, however long the track is.
        settings.loopStart = isLooping && !hasEnd ? range?.start : nil
        settings.loopDuration = isLooping ? min(range?.length ?? .infinity, EventTime.limit) : 0
      }
    }
  }

  // MARK: Values

  /// By how many beats its events come later; 0 at first.
  open var offsetTime: AVMusicTimeStamp {
    get { track.settings.offset }
    set {
      orRefuse("offsetTime", "use a number of beats below 1e9") { () throws(AudioError) in
        try track.setOffset(newValue)
      }
    }
  }

  /// Whether its events are not sent.
  open var isMuted: Bool {
    get { track.settings.isMuted }
    set { try? track.set { $0.isMuted = newValue } }
  }

  /// Whether only this track, and others with this value, are sent.
  open var isSoloed: Bool {
    get { track.settings.isSoloed }
    set { try? track.set { $0.isSoloed = newValue } }
  }

  /// Its length in beats: the set one, or the end of its last event.
  open var lengthInBeats: AVMusicTimeStamp {
    get { track.length }
    set {
      orRefuse("lengthInBeats", "use a length from 0 to 1e9 beats") { () throws(AudioError) in
        try track.setLength(newValue)
      }
    }
  }

  /// Its length in seconds, at the tempos of the sequencer.
  open var lengthInSeconds: TimeInterval {
    get { tempos.seconds(track.length) }
    set { lengthInBeats = tempos.beats(newValue) }
  }

  private var tempos: TempoMap { track.sequence?.tempos ?? TempoMap() }

  /// The ticks of a beat in a file: that of the tempo track counts.
  open var timeResolution: Int { Int(track.sequence?.resolution ?? 480) }

  /// Whether its events are points of the curves of parameters. A track with other events cannot be
  /// one of parameters, and ends the program.
  open var usesAutomatedParameters: Bool {
    get { track.settings.isAutomated }
    set {
      orRefuse("usesAutomatedParameters", "remove the other events first, or use another track") {
        () throws(AudioError) in
        try track.setAutomated(newValue)
      }
    }
  }

  // MARK: Events

  /// Adds an event. The first parameter of an empty track makes it one of automated parameters.
  open func addEvent(_ event: AVMusicEvent, at beat: AVMusicTimeStamp) {
    orRefuse(
      "addEvent(_:at:)", "add it with values and at a beat that events have, to a track of its kind"
    ) { () throws(AudioError) in
      let message = try event.message()
      if case .parameter = message, !track.settings.isAutomated {
        guard track.events.isEmpty else {
          throw .invalidEventType.because(
            "parameters belong in a track of their own, and this one has other events")
        }
        try track.setAutomated(true)
      }
      try track.add(beat, message)
    }
  }

  /// Moves the events of a range by some beats.
  open func moveEvents(in range: AVBeatRange, by beatAmount: AVMusicTimeStamp) {
    orRefuse("moveEvents(in:by:)", "move by fewer beats, and begin the range before its end") {
      () throws(AudioError) in
      try track.move(try Self.beats(range), by: beatAmount)
    }
  }

  /// Removes the events of a range.
  open func clearEvents(in range: AVBeatRange) {
    orRefuse("clearEvents(in:)", "begin the range before its end") { () throws(AudioError) in
      track.clear(try Self.beats(range))
    }
  }

  /// Removes the events of a range, and closes the gap.
  open func cutEvents(in range: AVBeatRange) {
    orRefuse("cutEvents(in:)", "begin the range before its end") { () throws(AudioError) in
      track.cut(try Self.beats(range))
    }
  }

  /// Copies the events of a range of a track to a time of this one, whose later events first move by
  /// the length of the range.
  open func copyEvents(
    in range: AVBeatRange, from sourceTrack: AVMusicTrack,
    insertAt insertStartBeat: AVMusicTimeStamp
  ) {
    orRefuse(
      "copyEvents(in:from:insertAt:)",
      "copy from a track of the same kind, to a beat that leaves room"
    ) { () throws(AudioError) in
      try track.copy(
        try Self.beats(range), of: sourceTrack.track, to: insertStartBeat, makesRoom: true)
    }
  }

  /// Copies the events of a range of a track among those of this one.
  open func copyAndMergeEvents(
    in range: AVBeatRange, from sourceTrack: AVMusicTrack,
    mergeAt mergeStartBeat: AVMusicTimeStamp
  ) {
    orRefuse(
      "copyAndMergeEvents(in:from:mergeAt:)",
      "copy from a track of the same kind, to a beat that leaves room"
    ) { () throws(AudioError) in
      try track.copy(
        try Self.beats(range), of: sourceTrack.track, to: mergeStartBeat, makesRoom: false)
    }
  }

  /// Passes each event of a range to a block, which may change it, its time, and remove it. What the
  /// block changes takes effect afterwards.
  open func enumerateEvents(in range: AVBeatRange, using block: AVMusicEventEnumerationBlock) {
    orRefuse("enumerateEvents(in:using:)", "leave events the values and beats that events have") {
      () throws(AudioError) in
      let beats = try Self.beats(range)
      let events = track.read { list in Array(list.all[list.indices(in: beats)]) }
      for event in events {
        let object = AVMusicEvent.of(event.message)
        let before = try? object.message().structure
        var time = event.time
        var isRemoved = ObjCBool(false)
        block(object, &time, &isRemoved)
        let change = try isRemoved.boolValue ? nil : Self.change(of: event, to: object, before)
        guard isRemoved.boolValue || change != nil || time != event.time else { continue }
        let newTime = try isRemoved.boolValue ? 0 : EventTime.checked(time)
        let newMessage = try change.map { message throws(AudioError) in
          try track.accepted(message)
        }
        try track.edit { list in
          guard let index = list.index(of: event.serial, near: event.time) else { return }
          if isRemoved.boolValue { return list.remove(at: index) }
          if let newMessage { list.set(newMessage, at: index) }
          if newTime != event.time { _ = list.move(index, to: newTime) }
        }
      }
    }
  }

  /// What an event says after a program has changed its object; nil if that is the same. `before` is
  /// what the object said at first.
  private static func change(of event: MusicEvent, to object: AVMusicEvent, _ before: [UInt8]?)
    throws(AudioError) -> EventMessage?
  {
    // An event that has no object of its own stays as it is.
    guard let before else { return nil }
    let message = try object.message()
    guard message.structure != before else { return nil }
    guard case .note(var note) = message, case .note(let old) = event.message else {
      return message
    }
    note.releaseVelocity = old.releaseVelocity
    return .note(note)
  }

  private static func beats(_ range: AVBeatRange) throws(AudioError) -> Range<Double> {
    try EventTime.range(range.start, range.start + range.length)
  }
}
