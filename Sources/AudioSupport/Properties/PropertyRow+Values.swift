// SPDX-License-Identifier: Apache-2.0

// The usual rows: one function for each kind of value. Each has two forms: for owners whose
// properties have scopes, and for those without.

extension PropertyRow {
  /// Reads a value of an element.
  public typealias Get<Value> = @Sendable (Owner, PropertyAddress) throws(AudioError) -> Value
  /// Sets a value of an element.
  public typealias Set<Value> = @Sendable (Owner, PropertyAddress, Value) throws(AudioError) -> Void
  /// Reads a value of the owner.
  public typealias OwnGet<Value> = @Sendable (Owner) throws(AudioError) -> Value
  /// Sets a value of the owner.
  public typealias OwnSet<Value> = @Sendable (Owner, Value) throws(AudioError) -> Void

  /// The same for every scope and element.
  @inlinable
  static func scoped<Value>(_ get: OwnGet<Value>?) -> Get<Value>? {
    guard let get else { return nil }
    return { (owner, _) throws(AudioError) in try get(owner) }
  }

  /// The same for every scope and element.
  @inlinable
  static func scoped<Value>(_ set: OwnSet<Value>?) -> Set<Value>? {
    guard let set else { return nil }
    return { (owner, _, value) throws(AudioError) in try set(owner, value) }
  }

  /// A property of a fixed C type.
  @inlinable
  public static func value<Value: BitwiseCopyable>(
    _ id: UInt32, in scopes: [UInt32], by addressing: PropertyAddressing = .element,
    size: Size? = nil, writable writability: Writability = .always,
    notifies notification: Notification? = nil, _ type: Value.Type = Value.self,
    get: Get<Value>? = nil, set: Set<Value>? = nil
  ) -> PropertyRow {
    var read: Read?
    if let get {
      read = { (query) throws(AudioError) in .value(try get(query.owner, query.address)) }
    }
    var write: Write?
    if let set {
      write = { (owner, address, data) throws(AudioError) in
        try set(owner, address, try data.value())
      }
    }
    return PropertyRow(
      id, in: scopes, by: addressing, size: size ?? .bytes(MemoryLayout<Value>.size),
      type: CTypeName.of(Value.self), writable: writability,
      notifies: notification ?? (get == nil ? .sets : .changes), read: read, write: write)
  }

  /// A property of a fixed C type. Its size is asked of the value, so that an owner without a value
  /// says so, unless `size` is given.
  @inlinable
  public static func value<Value: BitwiseCopyable>(
    _ id: UInt32, size: Size? = nil, writable writability: Writability = .always,
    _ type: Value.Type = Value.self,
    get: OwnGet<Value>? = nil, set: OwnSet<Value>? = nil
  ) -> PropertyRow {
    value(
      id, in: [], size: size ?? (get == nil ? nil : .ofValue), writable: writability, type,
      get: scoped(get), set: scoped(set))
  }

  /// A property of the owner as a whole that can only be read.
  @inlinable
  public static func value<Value: BitwiseCopyable>(
    _ id: UInt32, in scopes: [UInt32], reading get: @escaping @Sendable (Owner) -> Value
  ) -> PropertyRow {
    value(id, in: scopes, get: { (owner, _) throws(AudioError) in get(owner) })
  }

  /// A property that is a UInt32 of 1 or 0.
  @inlinable
  public static func flag(
    _ id: UInt32, in scopes: [UInt32], size: Size? = nil,
    writable writability: Writability = .always, get: Get<Bool>? = nil, set: Set<Bool>? = nil
  ) -> PropertyRow {
    var number: Get<UInt32>?
    if let get {
      number = { (owner, address) throws(AudioError) in try get(owner, address) ? 1 : 0 }
    }
    var setNumber: Set<UInt32>?
    if let set {
      setNumber = { (owner, address, number) throws(AudioError) in
        try set(owner, address, number != 0)
      }
    }
    return value(
      id, in: scopes, size: size, writable: writability, get: number, set: setNumber)
  }

  /// A property that is a UInt32 of 1 or 0.
  @inlinable
  public static func flag(
    _ id: UInt32, writable writability: Writability = .always, get: OwnGet<Bool>? = nil,
    set: OwnSet<Bool>? = nil
  ) -> PropertyRow {
    flag(
      id, in: [], size: get == nil ? nil : .ofValue, writable: writability, get: scoped(get),
      set: scoped(set))
  }

