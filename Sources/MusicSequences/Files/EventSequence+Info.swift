// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

extension EventSequence {
  /// What its meta events say about it, under the keys of sound files. [control thread]
  package var info: [String: PropertyList] {
    var info: [String: PropertyList] = [:]
    func add(_ key: String, _ text: String) {
      if info[key] == nil, !text.isEmpty { info[key] = .string(text) }
    }
    let tempoEvents = (try? tempoTrack.events) ?? []
    for event in tempoEvents + tracks.flatMap(\.events) {
      switch event.message {
      case .tempo(let tempo): add(kAFInfoDictionary_Tempo, Self.text(tempo))
      case .meta(0x01, let bytes): add(kAFInfoDictionary_Comments, Self.text(bytes))
      case .meta(0x02, let bytes): add(kAFInfoDictionary_Copyright, Self.text(bytes))
      case .meta(0x03, let bytes): add(kAFInfoDictionary_Title, Self.text(bytes))
      case .meta(0x58, let bytes) where bytes.count >= 2 && bytes[1] <= 10:
        add(kAFInfoDictionary_TimeSignature, "\(bytes[0])/\(1 << Int(bytes[1]))")
      case .meta(0x59, let bytes) where bytes.count >= 2:
        add(kAFInfoDictionary_KeySignature, Self.keySignature(bytes))
      default: break
      }
    }
    let seconds = tempos.seconds(length)
    if seconds > 0 {
      info[kAFInfoDictionary_ApproximateDurationInSeconds] = .string(Self.text(seconds))
    }
    return info
  }

  /// A number with at most three places.
  private static func text(_ number: Double) -> String {
    ((number * 1_000).rounded() / 1_000).plainText
  }

  /// A text in UTF-8, or in Latin-1 if it is not UTF-8.
  private static func text(_ bytes: [UInt8]) -> String {
    String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// "D", or "B minor", from the number of sharps, or of flats if it is negative, and the mode.
  private static func keySignature(_ bytes: [UInt8]) -> String {
    let majors = [
      "Cb", "Gb", "Db", "Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#",
    ]
    let minors = [
      "Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#", "G#", "D#", "A#",
    ]
    let index = 7 + Int(Int8(bitPattern: bytes[0]))
    guard majors.indices.contains(index) else { return "" }
    return bytes[1] == 1 ? "\(minors[index]) minor" : majors[index]
  }
}
