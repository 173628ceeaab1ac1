// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// Where the events of a track go.
package enum TrackDestination: Equatable, Sendable {
  /// The sequence's endpoint; without one, the first instrument of its graph.
  case automatic
  /// A node of the sequence's graph.
  case node(AUNode)
  /// A MIDI destination.
  case endpoint(MIDIEndpointRef)
  /// A unit, by its handle.
  case unit(UInt)
}

/// What a program sets for a track.
package struct TrackSettings: Equatable, Sendable {
  /// The length that was set, in beats; the track is never shorter than its events.
  package var length = 0.0
  /// The beats at the end that repeat; 0 for none.
  package var loopDuration = 0.0
  /// Where the beats that repeat end, if not at the end of the track.
  package var loopEnd: Double?
  /// Where the beats that repeat begin, if that stays when the track becomes longer.
  package var loopStart: Double?
  /// How often they are played; 0 for without end.
  package var loopCount: Int32 = 0
  /// By how many beats all events come later.
  package var offset = 0.0
  package var isMuted = false
  package var isSoloed = false
  /// Whether its parameters are points of curves.
  package var isAutomated = false
  package var destination = TrackDestination.automatic
}
