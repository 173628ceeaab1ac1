// SPDX-License-Identifier: Apache-2.0

/// A message of MIDI 1.0 of one to three bytes: on a channel, or of the system.
package struct ShortMessage: BitwiseCopyable, Equatable, Sendable {
  package let status: UInt8
  package let first: UInt8
  package let second: UInt8
  /// The number of bytes.
  package let length: Int

  /// [any thread] The message with these bytes; nil if the first one is no status of such a message.
  @_noLocks
  package init?(_ status: UInt8, _ first: UInt8, _ second: UInt8) {
    switch status {
    case 0x80..<0xc0, 0xe0..<0xf0, 0xf2: length = 3
    case 0xc0..<0xe0, 0xf1, 0xf3: length = 2
    case 0xf6, 0xf8...0xff: length = 1
    default: return nil
    }
    self.status = status
    self.first = length > 1 ? first & 127 : 0
    self.second = length > 2 ? second & 127 : 0
  }

  /// [any thread] The bytes of a Universal MIDI Packet; nil if it is not of type 1 or 2.
  @_noLocks
  package init?(_ message: UniversalMessage) {
    let status = UInt8(truncatingIfNeeded: message.words[0] >> 16)
    guard message.type == 1 ? status > 0xf0 : message.type == 2 && status < 0xf0 else {
      return nil
    }
    self.init(
      status, UInt8(truncatingIfNeeded: message.first), UInt8(truncatingIfNeeded: message.second))
  }

  /// [any thread] The Universal MIDI Packet of a group.
  @_noLocks
  package func message(group: UInt8) -> UniversalMessage {
    UniversalMessage(
      (status < 0xf0 ? 2 : 1) << 28 | UInt32(group & 15) << 24 | UInt32(status) << 16
        | UInt32(first) << 8 | UInt32(second))
  }
}
