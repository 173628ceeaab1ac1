// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox

/// An object with properties: the system, a device, a stream, a control, a plug-in.
protocol AudioObject: Sendable {
  static var properties: PropertyTable<Self> { get }
}

extension PropertyFamily {
  /// The properties of audio objects.
  static let audioObjects = PropertyFamily(
    "its",
    Errors(
      unknown: kAudioHardwareUnknownPropertyError, unreadable: kAudioHardwareUnknownPropertyError,
      readOnly: kAudioHardwareUnsupportedOperationError, size: kAudioHardwareBadPropertySizeError,
      value: kAudioHardwareIllegalOperationError),
    truncation: .elements,
    name: {
      "'\(FourCharacterCode($0.id))' in scope '\(FourCharacterCode($0.scope))', "
        + "element \($0.element)"
    })
}

extension PropertyAddress {
  /// The address of a property of an audio object.
  init(_ address: AudioObjectPropertyAddress) {
    self.init(address.mSelector, address.mScope, address.mElement)
  }
}

extension PropertyRow {
  /// A property of audio objects. `addressedWrite` is for values that depend on scope or element,
  /// `isSettable` for those that only some objects let programs set.
  convenience init(
    _ selector: AudioObjectPropertySelector, _ read: @escaping Read,
    write: (@Sendable (Owner, PropertyData) throws(AudioError) -> Void)? = nil,
    addressedWrite: Write? = nil, isSettable: (@Sendable (Owner) -> Bool)? = nil,
    listenersCompare text: (@Sendable (Owner) -> String)? = nil
  ) {
    var anyWrite = addressedWrite
    if let write {
      anyWrite = { (object, _, data) throws(AudioError) in try write(object, data) }
    }
    var writability = Writability.always
    if let isSettable {
      writability = .unless {
        isSettable($0)
          ? nil
          : AudioError(status: kAudioHardwareUnsupportedOperationError).because(
            "it can only be read")
      }
    }
    self.init(
      selector, writable: writability, notifies: text.map { .comparing($0) } ?? .changes,
      read: read, write: anyWrite)
  }
}

/// The error for a value that the object cannot accept.
func refusal(_ object: String, _ given: String, _ expected: String) -> AudioError {
  AudioError(status: kAudioHardwareIllegalOperationError).because(
    "\(object): \(given); expected \(expected)")
}
