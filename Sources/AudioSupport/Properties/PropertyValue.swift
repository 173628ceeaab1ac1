// SPDX-License-Identifier: Apache-2.0

/// The value of a property, as it is read.
public enum PropertyValue {
  /// A value of a C type, or an array of such values of `step` bytes each.
  case bytes([UInt8], of: Any.Type, step: Int)
  /// UTF-8 that ends with a zero.
  case text(String)
  /// A CFString, made for each reader, who then owns it. So are the objects that follow.
  case string(String)
  /// A CFURL of a file.
  case file(String)
  /// A tree of Core Foundation objects.
  case list(PropertyList)
  /// A CFArray of pointers to AUPreset.
  case presets([FactoryPreset])
  /// NULL instead of an object.
  case null

  /// A value of a C type.
  @inlinable
  public static func value<Value: BitwiseCopyable>(_ value: Value) -> PropertyValue {
    .bytes(withUnsafeBytes(of: value) { Array($0) }, of: Value.self, step: MemoryLayout<Value>.size)
  }

  /// An array of a C type.
  @inlinable
  public static func array<Element: BitwiseCopyable>(_ values: [Element]) -> PropertyValue {
    .bytes(
      values.withUnsafeBytes { Array($0) }, of: Element.self, step: MemoryLayout<Element>.stride)
  }

  /// A UInt32 of 1 or 0.
  @inlinable
  public static func flag(_ isOn: Bool) -> PropertyValue { .value((isOn ? 1 : 0) as UInt32) }

  /// A C structure of varying length.
  @inlinable
  public static func structure<Value>(_ bytes: [UInt8], _: Value.Type) -> PropertyValue {
    .bytes(bytes, of: Value.self, step: bytes.count)
  }

  /// Its size in bytes.
  public var size: Int {
    switch self {
    case .bytes(let bytes, _, _): bytes.count
    case .text(let text): text.utf8.count + 1
    case .string, .file, .list, .presets, .null: MemoryLayout<UnsafeRawPointer>.size
    }
  }

  /// Writes it into `room` bytes and returns how many were written; nil if there is too little
  /// room. A value that `truncation` permits to cut is cut.
  public func write(
    to memory: UnsafeMutableRawPointer, room: Int, truncation: PropertyFamily.Truncation = .none
  ) -> Int? {
    switch self {
    case .bytes(let bytes, _, let step):
      var count = min(bytes.count, room)
      if count < bytes.count {
        switch truncation {
        case .none: return nil
        case .elements, .elementsOrNone:
          guard count >= step || truncation == .elementsOrNone else { return nil }
          count -= count % step
        case .bytes: break
        }
      }
      bytes.withUnsafeBytes {
        if let start = $0.baseAddress { memory.copyMemory(from: start, byteCount: count) }
      }
      return count
    case .text(let text):
      guard room >= (truncation == .none ? size : 1) else { return nil }
      // A truncated text still ends with a zero.
      let bytes = Array(text.utf8.prefix(room - 1)) + [0]
      memory.copyMemory(from: bytes, byteCount: bytes.count)
      return bytes.count
    case .string(let text): return store(Bridge.current.retainedString(text), memory, room)
    case .file(let path): return store(Bridge.current.retainedFileURL(path), memory, room)
    case .list(let list): return store(Bridge.current.retainedPropertyList(list), memory, room)
    case .presets(let presets): return store(Bridge.current.retainedPresets(presets), memory, room)
    case .null: return store(nil, memory, room)
    }
  }

  private func store(
    _ object: @autoclosure () -> UnsafeRawPointer?, _ memory: UnsafeMutableRawPointer, _ room: Int
  ) -> Int? {
    guard room >= size else { return nil }
    memory.storeBytes(of: object(), as: UnsafeRawPointer?.self)
    return size
  }
}
