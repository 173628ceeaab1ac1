// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// One property of converters, declared once: size, checks and writability follow from its row.
struct ConverterProperty: Sendable {
  /// Reads a value. The bytes are the caller's memory, for properties with an input part.
  typealias Read = @Sendable (Converter, UnsafeRawBufferPointer) throws(AudioError) -> [UInt8]
  /// Checks and applies bytes.
  typealias Write = @Sendable (Converter, UnsafeRawBufferPointer) throws(AudioError) -> Void

  let id: AudioConverterPropertyID
  /// The size of a value that must not be created just to measure it, because it depends on an
  /// input part, or is an object that the caller would have to release.
  let fixedSize: Int?
  let read: Read
  let write: Write?

  private init(
    _ id: AudioConverterPropertyID, fixedSize: Int? = nil, read: @escaping Read, write: Write?
  ) {
    self.id = id
    self.fixedSize = fixedSize
    self.read = read
    self.write = write
  }

  /// A value of a C type.
  static func value<Value: BitwiseCopyable>(
    _ id: AudioConverterPropertyID,
    get: @escaping @Sendable (Converter) throws(AudioError) -> Value,
    set: (@Sendable (Converter, Value) throws(AudioError) -> Void)? = nil
  ) -> ConverterProperty {
    var write: Write?
    if let set {
      write = { (converter, data) throws(AudioError) in
        guard data.count == MemoryLayout<Value>.size else {
          throw .converterPropertySize.because(
            "\(data.count) bytes; \(Value.self) has \(MemoryLayout<Value>.size)")
        }
        try set(converter, data.loadUnaligned(as: Value.self))
      }
    }
    return ConverterProperty(
      id,
      read: { (converter, _) throws(AudioError) in
        let value = try get(converter)
        return withUnsafeBytes(of: value) { Array($0) }
      }, write: write)
  }

  /// An array of a C type.
  static func array<Element: BitwiseCopyable>(
    _ id: AudioConverterPropertyID,
    get: @escaping @Sendable (Converter) throws(AudioError) -> [Element],
    set: (@Sendable (Converter, [Element]) throws(AudioError) -> Void)? = nil
  ) -> ConverterProperty {
    let stride = MemoryLayout<Element>.stride
    var write: Write?
    if let set {
      write = { (converter, data) throws(AudioError) in
        guard data.count % stride == 0 else {
          throw .converterPropertySize.because("\(data.count) bytes are not whole \(Element.self)")
        }
        let values = (0..<data.count / stride).map {
          data.loadUnaligned(fromByteOffset: $0 * stride, as: Element.self)
        }
        try set(converter, values)
      }
    }
    return ConverterProperty(
      id,
      read: { (converter, _) throws(AudioError) in
        let values = try get(converter)
        return values.withUnsafeBytes { Array($0) }
      }, write: write)
  }

  /// A calculation: a number of bytes in, and another number out.
  static func calculation(
    _ id: AudioConverterPropertyID,
    _ calculate: @escaping @Sendable (Converter, Int) throws(AudioError) -> Int
  ) -> ConverterProperty {
    ConverterProperty(
      id, fixedSize: 4,
      read: { (converter, data) throws(AudioError) in
        guard data.count >= 4 else {
          throw .converterPropertySize.because("\(data.count) bytes; UInt32 has 4")
        }
        let result = try calculate(converter, Int(data.loadUnaligned(as: UInt32.self)))
        return withUnsafeBytes(of: UInt32(clamping: result)) { Array($0) }
      }, write: nil)
  }

