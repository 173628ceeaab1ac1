// SPDX-License-Identifier: Apache-2.0
import AudioConversion
public import AudioSupport
public import CAudioToolbox

/// One query of formats and layouts, declared once.
struct FormatQuestion: Sendable {
  /// Returns the answer; `data` is the contents of the caller's memory, for queries with an input
  /// part there.
  typealias Answer =
    @Sendable (_ specifier: FormatSpecifier, _ data: UnsafeRawBufferPointer) throws(AudioError) ->
    FormatAnswer

  let id: AudioFormatPropertyID
  let answer: Answer

  init(_ id: AudioFormatPropertyID, _ answer: @escaping Answer) {
    self.id = id
    self.answer = answer
  }
}

/// An answer: bytes, or a text that becomes a CFString when it is read.
enum FormatAnswer {
  case bytes([UInt8])
  case text(String)

  /// A value of a C type.
  static func value<Value: BitwiseCopyable>(_ value: Value) -> FormatAnswer {
    .bytes(withUnsafeBytes(of: value) { Array($0) })
  }

  /// 1 or 0, as a UInt32.
  static func flag(_ value: Bool) -> FormatAnswer { .value(UInt32(value ? 1 : 0)) }

  /// An array of a C type.
  static func array<Value: BitwiseCopyable>(_ values: [Value]) -> FormatAnswer {
    .bytes(values.withUnsafeBytes { Array($0) })
  }

  var size: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .text: MemoryLayout<UnsafeRawPointer>.size
    }
  }
}

/// The specifier of a query, as the caller gave it.
struct FormatSpecifier {
  let bytes: UnsafeRawBufferPointer

  /// The specifier as a C type; for a stream description the last four bytes may be missing.
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

  /// The layout at a pointer, whose own fields give its length.
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
        "\(bytes.count) bytes as a layout, which has 12 at least")
    }
    guard let layout = ChannelLayout(bytes) else {
      let tag = bytes.loadUnaligned(as: UInt32.self)
      throw AudioError(status: kAudioFormatUnknownFormatError).because(
        "there is no known layout with tag 0x\(String(tag, radix: 16)), or it is cut off")
    }
    return layout
  }
}

/// The properties of AudioFormat, without a converter.
public enum FormatQuestions {
  static let all: [FormatQuestion] = formats + layouts + codecs

  private static func answer(
    _ id: AudioFormatPropertyID, _ specifier: UnsafeRawBufferPointer, _ data: UnsafeRawBufferPointer
  ) throws(AudioError) -> FormatAnswer {
    guard let question = all.first(where: { $0.id == id }) else {
      throw AudioError(status: kAudioFormatUnsupportedPropertyError).because(
        "formats have no property '\(FourCharacterCode(id))'")
    }
    return try question.answer(FormatSpecifier(bytes: specifier), data)
  }

  /// [control thread] The size of an answer in bytes.
  public static func size(of id: AudioFormatPropertyID, _ specifier: UnsafeRawBufferPointer)
    throws(AudioError) -> Int
  {
    if id == kAudioFormatProperty_FormatInfo {
      return MemoryLayout<AudioStreamBasicDescription>.size
    }
    return try answer(id, specifier, UnsafeRawBufferPointer(start: nil, count: 0)).size
  }

  /// [control thread] Writes the answer to memory of `size` bytes and sets `size` to its size.
  ///
  /// Of an array, as many elements as fit.
  public static func read(
    _ id: AudioFormatPropertyID, _ specifier: UnsafeRawBufferPointer,
    into memory: UnsafeMutableRawPointer?, size: UnsafeMutablePointer<UInt32>?
  ) throws(AudioError) {
    let room = Int(size?.pointee ?? 0)
    let answer = try answer(
      id, specifier, UnsafeRawBufferPointer(start: memory, count: memory == nil ? 0 : room))
    // The query is only whether a layout is consistent.
    guard answer.size > 0 else {
      size?.pointee = 0
      return
    }
    guard let memory else { throw .null("outPropertyData") }
    guard let size else { throw .null("ioPropertyDataSize") }
    guard room >= answer.size else {
      throw AudioError(status: kAudioFormatBadPropertySizeError).because(
        "'\(FourCharacterCode(id))' has \(answer.size) bytes, there is room for \(room)")
    }
    switch answer {
    case .bytes(let bytes): memory.copyMemory(from: bytes, byteCount: bytes.count)
    case .text(let text):
      memory.storeBytes(of: Bridge.current.retainedString(text), as: UnsafeRawPointer.self)
    }
    size.pointee = UInt32(answer.size)
  }
}
