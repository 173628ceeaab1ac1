// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// What a track belongs to.
protocol TrackOwner: AnyObject {
  /// [control thread, without its lock] Events or settings of a track have changed.
  func changed()
}

/// A list of events with settings: the object behind a MusicTrack. [control thread]
///
/// It belongs to a sequence, whose lock guards it. Once removed it lives as long as somebody uses it.
package final class EventTrack: @unchecked Sendable {  // guarded by `lock`
  package static let handles = HandleTable<EventTrack, MusicTrack>(kind: 0x29)

  /// Whether it is the tempo track of its sequence.
  package let isTempo: Bool
  let lock: Lock
  private weak var currentOwner: (any TrackOwner)?
  private var currentHandle: MusicTrack?
  private var list = TrackEvents()
  private var values = TrackSettings()
  private var edits = 0

  /// An empty track, which its owner's lock guards.
  init(_ owner: any TrackOwner, _ lock: Lock, isTempo: Bool) throws(AudioError) {
    self.isTempo = isTempo
    self.lock = lock
    currentOwner = owner
    currentHandle = try Self.handles.insert(self)
  }

  /// What it belongs to; nil after it was removed.
  var owner: (any TrackOwner)? { lock.withLock { currentOwner } }
  /// Its handle in the C API; nil after it was removed.
  package var handle: MusicTrack? { lock.withLock { currentHandle } }

  /// Takes it out of its sequence: its handle ends, and it has no sequence any more.
  func leaveSequence() {
    let handle = lock.withLock {
      defer {
        currentOwner = nil
        currentHandle = nil
      }
      return currentHandle
    }
    guard let handle, Self.handles.invalidate(handle) else { return }
    Self.handles.finishRemoval(of: handle)
  }

  // MARK: Reading

  /// Runs `body` on the events, which it only reads.
  package func read<Result, Failure>(_ body: (inout TrackEvents) throws(Failure) -> Result)
    throws(Failure) -> Result
  {
    try lock.withLock { () throws(Failure) in try body(&list) }
  }

  /// All events.
  package var events: [MusicEvent] { read { $0.all } }
  /// How often its events have changed.
  package var editCount: Int { lock.withLock { edits } }
  /// What the program has set.
  package var settings: TrackSettings { lock.withLock { values } }

  /// The length in beats: the set one, or the end of the last event.
  package var length: Double {
    lock.withLock { max(values.length, list.end) }
  }

  // MARK: Changing

  /// Changes the events, then informs what plays the sequence.
  @discardableResult
  package func edit<Result>(
    _ body: (inout TrackEvents) throws(AudioError) -> Result
  ) throws(AudioError) -> Result {
    let result = try lock.withLock { () throws(AudioError) in
      defer { edits += 1 }
      return try body(&list)
    }
    owner?.changed()
    return result
  }

  /// Changes the settings, then informs what plays the sequence.
  package func set(_ body: (inout TrackSettings) throws(AudioError) -> Void) throws(AudioError) {
    try lock.withLock { () throws(AudioError) in try body(&values) }
    owner?.changed()
  }

  /// Adds an event, if the track takes its type.
  package func add(_ time: Double, _ message: EventMessage) throws(AudioError) {
    let time = try EventTime.checked(time)
    let message = try accepted(message)
    try edit { $0.add(time, message) }
  }

  /// Adds events that were checked, in order.
  func addAll(_ events: [(time: Double, message: EventMessage)]) {
    try? edit { list in for event in events { list.add(event.time, event.message) } }
  }

  /// The event as this track keeps it: the tempo track turns a tempo of a file into one in beats per
  /// minute. Throws if the track does not take this type.
  package func accepted(_ message: EventMessage) throws(AudioError) -> EventMessage {
    switch message {
    case .tempo:
      guard isTempo else { throw .invalidEventType.because("a tempo in a track of events") }
    case .meta(let type, let bytes) where isTempo:
      guard [0x51, 0x54, 0x58].contains(type) else {
        throw .invalidEventType.because("meta event \(type) in the tempo track")
      }
      if type == 0x51, let tempo = MIDIFileTempo.beatsPerMinute(bytes) { return .tempo(tempo) }
    case .parameter:
      if isTempo { throw .invalidEventType.because("a parameter in the tempo track") }
    default:
      if isTempo { throw .invalidEventType.because("type \(message.type) in the tempo track") }
      if settings.isAutomated {
        throw .invalidEventType.because("a track of automated parameters takes only parameters")
      }
    }
    return message
  }
}

extension HandleTable where Object: SendableMetatype, Handle: SendableMetatype {
  /// [the thread that invalidated the handle] Lets go of the object, once nothing uses it any more:
  /// now, or on another thread if this one may be using it.
  package func finishRemoval(of handle: Handle) {
    guard users(of: handle) > 0 else {
      _ = release(handle)
      return
    }
    Notifier.disposal.perform { [number = handle.number] in
      if let handle = Handle(bitPattern: number) { _ = release(handle) }
    }
  }
}

extension TrackEvents {
  /// The end of the last note or event; 0 if there is none.
  var end: Double {
    mutating get {
      // A long note may end after later ones.
      all.reduce(0) { max($0, $1.end) }
    }
  }
}
