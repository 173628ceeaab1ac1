// SPDX-License-Identifier: Apache-2.0

/// An event for an instrument, passed from any thread to the render thread.
package struct NoteEvent: BitwiseCopyable {
  package enum Kind: UInt8, BitwiseCopyable {
    case noteOn, noteOff, stop, keyPressure, controller, program, pressure, bend
    /// Of MIDI 2.0, for the notes of a key: bend, pitch, how much quieter they are, pan, and whether they
    /// keep what they have.
    case noteBend, notePitch, noteVolume, noteExpression, notePan, noteManagement
    /// Events of the whole system: reset, level, tuning.
    case reset, masterVolume, masterTuning
  }

  package var kind: Kind
  package var channel: UInt8 = 0
  package var first: UInt8 = 0
  package var second: UInt8 = 0
  /// The frame within the next render; once the render thread has read it, the frame since the
  /// start.
  package var frame = 0
  /// The identifier of the note.
  package var note: UInt32 = 0
  /// A bank's two bytes and a program, each in eight bits; `noInstrument` for none.
  package var instrument = Self.noInstrument
  /// A note's semitones above its key, or the system's gain or tuning in cents. For tunings,
  /// `first` is 0 for fine and 1 for coarse. Of the notes of a key: -1 to 1 for bends and pan, semitones above
  /// the key, or centibels.
  package var value: Float = 0
  /// What MIDI 2.0 says beyond the steps of MIDI 1.0: of a note, and of the controllers of volume and
  /// expression, how many centibels it is quieter; of the controller of pan, thousandths to the right;
  /// of a bend, steps above it.
  package var fine: Float = 0
  /// The number of events that were sent before it; set when the render thread reads it.
  package var order = 0

  package static var noInstrument: UInt32 { @_noLocks get { 0xffff_ffff } }

  @_noLocks
  package init(
    _ kind: Kind, channel: UInt8 = 0, _ first: UInt8 = 0, _ second: UInt8 = 0, at frame: UInt32
  ) {
    self.kind = kind
    self.channel = channel
    self.first = first
    self.second = second
    self.frame = Int(frame)
  }

  /// Whether it belongs to a note.
  package var isOfNote: Bool {
    @_noLocks get {
      switch kind {
      case .noteOn, .noteOff, .stop, .keyPressure: true
      default: false
      }
    }
  }

  /// Whether it can only end notes: also the release of a pedal, and the controllers of channel mode.
  package var endsNotes: Bool {
    @_noLocks get {
      switch kind {
      case .noteOff, .stop, .reset: true
      case .controller: first >= 120 || (first == 64 || first == 66) && second < 64
      default: false
      }
    }
  }
}

/// Events that the render thread has read from the queue, in the order of their frames. Plain
/// memory.
package struct EventList: BitwiseCopyable, @unchecked Sendable {
  package static var capacity: Int { @_noLocks get { 4096 } }
  /// How many events may wait; above it only those that end notes, so that no note sounds for ever.
  package static var usualCapacity: Int { @_noLocks get { 2048 } }

  private let events: UnsafeMutablePointer<NoteEvent>
  private var start = 0
  private var end = 0

  /// [control thread] Uses memory that its owner frees.
  package init(_ events: UnsafeMutablePointer<NoteEvent>) { self.events = events }

  package var count: Int { @_noLocks get { end - start } }
  package var isFull: Bool { @_noLocks get { count == Self.capacity } }

  /// Drops all events.
  @_noLocks
  package mutating func removeAll() { (start, end) = (0, 0) }

  /// Moves all events `frames` frames earlier.
  @_noLocks
  package func rewind(by frames: Int) {
    for index in start..<end { events[index].frame = max(0, events[index].frame - frames) }
  }

  /// Drops the notes among the first `order` events that were sent, and keeps channel messages.
  @_noLocks
  package mutating func removeNotes(before order: Int = .max) {
    var writeIndex = start
    for index in start..<end where !(events[index].isOfNote && events[index].order < order) {
      events[writeIndex] = events[index]
      writeIndex += 1
    }
    end = writeIndex
  }

  /// Inserts an event after those of the same frame. A note that would end before it begins ends at
  /// its first frame.
  @_noLocks
  package mutating func insert(_ event: NoteEvent) {
    var event = event
    if case .stop = event.kind {
      for index in start..<end where events[index].note == event.note {
        event.frame = max(event.frame, events[index].frame)
      }
    }
    if end == Self.capacity {
      for index in start..<end { events[index - start] = events[index] }
      (start, end) = (0, end - start)
    }
    var index = end
    while index > start, events[index - 1].frame > event.frame {
      events[index] = events[index - 1]
      index -= 1
    }
    events[index] = event
    end += 1
  }

  /// The frame of the next event; `Int.max` if there is none.
  package var nextFrame: Int { @_noLocks get { start < end ? events[start].frame : .max } }

  /// Removes and returns the next event. There must be one.
  @_noLocks
  package mutating func removeFirst() -> NoteEvent {
    start += 1
    let event = events[start - 1]
    if start == end { removeAll() }
    return event
  }
}
