// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// A program's question for a property.
public struct PropertyQuery<Owner> {
  public let owner: Owner
  public let address: PropertyAddress
  /// The bytes of the qualifier or specifier; empty if there are none.
  public let qualifier: UnsafeRawBufferPointer
  /// The program's memory for the value, which contains the input of some properties. Empty if only
  /// the size is asked for. Only rows that have an input may read it, and only that input: a
  /// program may pass a larger size than its memory has.
  public let memory: UnsafeMutableRawBufferPointer
  public let family: PropertyFamily

  @inlinable
  public init(
    _ owner: Owner, _ address: PropertyAddress, _ family: PropertyFamily,
    qualifier: UnsafeRawBufferPointer = .init(start: nil, count: 0),
    memory: UnsafeMutableRawBufferPointer = .init(start: nil, count: 0)
  ) {
    self.owner = owner
    self.address = address
    self.qualifier = qualifier
    self.memory = memory
    self.family = family
  }

  /// The same question of another owner.
  @inlinable
  public func asked<Other>(of other: Other) -> PropertyQuery<Other> {
    .init(other, address, family, qualifier: qualifier, memory: memory)
  }

  /// The input.
  @inlinable
  public func input<Value: BitwiseCopyable>(_: Value.Type = Value.self) throws(AudioError) -> Value
  {
    guard memory.count >= MemoryLayout<Value>.size else {
      throw family.wrongSize(memory.count, of: Value.self, MemoryLayout<Value>.size)
    }
    return memory.loadUnaligned(as: Value.self)
  }
}

/// The bytes of a property that a program sets.
public struct PropertyData {
  public let bytes: UnsafeRawBufferPointer
  public let family: PropertyFamily

  @inlinable
  public init(_ bytes: UnsafeRawBufferPointer, _ family: PropertyFamily) {
    self.bytes = bytes
    self.family = family
  }

  /// The bytes as a C type.
  @inlinable
  public func value<Value: BitwiseCopyable>(_: Value.Type = Value.self) throws(AudioError) -> Value
  {
    let size = MemoryLayout<Value>.size
    if bytes.count == size { return bytes.loadUnaligned(as: Value.self) }
    if Value.self == AudioStreamBasicDescription.self, bytes.count < size,
      bytes.count >= family.leastFormatBytes
    {
      let padded = Array(bytes) + [UInt8](repeating: 0, count: size - bytes.count)
      return padded.withUnsafeBytes { $0.loadUnaligned(as: Value.self) }
    }
    guard family.accepts(bytes.count, size, isNumber: Value.self is any Numeric.Type) else {
      throw family.wrongSize(bytes.count, of: Value.self, size)
    }
    return bytes.loadUnaligned(as: Value.self)
  }

  /// The bytes as an array of a C type; of `count` values, if it is given.
  @inlinable
  public func array<Element: BitwiseCopyable>(
    _ type: Element.Type = Element.self, count: Int? = nil
  )
    throws(AudioError) -> [Element]
  {
    let stride = MemoryLayout<Element>.stride
    try check(stride, type, count)
    return (0..<bytes.count / stride).map {
      bytes.loadUnaligned(fromByteOffset: $0 * stride, as: Element.self)
    }
  }

  /// Throws unless they are an array of a type.
  @usableFromInline
  func check(_ stride: Int, _ type: Any.Type, _ expected: Int?) throws(AudioError) {
    if let expected, bytes.count != expected * stride {
      throw family.wrongSize.because(
        "\(bytes.count) bytes; expected \(expected) \(CTypeName.of(type)), "
          + "\(expected * stride) bytes")
    }
    guard bytes.count <= family.mostBytes else {
      throw family.wrongSize.because(
        "\(bytes.count) bytes; at most \(family.mostBytes) are allowed")
    }
    guard bytes.count % stride == 0 else {
      throw family.wrongSize.because("\(bytes.count) bytes are not whole \(CTypeName.of(type))")
    }
  }

  /// The bytes as the address of an object.
  @inlinable
  public func object() throws(AudioError) -> UnsafeRawPointer? { try value() }

  /// The bytes as the address of an object, of a type that messages name, which must not be null.
  public func object(_ type: String) throws(AudioError) -> UnsafeRawPointer {
    if let object = try object() { return object }
    throw family.wrongValue.because("expected a \(type), not NULL")
  }

  /// The bytes as a property list: the object must contain plain values only.
  public func list() throws(AudioError) -> PropertyList {
    guard let object = try object(), let list = Bridge.current.propertyList(object) else {
      throw family.wrongValue.because(
        "the object is null, or contains something other than plain values")
    }
    return list
  }

  /// The bytes as a string; nil for a null object.
  public func string() throws(AudioError) -> String? {
    guard let object = try object() else { return nil }
    guard let text = Bridge.current.string(object) else {
      throw family.wrongValue.because("expected a CFString")
    }
    return text
  }
}
