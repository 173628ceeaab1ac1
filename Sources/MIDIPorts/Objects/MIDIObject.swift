// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI

/// An object of the MIDI setup, which guards its variables with its lock.
package class MIDIObject: @unchecked Sendable {
  package let ref: MIDIObjectRef
  package let type: MIDIObjectType
  /// The properties that were set, by the text of their name.
  var properties: [String: PropertyList] = [:]

  init(_ ref: MIDIObjectRef, _ type: MIDIObjectType, name: String) {
    self.ref = ref
    self.type = type
    properties[PropertyName.name] = .string(name)
  }

  /// What an object of the kind is called in explanations.
  class var noun: String { "object" }
  /// The object whose properties this one has too.
  var parent: MIDIObject? { nil }
  /// The objects in it, with the names of their lists.
  var children: [(name: String, objects: [MIDIObject])] { [] }

  /// Its name; empty if that was removed.
  var name: String { properties[PropertyName.name]?.string ?? "" }

  /// The value of a property: its own, or that of the object that it belongs to.
  func property(_ name: String) -> PropertyList? {
    if name == PropertyName.displayName { return .string(displayName) }
    return properties[name] ?? parent?.property(name)
  }

  /// The name for people.
  var displayName: String { name }

  /// An integer property; 0 if there is none.
  func integer(_ name: String) -> Int { property(name)?.integer ?? 0 }
}

/// The texts of the properties that have a meaning for the library.
enum PropertyName {
  static let name = "name"
  static let displayName = "displayName"
  static let manufacturer = "manufacturer"
  static let model = "model"
  static let uniqueID = "uniqueID"
  static let offline = "offline"
  static let isPrivate = "private"
  static let driver = "driver"
  static let isEmbedded = "embedded"
  static let scheduleAhead = "scheduleAheadMuSec"
  static let speed = "maxSysExSpeed"
  static let protocolID = "protocolID"
}
