// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// What an event of a track says. [control thread]
package enum EventMessage: Sendable {
  case note(MIDINoteMessage)
  /// A message of a channel other than a note.
  case channel(MIDIChannelMessage)
  /// Bytes of MIDI, such as a system-exclusive message from its 0xF0 to its 0xF7.
  case raw([UInt8])
  case meta(UInt8, [UInt8])
  case user([UInt8])
  /// Beats per minute.
  case tempo(Double)
  case parameter(ParameterEvent)
  case extendedNote(ExtendedNote)
  case preset(UnitPreset)

  /// Its length in beats; 0 unless it is a note.
  package var duration: Double {
    switch self {
    case .note(let note): Double(note.duration)
    case .extendedNote(let note): Double(note.duration)
    default: 0
    }
  }

  /// The channel of a MIDI event; nil for others.
  package var channel: UInt8? {
    switch self {
    case .note(let note): note.channel
    case .channel(let message): message.status & 15
    default: nil
    }
  }
}

/// A note of `MusicDeviceStartNote`, with its end.
package final class ExtendedNote: Sendable {
  package let instrument: MusicDeviceInstrumentID
  package let group: MusicDeviceGroupID
  /// In beats.
  package let duration: Float
  package let pitch: Float
  package let velocity: Float
  package let controls: [NoteParamsControlValue]

  package init(
    instrument: MusicDeviceInstrumentID, group: MusicDeviceGroupID, duration: Float, pitch: Float,
    velocity: Float, controls: [NoteParamsControlValue] = []
  ) {
    (self.instrument, self.group, self.duration) = (instrument, group, duration)
    (self.pitch, self.velocity, self.controls) = (pitch, velocity, controls)
  }
}

/// A state of a unit, as a property list that belongs to the event.
package final class UnitPreset: @unchecked Sendable {  // immutable
  package let scope: AudioUnitScope
  package let element: AudioUnitElement
  /// A CFPropertyList.
  package let object: UnsafeRawPointer

  /// A copy of a property list.
  package init(scope: AudioUnitScope, element: AudioUnitElement, _ list: PropertyList) {
    (self.scope, self.element) = (scope, element)
    object = Bridge.current.retainedPropertyList(list)
  }

  deinit { Bridge.current.release(object) }
}

/// An event of a track. [control thread]
package struct MusicEvent: Sendable {
  /// In beats from the start of the track.
  package var time: Double
  /// The order in which events were added, for those of the same time; unique within a track.
  package var serial: UInt64
  package var message: EventMessage

  /// The end of a note, or its time.
  package var end: Double { time + message.duration }

  /// Whether it comes before another in a track.
  func precedes(_ other: MusicEvent) -> Bool {
    time != other.time ? time < other.time : serial < other.serial
  }
}
