// SPDX-License-Identifier: Apache-2.0

/// Converts channel messages of MIDI 2.0 to those of MIDI 1.0, by the translation rules of the UMP
/// and MIDI 2.0 Protocol specification. Other messages stay as they are.
package enum ProtocolDowngrade {
  /// [any thread] Appends what a message becomes. Messages that MIDI 1.0 does not have are dropped:
  /// controllers and bends of single notes, and relative values.
  package static func convert(_ message: UniversalMessage, into words: inout [UInt32]) {
    guard message.type == 4 else { return words.append(message) }
    let (note, value) = (message.first, message.value)
    func append(_ status: UInt32, _ first: UInt32, _ second: UInt32) {
      words.append(
        .channelVoice1(
          group: message.group, status: status, channel: message.channel, first, second))
    }
    switch message.status {
    case 0x2, 0x3:
      let numbers: (UInt32, UInt32) = message.status == 0x2 ? (101, 100) : (99, 98)
      append(0xb, numbers.0, message.first)
      append(0xb, numbers.1, message.second)
      append(0xb, 6, value >> 25)
      append(0xb, 38, value >> 18 & 127)
    case 0x8: append(0x8, note, value >> 25)
    // Velocity 0 would be a note-off.
    case 0x9: append(0x9, note, max(1, value >> 25))
    case 0xa: append(0xa, note, value >> 25)
    case 0xb:
      // These are parts of other messages in MIDI 2.0.
      guard ![0, 6, 32, 38, 98, 99, 100, 101].contains(note) else { return }
      append(0xb, note, value >> 25)
    case 0xc:
      if message.words[0] & 1 == 1 {
        append(0xb, 0, value >> 8)
        append(0xb, 32, value)
      }
      append(0xc, value >> 24, 0)
    case 0xd: append(0xd, value >> 25, 0)
    case 0xe: append(0xe, value >> 18, value >> 25)
    default: break
    }
  }
}
