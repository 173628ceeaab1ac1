// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import MusicSequences

/// Where an event goes. Plain memory.
struct PlayTarget: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable { case nothing, unit, endpoint }

  let kind: Kind
  /// The handle of a unit, or the number of an endpoint.
  let number: UInt
  /// The frames of the unit that one frame of the plan lasts.
  var frameScale = 1.0

  static var nothing: Self { Self(kind: .nothing, number: 0) }
  static func unit(_ handle: UInt, frameScale: Double = 1) -> Self {
    Self(kind: .unit, number: handle, frameScale: frameScale)
  }
  static func endpoint(_ endpoint: MIDIEndpointRef) -> Self {
    Self(kind: .endpoint, number: UInt(endpoint))
  }

  /// Whether it is a unit.
  var isUnit: Bool { @_noLocks get { kind.rawValue == Kind.unit.rawValue } }
  /// Whether events go nowhere.
  var isNothing: Bool { @_noLocks get { kind.rawValue == Kind.nothing.rawValue } }

  /// Whether another target is the same unit or endpoint.
  @_noLocks
  func isSame(as other: Self) -> Bool {
    guard number == other.number else { return false }
    return kind.rawValue == other.kind.rawValue
  }
}

/// An event of a track as render threads read it. Plain memory.
struct PlayEvent: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    case note, channel, bytes, extendedNote, parameter
    /// Events for a control thread.
    case user, preset
  }

  let kind: Kind
  /// A message of MIDI; for a note, its beginning.
  var status: UInt8 = 0
  var data1: UInt8 = 0
  var data2: UInt8 = 0
  /// The velocity of a note's end.
  var release: UInt8 = 0
  /// In beats: the time in the track, and the length of a note.
  let beat: Double
  var duration = 0.0
  /// Of a parameter: id, scope, element. Of an extended note: instrument and group.
  var number: UInt32 = 0
  var scope: UInt32 = 0
  var element: UInt32 = 0
  var value: Float = 0
  /// The index of the next point of the curve of a parameter; -1 for none.
  var nextPoint = -1
  /// Bytes of MIDI, or the parameters of an extended note.
  var data: UnsafeMutableRawPointer?
  var byteCount: UInt32 = 0
  /// Of what sets instruments up: whether it was sent.
  var isChased = false
  /// The serial number of the event in its track.
  let serial: UInt64

  /// [control thread] The form of an event; nil if it is not played. `data` is to be freed.
  init?(_ event: MusicEvent) {
    (beat, serial) = (event.time, event.serial)
    switch event.message {
    case .note(let note):
      kind = .note
      (status, data1, data2) = (0x90 | note.channel, note.note, note.velocity)
      release = note.releaseVelocity > 0 ? note.releaseVelocity : 64
      duration = Double(note.duration)
    case .channel(let message):
      kind = .channel
      (status, data1, data2) = (message.status, message.data1, message.data2)
    case .raw(let bytes):
      guard !bytes.isEmpty else { return nil }
      kind = .bytes
      byteCount = UInt32(clamping: bytes.count)
      data = Self.memory(bytes.count)
      data?.copyMemory(from: bytes, byteCount: bytes.count)
    case .extendedNote(let note):
      kind = .extendedNote
      (number, scope, duration) = (note.instrument, note.group, Double(note.duration))
      let message = EventMessage.extendedNote(note).structure
      // The parameters follow instrument, group and duration.
      data = Self.memory(message.count - 12)
      message.withUnsafeBytes { bytes in
        data?.copyMemory(
          from: bytes.baseAddress.unsafelyUnwrapped + 12, byteCount: bytes.count - 12)
      }
    case .parameter(let event):
      kind = .parameter
      (number, scope, element) = (event.parameterID, event.scope, event.element)
      value = event.value
    case .user: kind = .user
    case .preset: kind = .preset
    case .meta, .tempo: return nil
    }
  }

  private static func memory(_ count: Int) -> UnsafeMutableRawPointer {
    .allocate(byteCount: count, alignment: 16)
  }

  /// Whether it sets a parameter.
  var isParameter: Bool { @_noLocks get { kind.rawValue == Kind.parameter.rawValue } }

  /// Whether it is a message of a channel that later ones of the same kind replace: all but notes and
  /// their pressures.
  var setsState: Bool { kind == .channel && status & 0xf0 >= 0xb0 }
}

/// The events of a track in memory for render threads, while anything holds it.
final class TrackBlock: Sendable {
  nonisolated(unsafe) let events: UnsafeMutablePointer<PlayEvent>
  let count: Int
  /// The edits of the track that it contains.
  let editCount: Int
  /// Whether the points of curves are connected.
  let isAutomated: Bool

  /// [control thread] The present events of a track.
  init(_ track: EventTrack, isAutomated: Bool) {
    editCount = track.editCount
    self.isAutomated = isAutomated
    var list = track.events.compactMap { PlayEvent($0) }
    if isAutomated { Self.connectPoints(&list) }
    count = list.count
    events = .allocate(capacity: max(1, count))
    list.withUnsafeBufferPointer { buffer in
      if let start = buffer.baseAddress { events.initialize(from: start, count: count) }
    }
  }

  deinit {
    for index in 0..<count { events[index].data?.deallocate() }
    events.deallocate()
  }

  /// Connects the points of each curve.
  private static func connectPoints(_ list: inout [PlayEvent]) {
    struct Curve: Hashable { let number, scope, element: UInt32 }
    var next: [Curve: Int] = [:]
    for index in list.indices.reversed() where list[index].kind == .parameter {
      let event = list[index]
      let curve = Curve(number: event.number, scope: event.scope, element: event.element)
      list[index].nextPoint = next[curve] ?? -1
      next[curve] = index
    }
  }
}