  /// A property that is an array of a C type. With `count`, data of another size is refused before
  /// it is read.
  @inlinable
  public static func array<Element: BitwiseCopyable>(
    _ id: UInt32, in scopes: [UInt32], by addressing: PropertyAddressing = .element,
    writable writability: Writability = .always, size: Size = .ofValue,
    _ type: Element.Type = Element.self, get: Get<[Element]>? = nil, count: Get<Int>? = nil,
    set: Set<[Element]>? = nil
  ) -> PropertyRow {
    var read: Read?
    if let get {
      read = { (query) throws(AudioError) in .array(try get(query.owner, query.address)) }
    }
    var write: Write?
    if let set {
      write = { (owner, address, data) throws(AudioError) in
        var expected: Int?
        if let count { expected = try count(owner, address) }
        try set(owner, address, try data.array(count: expected))
      }
    }
    return PropertyRow(
      id, in: scopes, by: addressing, size: size, type: CTypeName.of(Element.self) + "[]",
      writable: writability, read: read, write: write)
  }

  /// A property that is an array of a C type.
  @inlinable
  public static func array<Element: BitwiseCopyable>(
    _ id: UInt32, writable writability: Writability = .always, size: Size = .ofValue,
    get: OwnGet<[Element]>? = nil, set: OwnSet<[Element]>? = nil
  ) -> PropertyRow {
    array(
      id, in: [], writable: writability, size: size,
      get: scoped(get), set: scoped(set))
  }

  /// A property that is a C structure of varying length, as bytes.
  public static func bytes(
    _ id: UInt32, in scopes: [UInt32], by addressing: PropertyAddressing = .element,
    size: Size = .ofValue, type: String, writable writability: Writability = .always,
    get: Get<[UInt8]>? = nil, set: Set<PropertyData>? = nil, remove: Remove? = nil
  ) -> PropertyRow {
    var read: Read?
    if let get {
      read = { (query) throws(AudioError) in .array(try get(query.owner, query.address)) }
    }
    return PropertyRow(
      id, in: scopes, by: addressing, size: size, type: type, writable: writability, read: read,
      write: set, remove: remove)
  }

  /// A property that is a Core Foundation object.
  public static func object(
    _ id: UInt32, in scopes: [UInt32] = [], by addressing: PropertyAddressing = .element,
    type: String, writable writability: Writability = .always, get: Get<PropertyValue>? = nil,
    write: Write? = nil, remove: Remove? = nil
  ) -> PropertyRow {
    var read: Read?
    if let get {
      read = { (query) throws(AudioError) in try get(query.owner, query.address) }
    }
    return PropertyRow(
      id, in: scopes, by: addressing, size: .bytes(MemoryLayout<UnsafeRawPointer>.size), type: type,
      writable: writability, read: read, write: write, remove: remove)
  }

  /// A property that is a tree of Core Foundation objects.
  public static func list(
    _ id: UInt32, type: String = "CFPropertyList", writable writability: Writability = .always,
    get: OwnGet<PropertyList>? = nil,
    set: OwnSet<PropertyList>? = nil
  ) -> PropertyRow {
    var read: Get<PropertyValue>?
    if let get { read = { (owner, _) throws(AudioError) in .list(try get(owner)) } }
    var write: Write?
    if let set {
      write = { (owner, _, data) throws(AudioError) in try set(owner, try data.list()) }
    }
    return object(id, type: type, writable: writability, get: read, write: write)
  }

  /// A property whose C type contains the program's input and the owner's output.
  @inlinable
  public static func exchange<Value: BitwiseCopyable>(
    _ id: UInt32, in scopes: [UInt32] = [], _ type: Value.Type = Value.self,
    _ body: @escaping @Sendable (Owner, PropertyAddress, inout Value) throws(AudioError) -> Void
  ) -> PropertyRow {
    PropertyRow(
      id, in: scopes, size: .bytes(MemoryLayout<Value>.size), type: CTypeName.of(Value.self),
      takesInput: true,
      read: { (query) throws(AudioError) in
        var value = try query.input(Value.self)
        try body(query.owner, query.address, &value)
        return .value(value)
      })
  }

  /// A property that is an array, of limited length, with the program's input and the owner's
  /// output.
  @inlinable
  public static func exchange<Element: BitwiseCopyable>(
    _ id: UInt32, in scopes: [UInt32], upTo count: Int, of type: Element.Type,
    _ body: @escaping @Sendable (Owner, PropertyAddress, inout [Element]) throws(AudioError) -> Void
  ) -> PropertyRow {
    let stride = MemoryLayout<Element>.stride
    return PropertyRow(
      id, in: scopes, size: .bytes(count * stride), type: CTypeName.of(Element.self) + "[]",
      takesInput: true,
      read: { (query) throws(AudioError) in
        var values = (0..<min(count, query.memory.count / stride)).map {
          query.memory.loadUnaligned(fromByteOffset: $0 * stride, as: Element.self)
        }
        try body(query.owner, query.address, &values)
        return .array(values)
      })
  }
}
