// SPDX-License-Identifier: Apache-2.0
@_spi(TrappingConversions) import CheckedNumbers

/// Tempos as Standard MIDI Files have them: microseconds per quarter note in three bytes.
package enum MIDIFileTempo {
  /// The tempo; nil if the bytes are none.
  package static func beatsPerMinute(_ bytes: [UInt8]) -> Double? {
    guard bytes.count >= 3 else { return nil }
    let microseconds = bytes[..<3].reduce(0) { $0 << 8 | Int($1) }
    return microseconds > 0 ? 60_000_000 / Double(microseconds) : nil
  }

  /// The bytes of the nearest tempo.
  package static func bytes(_ beatsPerMinute: Double) -> [UInt8] {
    let microseconds = min(max((60_000_000 / beatsPerMinute).rounded(), 1), 0xff_ffff)
    let number = UInt32(saturating: microseconds)
    return [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
