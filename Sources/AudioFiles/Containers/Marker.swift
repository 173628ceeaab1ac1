// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// A marker in the sound.
package struct Marker: Equatable, Sendable {
  /// Frames from the beginning.
  package var frame: Double
  package var name: String
  package var id: Int32

  package init(frame: Double, name: String, id: Int32) {
    self.frame = frame
    self.name = name
    self.id = id
  }
}

/// A region of the sound, from its first marker to its last.
package struct Region: Equatable, Sendable {
  package var id: UInt32
  package var name: String
  /// Whether it is a loop, and in which direction that plays.
  package var flags: AudioFileRegionFlags
  package var markers: [Marker]

  package init(id: UInt32, name: String, flags: AudioFileRegionFlags, markers: [Marker]) {
    self.id = id
    self.name = name
    self.flags = flags
    self.markers = markers
  }

  /// Whether it is a loop from its first marker to its last.
  var isLoop: Bool { flags.contains(.loopEnable) && markers.count >= 2 }
}
