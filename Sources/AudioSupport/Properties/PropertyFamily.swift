// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// What the properties of one kind of owner have in common: their errors, and how exact the sizes
/// are that programs pass.
public final class PropertyFamily: Sendable {
  /// The sizes of a value that may be written.
  public enum Lengths: Sendable {
    /// The size of its type.
    case exact
    /// That, or more: a newer version of a structure may be longer. A number of another size is a
    /// different type.
    case longerStructures
    /// That, or more.
    case longer
  }

  /// What a program reads whose memory is smaller than the value.
  public enum Truncation: Sendable {
    case none
    /// As many whole elements of an array as fit, at least one.
    case elements
    /// The same, even none.
    case elementsOrNone
    case bytes
  }

  /// The errors of a family.
  public struct Errors: Sendable {
    let unknown: AudioError
    let unreadable: AudioError
    let readOnly: AudioError
    let size: AudioError
    let value: AudioError
    let scope: AudioError

    /// The statuses for: no such property; one that can only be set; one that can only be read; a
    /// wrong size; a wrong value; a property that is not in the scope.
    public init(
      unknown: OSStatus, unreadable: OSStatus, readOnly: OSStatus, size: OSStatus, value: OSStatus,
      scope: OSStatus = kAudio_ParamError
    ) {
      self.unknown = AudioError(status: unknown)
      self.unreadable = AudioError(status: unreadable)
      self.readOnly = AudioError(status: readOnly)
      self.size = AudioError(status: size)
      self.value = AudioError(status: value)
      self.scope = AudioError(status: scope)
    }
  }

  /// Whose properties they are, for messages: "a queue's".
  let owner: String
  let errors: Errors
  let lengths: Lengths
  @usableFromInline let truncation: Truncation
  /// The most bytes of an array: more are taken for a mistake.
  let mostBytes: Int
  /// Whether the reason of each failure begins with the name of the property.
  let namesProperty: Bool
  let name: @Sendable (PropertyAddress) -> String
  let scopeName: @Sendable (UInt32) -> String

  /// A family; a property is called by its four characters unless `name` calls it otherwise.
  public init(
    _ owner: String, _ errors: Errors, lengths: Lengths = .exact, truncation: Truncation = .none,
    mostBytes: Int = .max, namesProperty: Bool = false,
    name: @escaping @Sendable (PropertyAddress) -> String = { "'\(FourCharacterCode($0.id))'" },
    scopeName: @escaping @Sendable (UInt32) -> String = { "\($0)" }
  ) {
    self.owner = owner
    self.errors = errors
    self.lengths = lengths
    self.truncation = truncation
    self.mostBytes = mostBytes
    self.namesProperty = namesProperty
    self.name = name
    self.scopeName = scopeName
  }

  /// The error of a value that cannot be set.
  public var wrongValue: AudioError { errors.value }
  /// The error of a wrong number of bytes.
  public var wrongSize: AudioError { errors.size }

  /// The error for a value of `count` bytes.
  @usableFromInline
  func wrongSize(_ count: Int, of type: Any.Type, _ size: Int) -> AudioError {
    errors.size.because("\(count) bytes were given, \(CTypeName.of(type)) has \(size)")
  }

  /// The error of a row, with the name of the property if the family wants it.
  @usableFromInline
  func explained(_ error: AudioError, _ address: PropertyAddress) -> AudioError {
    namesProperty ? error.of(name(address)) : error
  }

  /// Writes a value to the program's memory and returns the number of bytes written.
  public func write(
    _ value: PropertyValue, _ address: PropertyAddress, to memory: UnsafeMutableRawPointer,
    room: Int
  ) throws(AudioError) -> UInt32 {
    let count = value.write(to: memory, room: room, truncation: truncation)
    guard let count else { throw wrongRoom(room, value.size, address) }
    return UInt32(truncatingIfNeeded: count)
  }

  /// Throws if there is too little room for a value.
  @usableFromInline
  func check(_ room: Int, _ size: Int, _ address: PropertyAddress) throws(AudioError) {
    guard room >= size else { throw wrongRoom(room, size, address) }
  }

  private func wrongRoom(_ room: Int, _ size: Int, _ address: PropertyAddress) -> AudioError {
    errors.size.because(
      "\(name(address)) has \(size) bytes, there is room for \(room)")
  }

  /// Whether `count` bytes can be a value of a type.
  @usableFromInline
  func accepts(_ count: Int, _ size: Int, isNumber: Bool) -> Bool {
    switch lengths {
    case .exact: count == size
    case .longerStructures: count == size || count > size && !isNumber
    case .longer: count >= size
    }
  }

  /// The least bytes of a stream format: its last field is reserved, and some callers of families
  /// with `longerStructures` leave it out.
  @usableFromInline var leastFormatBytes: Int { lengths == .longerStructures ? 36 : 40 }
}

/// The C names of Swift's types, for messages and documents.
public enum CTypeName {
  /// The name of a type: Float64 for Double.
  public static func of(_ type: Any.Type) -> String {
    switch type {
    case is Double.Type: "Float64"
    case is Float.Type: "Float32"
    case is Int32.Type: "SInt32"
    case is Int64.Type: "SInt64"
    case is UnsafeRawPointer?.Type: "void*"
    default: "\(type)"
    }
  }
}
