// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox

/// A plug-in on this machine: a component, or a file that contains none, with the reason.
package struct FoundPlugIn: Equatable, Sendable {
  /// Its format.
  package var format: AUPlugInFormats
  /// The path of its file or folder.
  package var path: String
  /// "Maker: Name"; the name of the file if it contains no component.
  package var name: String
  /// What names it for ever: an LV2 URI, a CLAP id, the file and label of a LADSPA plug-in, the codes
  /// of an audio unit; its path if it contains no component.
  package var identifier: String
  /// Its codes; zero if it contains no component.
  package var codes = AudioComponentDescription()
  /// Major version in the upper 16 bits, minor and patch in eight each.
  package var version: UInt32 = 0
  /// What else is known about it.
  package var traits = ComponentTraits()
  /// Why it cannot be used; empty if it can.
  package var reason = ""
  /// Whether it may not be loaded, because it ended or blocked a process or the user said so.
  package var isBlocked = false

  /// Whether it, and not a plug-in with the same codes, is a component: the first in the alphabet, or the
  /// later version of one.
  func precedes(_ other: FoundPlugIn) -> Bool {
    identifier == other.identifier ? version > other.version : identifier < other.identifier
  }

  package static func == (one: FoundPlugIn, other: FoundPlugIn) -> Bool {
    one.format == other.format && one.path == other.path && one.name == other.name
      && one.identifier == other.identifier && one.codes.isSame(other.codes)
      && one.version == other.version && one.traits == other.traits && one.reason == other.reason
      && one.isBlocked == other.isBlocked
  }
}

extension AudioComponentDescription {
  /// Whether type, subtype and manufacturer are equal.
  package func isSame(_ other: AudioComponentDescription) -> Bool {
    componentType == other.componentType && componentSubType == other.componentSubType
      && componentManufacturer == other.componentManufacturer
  }
}
