// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox

/// One property of a unit, declared once: a row of a table.
///
/// Size, scope and element checks, writability, change notification and the row of the compatibility
/// document all follow from it.
public struct Property: Sendable {
  /// When a host may write the property.
  public enum Writability: Sendable {
    case never, always
    /// Only while the unit is uninitialised; otherwise this error is thrown.
    case uninitialized(AudioError)
    /// Unless the unit returns a reason against it, for example that it is running.
    case unless(@Sendable (NativeUnit) -> AudioError?)
  }

  /// The meaning of the element number in an address.
  public enum Addressing: Sendable {
    case element, parameter
    /// The whole scope, even one without elements.
    case scope
    /// Nothing: the property belongs to the unit as a whole, and any element is accepted.
    case unit
  }

  /// The result of reading: bytes, or a Core Foundation object (or null) that the caller then owns.
  public enum Value {
    case bytes([UInt8])
    case object(UnsafeRawPointer?)
  }

  /// The property's address: its identifier, its scopes, and the meaning of the element number.
  public let id: AudioUnitPropertyID
  public let scopes: [AudioUnitScope]
  public let addressing: Addressing
  /// The size of the C type in bytes; nil if it varies.
  public let size: Int?
  /// The C type, for documents.
  public let typeName: String
  public let writability: Writability
  /// Whether null data of size zero removes the value.
  public let isRemovable: Bool
  /// Whether setting the current value again does not notify listeners.
  let notifiesOnlyChanges: Bool
  /// Whether reading also uses input in the caller's memory.
  let hasInput: Bool
  let read: Read?
  let write: Write?

  /// Reads a value; the bytes are the caller's input, if `hasInput`.
  typealias Read = @Sendable (NativeUnit, PropertyAddress, [UInt8]) throws(AudioError) -> Value
  /// Writes a value; nil removes it.
  typealias Write =
    @Sendable (NativeUnit, PropertyAddress, UnsafeRawBufferPointer?)
    throws(AudioError) -> Void

  init(
    _ id: AudioUnitPropertyID, in scopes: [AudioUnitScope], by addressing: Addressing = .element,
    size: Int?, typeName: String, writability: Writability, isRemovable: Bool = false,
    notifiesOnlyChanges: Bool = false, hasInput: Bool = false,
    read: Read?, write: Write?
  ) {
    self.id = id
    self.scopes = scopes
    self.addressing = addressing
    self.size = size
    self.typeName = typeName
    self.writability = write == nil ? .never : writability
    self.isRemovable = isRemovable
    self.notifiesOnlyChanges = notifiesOnlyChanges
    self.hasInput = hasInput
    self.read = read
    self.write = write
  }
}
