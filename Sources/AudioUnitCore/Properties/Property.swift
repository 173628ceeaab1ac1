// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox

/// One property of a unit, declared once: a row of a table.
///
/// Size, scope and element checks, writability, change notification and the row of the compatibility
/// document all follow from it.
public struct Property: Sendable {
  /// When a host may write it.
  public enum Writability: Sendable {
    case never, always
    /// Not while the unit is initialised; then it is refused with this error.
    case uninitialized(AudioError)
    /// Unless the unit gives a reason against it, for example that it is running.
    case unless(@Sendable (NativeUnit) -> AudioError?)
  }

  /// What the element number of an address means.
  public enum Addressing: Sendable {
    case element, parameter
    /// The whole scope, even one without elements.
    case scope
    /// Nothing: the property belongs to the unit as a whole, and any element is accepted.
    case unit
  }

  /// The result of reading: bytes, or a Core Foundation object (or null) that the reader then owns.
  public enum Value {
    case bytes([UInt8])
    case object(UnsafeRawPointer?)
  }

  /// Where a host finds it: identifier, scopes, and what the element counts.
  public let id: AudioUnitPropertyID
  public let scopes: [AudioUnitScope]
  public let addressing: Addressing
  /// Bytes of the C type; nil where the length varies.
  public let size: Int?
  /// The C type, for documents.
  public let typeName: String
  public let writability: Writability
  /// Whether null data of size zero removes the value.
  public let isRemovable: Bool
  /// Whether setting the current value again notifies nobody.
  let notifiesOnlyChanges: Bool
  /// Whether the C type also carries input when it is read.
  let hasInput: Bool
  let read: Read?
  let write: Write?

  /// Reads a value; the bytes are the caller's, for C types that carry input.
  typealias Read = @Sendable (NativeUnit, PropertyAddress, [UInt8]) throws(AudioError) -> Value
  /// Writes a value, or removes it when there are no bytes.
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
