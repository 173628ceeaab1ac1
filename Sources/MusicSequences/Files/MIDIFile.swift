// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// What a Standard MIDI File contains, with times in beats or seconds.
package struct MIDIFile: Sendable {
  package typealias Event = (time: Double, message: EventMessage)

  /// A track of the file.
  package struct Track: Sendable {
    package var events: [Event] = []
    /// The time at which it ends.
    package var end = 0.0
  }

  /// 0: one track; 1: tracks that sound together; 2: independent tracks.
  package var format = 1
  /// The ticks of a beat, or an SMPTE resolution, which is negative.
  package var resolution: Int16 = 480
  package var tracks: [Track] = []
  /// The tempos, time signatures and SMPTE offsets of all tracks.
  package var tempoEvents: [Event] = []

  package init() {}

  /// Whether times are in seconds.
  package var isInSeconds: Bool { resolution < 0 }

  /// The ticks of a beat or second.
  package var ticks: Double { Self.ticks(resolution) }

  /// The ticks of a beat, or of a second for an SMPTE resolution.
  package static func ticks(_ resolution: Int16) -> Double {
    guard resolution < 0 else { return Double(resolution) }
    let frames = -Double(resolution >> 8)
    // What is called 29 frames are those of television, 30 in 1.001 seconds.
    return (frames == 29 ? 30_000 / 1_001 : frames) * Double(max(1, resolution & 0xff))
  }
}