  /// A structure that the caller fills in partly, and the property completes.
  static func completion<Value: BitwiseCopyable>(
    _ id: AudioConverterPropertyID,
    _ complete: @escaping @Sendable (Converter, Value) throws(AudioError) -> Value
  ) -> ConverterProperty {
    ConverterProperty(
      id, fixedSize: MemoryLayout<Value>.size,
      read: { (converter, data) throws(AudioError) in
        guard data.count >= MemoryLayout<Value>.size else {
          throw .converterPropertySize.because(
            "\(data.count) bytes; \(Value.self) has \(MemoryLayout<Value>.size)")
        }
        let result = try complete(converter, data.loadUnaligned(as: Value.self))
        return withUnsafeBytes(of: result) { Array($0) }
      }, write: nil)
  }

  /// A Core Foundation object, which the caller releases.
  static func object(
    _ id: AudioConverterPropertyID,
    get: @escaping @Sendable (Converter) throws(AudioError) -> PropertyList,
    set: (@Sendable (Converter, PropertyList) throws(AudioError) -> Void)? = nil
  ) -> ConverterProperty {
    let size = MemoryLayout<UnsafeRawPointer>.size
    var write: Write?
    if let set {
      write = { (converter, data) throws(AudioError) in
        guard data.count == size else {
          throw .converterPropertySize.because(
            "\(data.count) bytes; an object's address has \(size)")
        }
        guard let object = UnsafeRawPointer(bitPattern: data.loadUnaligned(as: UInt.self)),
          let list = Bridge.current.propertyList(object)
        else {
          throw .converterOperation.because(
            "the object is null, or contains something other than plain values")
        }
        try set(converter, list)
      }
    }
    return ConverterProperty(
      id, fixedSize: size,
      read: { (converter, room) throws(AudioError) in
        guard room.count >= size else {
          throw .converterPropertySize.because(
            "\(room.count) bytes; an object's address has \(size)")
        }
        let list = try get(converter)
        let object =
          list.string.map { Bridge.current.retainedString($0) }
          ?? Bridge.current.retainedPropertyList(list)
        return withUnsafeBytes(of: UInt(bitPattern: object)) { Array($0) }
      }, write: write)
  }
}

extension Converter {
  private static func row(_ id: AudioConverterPropertyID) throws(AudioError) -> ConverterProperty {
    guard let row = properties.first(where: { $0.id == id }) else {
      throw .converterProperty.because(
        "converters have no property '\(FourCharacterCode(id))' (\(id))")
    }
    return row
  }

  /// The identifiers of all properties.
  package static var propertyIDs: [AudioConverterPropertyID] { properties.map(\.id) }

  /// [control thread] The size of a property and whether it can be set.
  public func information(of id: AudioConverterPropertyID) throws(AudioError) -> (
    size: Int, isWritable: Bool
  ) {
    let row = try Self.row(id)
    if let size = row.fixedSize { return (size, row.write != nil) }
    let value = try row.read(self, UnsafeRawBufferPointer(start: nil, count: 0))
    return (value.count, row.write != nil)
  }

  /// [control thread] Reads a property into memory of `size` bytes and sets `size` to its size.
  public func read(
    _ id: AudioConverterPropertyID, into memory: UnsafeMutableRawPointer,
    size: UnsafeMutablePointer<UInt32>
  ) throws(AudioError) {
    let row = try Self.row(id)
    let value = try row.read(
      self, UnsafeRawBufferPointer(start: memory, count: Int(size.pointee)))
    guard size.pointee >= value.count else {
      throw .converterPropertySize.because(
        "'\(FourCharacterCode(id))' has \(value.count) bytes, there is room for \(size.pointee)")
    }
    value.withUnsafeBytes {
      if let start = $0.baseAddress { memory.copyMemory(from: start, byteCount: $0.count) }
    }
    size.pointee = UInt32(clamping: value.count)
  }

  /// [control thread] Sets a property.
  public func write(_ id: AudioConverterPropertyID, _ data: UnsafeRawBufferPointer)
    throws(AudioError)
  {
    let row = try Self.row(id)
    guard let write = row.write else {
      throw .converterOperation.because("'\(FourCharacterCode(id))' can only be read")
    }
    try exclusively { () throws(AudioError) in try write(self, data) }
  }
}
