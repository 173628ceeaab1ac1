// SPDX-License-Identifier: Apache-2.0
import AudioConversion
public import AudioSupport
public import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

extension PropertyFamily {
  /// The properties of AudioFormat, about formats and layouts.
  static let formats = PropertyFamily(
    "AudioFormat's",
    Errors(
      unknown: kAudioFormatUnsupportedPropertyError,
      unreadable: kAudioFormatUnsupportedPropertyError,
      readOnly: kAudioFormatUnsupportedPropertyError, size: kAudioFormatBadPropertySizeError,
      value: kAudio_ParamError))
}

extension PropertyRow where Owner == FormatSpecifier {
  /// A property of what the specifier names.
  convenience init(
    _ id: AudioFormatPropertyID,
    _ get: @escaping @Sendable (FormatSpecifier) throws(AudioError) -> PropertyValue
  ) {
    self.init(id, read: { (query) throws(AudioError) in try get(query.owner) })
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
  private static let table = PropertyTable<FormatSpecifier>(.formats, formats + layouts + codecs)

  /// The identifiers of all properties.
  package static var ids: [AudioFormatPropertyID] { table.rows.map(\.id) }

  /// [control thread] The size of a property's value in bytes.
  public static func size(of id: AudioFormatPropertyID, _ specifier: UnsafeRawBufferPointer)
    throws(AudioError) -> Int
  { try table.info(PropertyAddress(id), of: FormatSpecifier(bytes: specifier)).size }

  /// [control thread] Writes a property's value to memory of `size` bytes and sets `size` to the
  /// value's size. Throws when the value does not fit.
  public static func read(
    _ id: AudioFormatPropertyID, _ specifier: UnsafeRawBufferPointer,
    into memory: UnsafeMutableRawPointer?, size: UnsafeMutablePointer<UInt32>?
  ) throws(AudioError) {
    let address = PropertyAddress(id)
    let room = Int(size?.pointee ?? 0)
    let value = try table.value(
      address, of: FormatSpecifier(bytes: specifier),
      memory: UnsafeMutableRawBufferPointer(start: memory, count: memory == nil ? 0 : room))
    // Validating a layout returns no value.
    guard value.size > 0 else {
      size?.pointee = 0
      return
    }
    guard let memory else { throw .null("outPropertyData") }
    guard let size else { throw .null("ioPropertyDataSize") }
    size.pointee = try table.family.write(value, address, to: memory, room: room)
  }
}
