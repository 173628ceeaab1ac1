// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox

/// A property of one kind of audio object, declared once as a row of a table. The row determines
/// whether an object has the property, its size, whether it can be written, and what listeners
/// compare.
struct AudioObjectProperty<Object: Sendable>: Sendable {
  /// A query of an object.
  struct Query {
    let object: Object
    let address: AudioObjectPropertyAddress
    /// The bytes of `inQualifierData`. Empty if there are none.
    let qualifier: UnsafeRawBufferPointer
    /// The caller's memory, for values with an input part. Empty if only the size is queried.
    let memory: UnsafeMutableRawBufferPointer
  }

  /// Returns nil if the object has no such property in that scope or element.
  typealias Read = @Sendable (Query) throws(AudioError) -> AudioObjectValue?
  /// Writes a property.
  typealias Write = @Sendable (Object, UnsafeRawBufferPointer) throws(AudioError) -> Void
  /// Writes a property whose meaning depends on scope or element.
  typealias AddressedWrite =
    @Sendable (Object, AudioObjectPropertyAddress, UnsafeRawBufferPointer) throws(AudioError) ->
    Void

  let selector: AudioObjectPropertySelector
  let read: Read
  let write: AddressedWrite?
  /// Whether it is writable for an object. Nil means for all objects.
  let isSettable: (@Sendable (Object) -> Bool)?
  /// A value that changes when listeners must be notified. Nil means the value itself.
  let signature: (@Sendable (Object) -> String)?

  init(
    _ selector: AudioObjectPropertySelector, _ read: @escaping Read, write: Write? = nil,
    addressedWrite: AddressedWrite? = nil, isSettable: (@Sendable (Object) -> Bool)? = nil,
    listenersCompare signature: (@Sendable (Object) -> String)? = nil
  ) {
    self.selector = selector
    self.read = read
    if let write {
      self.write = { (object, _, data) throws(AudioError) in try write(object, data) }
    } else {
      self.write = addressedWrite
    }
    self.isSettable = isSettable
    self.signature = signature
  }

  /// Whether it can be written for this object.
  func isWritable(_ object: Object) -> Bool { write != nil && isSettable?(object) ?? true }
}

/// Reads the number that a program writes.
func number<Number: BitwiseCopyable>(
  _ data: UnsafeRawBufferPointer, _: Number.Type = Number.self
) throws(AudioError) -> Number {
  guard data.count == MemoryLayout<Number>.size else {
    throw AudioError(status: kAudioHardwareBadPropertySizeError).because(
      "\(data.count) bytes; expected \(MemoryLayout<Number>.size)")
  }
  return data.loadUnaligned(as: Number.self)
}

/// The error for a value that the object cannot accept.
func refusal(_ object: String, _ given: String, _ expected: String) -> AudioError {
  AudioError(status: kAudioHardwareIllegalOperationError).because(
    "\(object): \(given); expected \(expected)")
}
