// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import CAudioToolbox

// An audio object as text, for debugging.
extension AudioObjects {
  /// [control thread] The properties of an object with their values, one line each. Those of a side
  /// follow with its scope.
  public static func text(of id: AudioObjectID) -> String {
    guard let selectors = selectors(of: id) else {
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
        // A side's value that equals the value of the whole object is not listed.
        guard shown[selector] != text else { continue }
        if scope == kAudioObjectPropertyScopeGlobal { shown[selector] = text }
        lines.append("  '\(FourCharacterCode(scope))' '\(FourCharacterCode(selector))': \(text)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension AudioObjectValue {
  /// Its text for display.
  fileprivate var text: String {
    switch self {
    case .numbers(let list): list.map(Self.words).joined(separator: ", ")
    case .real(let value): value.plainText
    case .float(let value): value.plainText
    case .ranges(let list):
      list.map {
        let (least, most) = ($0.mMinimum.plainText, $0.mMaximum.plainText)
        return least == most ? least : "\(least) to \(most)"
      }
      .joined(separator: ", ")
    case .format(let format): Self.words(format)
    case .formats(let list): list.map { Self.words($0.mFormat) }.joined(separator: "; ")
    case .layout(let labels): "labels \(labels.map { "\($0)" }.joined(separator: ", "))"
    case .null: "NULL"
    case .translation: "a translation"
    case .channels(let streams):
      streams.isEmpty
        ? "no stream"
        : "channels of its streams: \(streams.map { "\($0)" }.joined(separator: ", "))"
    case .usage(_, let streams):
      "streams used: \(streams.map { $0 ? "yes" : "no" }.joined(separator: ", "))"
    case .file(let path), .string(let path), .text(let path): "\"\(path)\""
    case .list(let list): Self.words(list)
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
