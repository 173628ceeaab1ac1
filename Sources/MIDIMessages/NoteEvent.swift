// SPDX-License-Identifier: Apache-2.0

/// An event for an instrument, passed from any thread to the render thread.
package struct NoteEvent: BitwiseCopyable {
  package enum Kind: UInt8, BitwiseCopyable {
    case noteOn, noteOff, stop, keyPressure, controller, program, pressure, bend
    /// Events of the whole system: reset, level, tuning.
    case reset, masterVolume, masterTuning
    /// Drops the notes that were queued before it.
    case dropNotes
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
  /// `first` is 0 for fine and 1 for coarse.
  package var value: Float = 0

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
}

/// Events that the render thread has read from the queue, in the order of their frames. Plain
/// memory.
package struct EventList: BitwiseCopyable, @unchecked Sendable {
  package static var capacity: Int { @_noLocks get { 2048 } }

  private let events: UnsafeMutablePointer<NoteEvent>
  private var start = 0
  private var end = 0

  /// [control thread] Uses memory that its owner frees.
  package init(_ events: UnsafeMutablePointer<NoteEvent>) { self.events = events }

  package var isFull: Bool { @_noLocks get { end - start == Self.capacity } }

  /// Drops all events.
  @_noLocks
  package mutating func removeAll() { (start, end) = (0, 0) }

  /// Moves all events `frames` frames earlier.
  @_noLocks
  package func rewind(by frames: Int) {
    for index in start..<end { events[index].frame = max(0, events[index].frame - frames) }
  }

  /// Drops notes, and keeps channel messages.
  @_noLocks
  package mutating func removeNotes() {
    var writeIndex = start
    for index in start..<end {
      switch events[index].kind {
      case .noteOn, .noteOff, .stop, .keyPressure: break
      default:
        events[writeIndex] = events[index]
        writeIndex += 1
      }
    }
    end = writeIndex
  }

  /// Inserts an event after those of the same frame.
  @_noLocks
  package mutating func insert(_ event: NoteEvent) {
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
