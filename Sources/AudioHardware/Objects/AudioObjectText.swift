// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import CAudioToolbox

// An audio object as text, for debugging.
extension AudioObjects {
  /// [control thread] The properties of an object with their values, one line each. Those of an
  /// endpoint follow with its scope.
  public static func text(of id: AudioObjectID) -> String {
    guard let selectors = try? selectors(of: id) else {
      return "AudioObject \(id): there is no such object\n"
    }
    let scopes = [
      kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyScopeOutput,
      kAudioObjectPropertyScopeInput,
    ]
    var lines = ["AudioObject \(id)"]
    var shown: [AudioObjectPropertySelector: String] = [:]
    for scope in scopes {
      for selector in selectors {
        let address = AudioObjectPropertyAddress(
          mSelector: selector, mScope: scope, mElement: kAudioObjectPropertyElementMain)
        guard let value = try? value(id, address) else { continue }
        let text = value.text
        // An endpoint's value that equals the value of the whole object is not listed.
        guard shown[selector] != text else { continue }
        if scope == kAudioObjectPropertyScopeGlobal { shown[selector] = text }
        lines.append("  '\(FourCharacterCode(scope))' '\(FourCharacterCode(selector))': \(text)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension PropertyValue {
  /// Its text for display.
  fileprivate var text: String {
    switch self {
    case .bytes(let bytes, let type, _): bytes.withUnsafeBytes { Self.words($0, type) }
    case .null: "NULL"
    case .file(let path), .string(let path), .text(let path): "\"\(path)\""
    case .list(let list): Self.words(list)
    case .presets(let presets): presets.map(\.name).joined(separator: ", ")
    }
  }

  private static func words(_ bytes: UnsafeRawBufferPointer, _ type: Any.Type) -> String {
    /// The elements of an array, each followed by others of its structure.
    func elements<Element: BitwiseCopyable>(
      _: Element.Type, from start: Int = 0, every stride: Int = MemoryLayout<Element>.stride
    ) -> [Element] {
      Swift.stride(from: start, to: bytes.count, by: stride).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: Element.self)
      }
    }
    func joined(_ texts: [String]) -> String { texts.joined(separator: ", ") }
    switch type {
    case is UInt32.Type: return joined(elements(UInt32.self).map(words))
    case is Float64.Type: return joined(elements(Float64.self).map(\.plainText))
    case is Float32.Type: return joined(elements(Float32.self).map(\.plainText))
    case is AudioValueRange.Type:
      return joined(
        elements(AudioValueRange.self).map {
          let (least, most) = ($0.mMinimum.plainText, $0.mMaximum.plainText)
          return least == most ? least : "\(least) to \(most)"
        })
    case is AudioStreamBasicDescription.Type:
      return joined(elements(AudioStreamBasicDescription.self).map(words))
    case is AudioStreamRangedDescription.Type:
      return elements(AudioStreamRangedDescription.self).map { words($0.mFormat) }
        .joined(separator: "; ")
    case is AudioChannelLayout.Type:
      let stride = MemoryLayout<AudioChannelDescription>.stride
      return "labels " + joined(elements(UInt32.self, from: 12, every: stride).map { "\($0)" })
    case is AudioBufferList.Type:
      let counts = elements(UInt32.self, from: 8, every: MemoryLayout<AudioBuffer>.stride)
      return counts.isEmpty
        ? "no stream" : "channels of its streams: " + joined(counts.map { "\($0)" })
    case is AudioHardwareIOProcStreamUsage.Type:
      let used = elements(UInt32.self, from: 12, every: 4)
      return "streams used: " + joined(used.map { $0 == 0 ? "no" : "yes" })
    default: return "a translation"
    }
  }

  private static func words(_ list: PropertyList) -> String {
    switch list {
    case .string(let text): "\"\(text)\""
    case .integer(let number): "\(number)"
    case .real(let number): number.plainText
    case .bool(let value): value ? "yes" : "no"
    case .data(let bytes): "\(bytes.count) bytes"
    case .array(let entries): "[\(entries.map(words).joined(separator: ", "))]"
    case .dictionary(let entries):
      "{"
        + entries.sorted { $0.key < $1.key }.map { "\($0.key): \(words($0.value))" }
        .joined(separator: ", ") + "}"
    }
  }

  /// A number, or a four-character code if it is one.
  private static func words(_ number: UInt32) -> String {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    return bytes.allSatisfy { (32...126).contains($0) }
      ? "'\(FourCharacterCode(number))'" : "\(number)"
  }

  private static func words(_ format: AudioStreamBasicDescription) -> String {
    "'\(FourCharacterCode(format.mFormatID))' \(format.mSampleRate.plainText) Hz, \(format.mChannelsPerFrame) "
      + "channels, \(format.mBitsPerChannel) bits, flags \(format.mFormatFlags)"
  }
}
