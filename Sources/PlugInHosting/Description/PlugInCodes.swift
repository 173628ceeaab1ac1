// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

extension PlugInDescription {
  /// The codes of its component; nil if it has neither sound nor MIDI.
  public var codes: PlugInCodes? {
    guard let type else { return nil }
    if let ownCodes { return ownCodes }
    let hash = Self.hash64(identifier.utf8)
    let makerHash = Self.hash64(maker.utf8)
    return PlugInCodes(
      type: type, subType: Self.code(Self.characters(hash, 4)),
      manufacturer: Self.code([format.initial] + Self.characters(makerHash, 3)))
  }

  /// The type of its component, from its ports; nil if it has neither sound nor MIDI.
  var type: OSType? {
    let (takesSound, makesSound) = (
      inputs.contains { $0.role != .control }, outputs.contains { $0.role != .control }
    )
    switch (takesSound, makesSound) {
    case (true, true) where kind == .instrument && acceptsMIDI: return kAudioUnitType_MusicDevice
    case (true, true): return acceptsMIDI ? kAudioUnitType_MusicEffect : kAudioUnitType_Effect
    case (false, true): return acceptsMIDI ? kAudioUnitType_MusicDevice : kAudioUnitType_Generator
    case (true, false): return kAudioUnitType_MusicEffect
    case (false, false):
      return acceptsMIDI || sendsMIDI ? kAudioUnitType_MIDIProcessor : nil
    }
  }

  /// FNV-1a of 64 bits.
  static func hash64(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
  /// FNV-1a of 32 bits.
  static func hash32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(0x811c_9dc5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }

  private static let digits = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

  /// The lowest digits of a number in base 62.
  private static func characters(_ number: UInt64, _ count: Int) -> [Character] {
    var rest = number
    return (0..<count).map { _ in
      let digit = digits[Int(rest % 62)]
      rest /= 62
      return digit
    }
  }

  private static func code(_ characters: [Character]) -> UInt32 {
    characters.reduce(0) { $0 << 8 | UInt32($1.asciiValue ?? 0) }
  }
}
