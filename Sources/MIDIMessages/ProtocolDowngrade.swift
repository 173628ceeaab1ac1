// SPDX-License-Identifier: Apache-2.0

/// Converts channel messages of MIDI 2.0 to those of MIDI 1.0, by the translation rules of the UMP
/// and MIDI 2.0 Protocol specification. Other messages stay as they are.
package enum ProtocolDowngrade {
  /// [any thread] Appends what a message becomes. Messages that MIDI 1.0 does not have are dropped:
  /// controllers and bends of single notes, and relative values.
  package static func convert(_ message: UniversalMessage, into words: inout [UInt32]) {
    words.append(convert(message))
  }

  /// [any thread] The same, without the heap.
  @_noLocks
  package static func convert(_ message: UniversalMessage) -> ConvertedMessages {
    guard message.type == 4 else { return ConvertedMessages(message) }
    var converted = ConvertedMessages()
    let (note, value) = (message.first, message.value)
    switch message.status {
    case 0x2, 0x3:
      let upper: UInt32 = message.status == 0x2 ? 101 : 99
      append(message, 0xb, upper, message.first, to: &converted)
      append(message, 0xb, upper - 1, message.second, to: &converted)
      append(message, 0xb, 6, value >> 25, to: &converted)
      append(message, 0xb, 38, value >> 18 & 127, to: &converted)
    case 0x8: append(message, 0x8, note, value >> 25, to: &converted)
    // Velocity 0 would be a note-off.
    case 0x9: append(message, 0x9, note, max(1, value >> 25), to: &converted)
    case 0xa: append(message, 0xa, note, value >> 25, to: &converted)
    case 0xb:
      switch note {
      // These are parts of other messages in MIDI 2.0.
      case 0, 6, 32, 38, 98...101: break
      default: append(message, 0xb, note, value >> 25, to: &converted)
      }
    case 0xc:
      if message.words[0] & 1 == 1 {
        append(message, 0xb, 0, value >> 8, to: &converted)
        append(message, 0xb, 32, value, to: &converted)
      }
      append(message, 0xc, value >> 24, 0, to: &converted)
    case 0xd: append(message, 0xd, value >> 25, 0, to: &converted)
    case 0xe: append(message, 0xe, value >> 18, value >> 25, to: &converted)
    default: break
    }
    return converted
  }

  /// Adds a message on the channel of another one.
  @_noLocks
  private static func append(
    _ message: UniversalMessage, _ status: UInt32, _ first: UInt32, _ second: UInt32,
    to converted: inout ConvertedMessages
  ) {
    converted.append(
      .channelVoice1(
        group: message.group, status: status, channel: message.channel, first, second))
  }
}
