// SPDX-License-Identifier: Apache-2.0
import AudioConversion
public import AudioSupport
public import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// One property of AudioFormat, about formats or layouts, declared once.
struct FormatProperty: Sendable {
  /// Returns the value. `data` is the caller's memory, for properties with an input part in it.
  typealias Getter =
    @Sendable (_ specifier: FormatSpecifier, _ data: UnsafeRawBufferPointer) throws(AudioError) ->
    FormatPropertyValue

  let id: AudioFormatPropertyID
  let get: Getter

  init(_ id: AudioFormatPropertyID, _ get: @escaping Getter) {
    self.id = id
    self.get = get
  }
}

/// The value of a property: bytes, or a text that becomes a CFString when it is read.
enum FormatPropertyValue {
  case bytes([UInt8])
  case text(String)

  /// A value of a C type.
  static func value<Value: BitwiseCopyable>(_ value: Value) -> FormatPropertyValue {
    .bytes(withUnsafeBytes(of: value) { Array($0) })
  }

  /// 1 or 0, as a UInt32.
  static func flag(_ value: Bool) -> FormatPropertyValue { .value((value ? 1 : 0) as UInt32) }

  /// An array of a C type.
  static func array<Value: BitwiseCopyable>(_ values: [Value]) -> FormatPropertyValue {
    .bytes(values.withUnsafeBytes { Array($0) })
  }

  var size: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .text: MemoryLayout<UnsafeRawPointer>.size
    }
  }
}

/// The specifier of a property, as the caller passed it.
struct FormatSpecifier {
  let bytes: UnsafeRawBufferPointer

  /// The specifier as a C type.
  func value<Value: BitwiseCopyable>(_ type: Value.Type = Value.self) throws(AudioError) -> Value {
    let size = MemoryLayout<Value>.size
    guard bytes.count >= size else {
      throw AudioError(status: kAudioFormatBadSpecifierSizeError).because(
        "\(bytes.count) bytes as the specifier; \(Value.self) has \(size)")
    }
    return bytes.loadUnaligned(as: Value.self)
  }

  /// The specifier as an array.
  func array<Value: BitwiseCopyable>(_ type: Value.Type = Value.self) throws(AudioError) -> [Value]
  {
    let stride = MemoryLayout<Value>.stride
    guard bytes.count >= stride, bytes.count % stride == 0 else {
      throw AudioError(status: kAudioFormatBadSpecifierSizeError).because(
        "\(bytes.count) bytes as the specifier; one \(Value.self) has \(stride)")
    }
    return (0..<bytes.count / stride).map {
      bytes.loadUnaligned(fromByteOffset: $0 * stride, as: Value.self)
    }
  }

  /// The specifier as a layout.
  func layout() throws(AudioError) -> ChannelLayout {
    try Self.layout(bytes)
  }

  /// The layouts at an array of two pointers.
  func layouts() throws(AudioError) -> (ChannelLayout, ChannelLayout) {
    let pointers = try array(UnsafeRawPointer?.self)
    guard pointers.count >= 2 else {
      throw AudioError(status: kAudioFormatBadSpecifierSizeError).because(
        "\(pointers.count) pointers as the specifier; expected two layouts")
    }
    return (try Self.layout(at: pointers[0]), try Self.layout(at: pointers[1]))
  }

  /// The layout at a pointer; its fields contain its length.
  static func layout(at pointer: UnsafeRawPointer?) throws(AudioError) -> ChannelLayout {
    guard let pointer else { throw .null("a layout") }
    let count = pointer.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
    guard count <= 65_536 else {
      throw AudioError(status: kAudioFormatUnknownFormatError).because(
        "a layout with \(count) descriptions")
    }
    return try layout(UnsafeRawBufferPointer(start: pointer, count: 12 + 20 * Int(count)))
  }

  private static func layout(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> ChannelLayout {
    guard bytes.count >= 12 else {
      throw AudioError(status: kAudioFormatBadSpecifierSizeError).because(
        "\(bytes.count) bytes as a layout; expected at least 12")
    }
    guard let layout = ChannelLayout(bytes) else {
      let tag = bytes.loadUnaligned(as: UInt32.self)
      throw AudioError(status: kAudioFormatUnknownFormatError).because(
        "there is no known layout with tag 0x\(String(tag, radix: 16)), or it is cut off")
    }
    return layout
  }
}

/// The global properties of AudioFormat, which need no converter.
public enum FormatProperties {
  static let all: [FormatProperty] = formats + layouts + codecs

  /// The identifiers of all properties.
  package static var ids: [AudioFormatPropertyID] { all.map(\.id) }

  private static func value(
    _ id: AudioFormatPropertyID, _ specifier: UnsafeRawBufferPointer, _ data: UnsafeRawBufferPointer
  ) throws(AudioError) -> FormatPropertyValue {
    guard let property = all.first(where: { $0.id == id }) else {
      throw AudioError(status: kAudioFormatUnsupportedPropertyError).because(
        "formats have no property '\(FourCharacterCode(id))'")
    }
    return try property.get(FormatSpecifier(bytes: specifier), data)
  }

  /// [control thread] The size of a property's value in bytes.
  public static func size(of id: AudioFormatPropertyID, _ specifier: UnsafeRawBufferPointer)
    throws(AudioError) -> Int
  {
    if id == kAudioFormatProperty_FormatInfo {
      return MemoryLayout<AudioStreamBasicDescription>.size
    }
    return try value(id, specifier, UnsafeRawBufferPointer(start: nil, count: 0)).size
  }

  /// [control thread] Writes a property's value to memory of `size` bytes and sets `size` to the
  /// value's size. Throws when the value does not fit.
  public static func read(
    _ id: AudioFormatPropertyID, _ specifier: UnsafeRawBufferPointer,
    into memory: UnsafeMutableRawPointer?, size: UnsafeMutablePointer<UInt32>?
  ) throws(AudioError) {
    let room = Int(size?.pointee ?? 0)
    let value = try value(
      id, specifier, UnsafeRawBufferPointer(start: memory, count: memory == nil ? 0 : room))
    // Validating a layout returns no value.
    guard value.size > 0 else {
      size?.pointee = 0
      return
    }
    guard let memory else { throw .null("outPropertyData") }
    guard let size else { throw .null("ioPropertyDataSize") }
    guard room >= value.size else {
      throw AudioError(status: kAudioFormatBadPropertySizeError).because(
        "'\(FourCharacterCode(id))' has \(value.size) bytes, there is room for \(room)")
    }
    switch value {
    case .bytes(let bytes): memory.copyMemory(from: bytes, byteCount: bytes.count)
    case .text(let text):
      memory.storeBytes(of: Bridge.current.retainedString(text), as: UnsafeRawPointer.self)
    }
    size.pointee = UInt32(clamping: value.size)
  }
}
