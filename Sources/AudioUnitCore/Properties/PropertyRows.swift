// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox

/// Makes the property rows of one family of units: one function for each kind of property.
public enum PropertyRows<Owner: NativeUnit> {
  /// Reads a value of an element.
  public typealias Get<Value> = @Sendable (Owner, PropertyAddress) throws(AudioError) -> Value
  /// Sets a value of an element.
  public typealias Set<Value> = @Sendable (Owner, PropertyAddress, Value) throws(AudioError) -> Void

  /// A property of a fixed C type.
  public static func value<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, in scopes: [AudioUnitScope],
    by addressing: Property.Addressing = .element,
    writable writability: Property.Writability = .always, _ type: Value.Type = Value.self,
    get: Get<Value>? = nil, set: Set<Value>? = nil
  ) -> Property {
    var read: Property.Read?
    if let get {
      read = { (unit, address, _) throws(AudioError) in encode(try get(owner(unit), address)) }
    }
    var write: Property.Write?
    if let set {
      write = { (unit, address, data) throws(AudioError) in
        guard let data else { throw .invalidPropertyValue.because("it cannot be removed") }
        try set(owner(unit), address, try decode(data))
      }
    }
    return Property(
      id, in: scopes, by: addressing, size: MemoryLayout<Value>.size, typeName: "\(Value.self)",
      writability: writability,
      // The name in a preset is a new string at each reading.
      notifiesOnlyChanges: get != nil && Value.self != AUPreset.self, read: read, write: write)
  }

  /// A property of the unit as a whole that can only be read.
  public static func value<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, in scopes: [AudioUnitScope],
    reading get: @escaping @Sendable (Owner) -> Value
  ) -> Property {
    value(id, in: scopes, get: { unit, _ in get(unit) })
  }

  /// A property that is an array of a C type.
  public static func array<Element: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, in scopes: [AudioUnitScope],
    by addressing: Property.Addressing = .element,
    writable writability: Property.Writability = .always, _ type: Element.Type = Element.self,
    get: @escaping Get<[Element]>
  ) -> Property {
    Property(
      id, in: scopes, by: addressing, size: nil, typeName: "[\(Element.self)]",
      writability: .never,
      read: { (unit, address, _) throws(AudioError) in encode(try get(owner(unit), address)) },
      write: nil)
  }

  /// An array that a host may set to `count` elements; data of another size is refused before it is
  /// read.
  public static func array<Element: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, in scopes: [AudioUnitScope],
    by addressing: Property.Addressing = .element,
    writable writability: Property.Writability = .always, _ type: Element.Type = Element.self,
    get: @escaping Get<[Element]>, count: @escaping Get<Int>, set: @escaping Set<[Element]>
  ) -> Property {
    Property(
      id, in: scopes, by: addressing, size: nil, typeName: "[\(Element.self)]",
      writability: writability,
      read: { (unit, address, _) throws(AudioError) in encode(try get(owner(unit), address)) },
      write: { (unit, address, data) throws(AudioError) in
        let stride = MemoryLayout<Element>.stride
        let count = try count(owner(unit), address)
        guard let data, data.count == count * stride else {
          throw .invalidPropertyValue.because(
            "\(data?.count ?? 0) bytes; expected \(count) \(Element.self), "
              + "\(count * stride) bytes")
        }
        let values = (0..<count).map {
          data.loadUnaligned(fromByteOffset: $0 * stride, as: Element.self)
        }
        try set(owner(unit), address, values)
      })
  }

  private static func encode<Element: BitwiseCopyable>(_ values: [Element]) -> Property.Value {
    .bytes(values.withUnsafeBytes { Array($0) })
  }

  /// A property that is a Core Foundation string. If nothing is set, reading returns a null string
  /// (`isNullWhenUnset`) or `kAudioUnitErr_PropertyNotInUse`.
  public static func string(
    _ id: AudioUnitPropertyID, in scopes: [AudioUnitScope], isNullWhenUnset: Bool = false,
    get: @escaping Get<String?>,
    set: Set<String?>? = nil
  ) -> Property {
    var setObject: Set<UnsafeRawPointer?>?
    if let set {
      setObject = { (unit, address, object) throws(AudioError) in
        guard let object else { return try set(unit, address, nil) }
        guard let text = Bridge.current.string(object) else {
          throw .invalidPropertyValue.because("expected a CFString")
        }
        try set(unit, address, text)
      }
    }
    return object(
      id, in: scopes, typeName: "CFString", isRemovable: true,
      get: { (unit, address) throws(AudioError) in
        guard let text = try get(unit, address) else {
          guard !isNullWhenUnset else { return nil }
          throw .propertyNotInUse.because("nothing is set")
        }
        return Bridge.current.retainedString(text)
      }, set: setObject)
  }

  /// A property that is a Core Foundation object.
  package static func object(
    _ id: AudioUnitPropertyID, in scopes: [AudioUnitScope],
    by addressing: Property.Addressing = .element, typeName: String, isRemovable: Bool = false,
    get: Get<UnsafeRawPointer?>?, set: Set<UnsafeRawPointer?>? = nil
  ) -> Property {
    var write: Property.Write?
    if let set {
      write = { (unit, address, data) throws(AudioError) in
        guard let data else { return try set(owner(unit), address, nil) }
        let object: UnsafeRawPointer? = try decode(data)
        guard object != nil || isRemovable else {
          throw .invalidPropertyValue.because("expected a \(typeName), not NULL")
        }
        try set(owner(unit), address, object)
      }
    }
    var read: Property.Read?
    if let get {
      read = { (unit, address, _) throws(AudioError) in
        Property.Value.object(try get(owner(unit), address))
      }
    }
    return Property(
      id, in: scopes, by: addressing, size: MemoryLayout<UnsafeRawPointer>.size,
      typeName: typeName, writability: .always, isRemovable: isRemovable, read: read, write: write)
  }

  /// A property whose C type contains the caller's input and the unit's output.
  static func exchange<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, in scopes: [AudioUnitScope], _ type: Value.Type,
    _ body: @escaping @Sendable (Owner, PropertyAddress, inout Value) throws(AudioError) -> Void
  ) -> Property {
    Property(
      id, in: scopes, by: .element, size: MemoryLayout<Value>.size, typeName: "\(Value.self)",
      writability: .never, hasInput: true,
      read: { (unit, address, input) throws(AudioError) in
        guard input.count >= MemoryLayout<Value>.size else {
          throw .invalidPropertyValue.because(
            "\(input.count) bytes cannot hold a \(Value.self) of \(MemoryLayout<Value>.size)")
        }
        var value = input.withUnsafeBytes { $0.loadUnaligned(as: Value.self) }
        try body(owner(unit), address, &value)
        return encode(value)
      }, write: nil)
  }

  /// A property that is an array, of limited length, with the caller's input and the unit's output.
  public static func exchange<Element: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, in scopes: [AudioUnitScope], upTo count: Int, of type: Element.Type,
    _ body:
      @escaping @Sendable (Owner, PropertyAddress, inout [Element]) throws(AudioError) -> Void
  ) -> Property {
    let stride = MemoryLayout<Element>.stride
    return Property(
      id, in: scopes, by: .element, size: count * stride, typeName: "[\(Element.self)]",
      writability: .never, hasInput: true,
      read: { (unit, address, input) throws(AudioError) in
        var values = (0..<input.count / stride).map { index in
          input.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: index * stride, as: Element.self)
          }
        }
        try body(owner(unit), address, &values)
        return .bytes(values.withUnsafeBytes { Array($0) })
      }, write: nil)
  }

  /// `kAudioUnitProperty_AudioChannelLayout`; `layout` returns the default for a bus without one.
  public static func layout(
    in scopes: [AudioUnitScope],
    default layout: @escaping @Sendable (Owner, Element) throws(AudioError) -> [UInt8]?
  ) -> Property {
    bytes(
      kAudioUnitProperty_AudioChannelLayout, in: scopes, typeName: "AudioChannelLayout",
      isRemovable: true,
      get: { (unit, address) throws(AudioError) in
        let element = try unit.element(address.scope, address.element)
        if let layout = element.layout { return layout }
        guard let layout = try layout(unit, element) else {
          throw .propertyNotInUse.because("no layout is set")
        }
        return layout
      },
      set: { (unit, address, data) throws(AudioError) in try unit.setLayout(data, address) })
  }

  /// A property whose `set` reads the host's memory itself; nil removes the value.
  public static func memory(
    _ id: AudioUnitPropertyID, in scopes: [AudioUnitScope], size: Int?, typeName: String,
    isRemovable: Bool = false, get: Get<[UInt8]>? = nil,
    set: @escaping Set<UnsafeRawBufferPointer?>
  ) -> Property {
    var read: Property.Read?
    if let get {
      read = { (unit, address, _) throws(AudioError) in .bytes(try get(owner(unit), address)) }
    }
    return Property(
      id, in: scopes, size: size, typeName: typeName, writability: .always,
      isRemovable: isRemovable, read: read,
      write: { (unit, address, data) throws(AudioError) in
        try set(owner(unit), address, data)
      })
  }

  /// A property of varying length, as bytes.
  package static func bytes(
    _ id: AudioUnitPropertyID, in scopes: [AudioUnitScope],
    by addressing: Property.Addressing = .element, size: Int? = nil, typeName: String,
    isRemovable: Bool = false, get: @escaping Get<[UInt8]>,
    set: Set<UnsafeRawBufferPointer?>? = nil
  ) -> Property {
    var write: Property.Write?
    if let set {
      write = { (unit, address, data) throws(AudioError) in try set(owner(unit), address, data) }
    }
    return Property(
      id, in: scopes, by: addressing, size: size, typeName: typeName, writability: .always,
      isRemovable: isRemovable,
      read: { (unit, address, _) throws(AudioError) in
        Property.Value.bytes(try get(owner(unit), address))
      }, write: write)
  }

  /// The unit as its family. Only units of that family look up its rows.
  private static func owner(_ unit: NativeUnit) -> Owner { unsafeDowncast(unit, to: Owner.self) }

  private static func encode<Value: BitwiseCopyable>(_ value: Value) -> Property.Value {
    .bytes(withUnsafeBytes(of: value) { Array($0) })
  }

  private static func decode<Value: BitwiseCopyable>(_ data: UnsafeRawBufferPointer)
    throws(AudioError) -> Value
  {
    // The last field of a stream format is reserved, and some callers leave it out.
    let minimum =
      MemoryLayout<Value>.size - (Value.self == AudioStreamBasicDescription.self ? 4 : 0)
    // A newer version of a struct may be longer; a number of another size is a different type.
    let isNumber = Value.self is any Numeric.Type
    guard data.count >= minimum, !isNumber || data.count == minimum else {
      throw .invalidPropertyValue.because(
        "\(data.count) bytes were given, \(Value.self) has \(MemoryLayout<Value>.size)")
    }
    guard data.count >= MemoryLayout<Value>.size else {
      let padded = Array(data) + [UInt8](repeating: 0, count: MemoryLayout<Value>.size - data.count)
      return padded.withUnsafeBytes { $0.loadUnaligned(as: Value.self) }
    }
    return data.loadUnaligned(as: Value.self)
  }
}
