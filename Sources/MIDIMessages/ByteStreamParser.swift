// SPDX-License-Identifier: Apache-2.0

/// Reads the bytes of MIDI 1.0 and makes Universal MIDI Packets of them: types 1, 2 and 3.
///
/// It accepts running status, real-time bytes anywhere, and messages that continue in the next
/// bytes. What is not a message is left out.
package struct ByteStreamParser {
  private let group: UInt32
  /// The status of the message that is being read; 0: none.
  private var status: UInt8 = 0
  private var firstData: UInt8?
  private var systemExclusive: SystemExclusive?

  /// The part of a system exclusive message that has not been emitted yet: up to six bytes, the
  /// first one in the highest of 48 bits.
  private struct SystemExclusive: BitwiseCopyable {
    var data: UInt64 = 0
    var count: UInt32 = 0
    var hasBegun = false
  }

  /// A reader of bytes for the messages of a group.
  package init(group: UInt32 = 0) { self.group = group }

  /// [one thread at a time] Reads bytes and appends the words of whole messages.
  package mutating func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, into words: inout [UInt32]
  ) {
    for byte in bytes { words.append(parse(byte)) }
  }

  /// [one thread at a time] Forgets the running status: packets do not have one. A system exclusive
  /// message continues.
  @_noLocks
  package mutating func beginPacket() { (status, firstData) = (0, nil) }

  /// [one thread at a time] Reads a byte and returns the messages that end with it, at most two.
  @_noLocks
  package mutating func parse(_ byte: UInt8) -> ConvertedMessages {
    var messages = ConvertedMessages()
    switch byte {
    case 0..<0x80: parseData(byte, into: &messages)
    case 0xf8...:
      if byte != 0xf9, byte != 0xfd { appendSystem(byte, into: &messages) }
    default:
      endSystemExclusive(into: &messages)
      firstData = nil
      status = byte
      switch byte {
      case 0xf0: systemExclusive = SystemExclusive()
      case 0xf6: appendSystem(byte, into: &messages)
      default: break
      }
      // Without a channel message or a system message with data, no data may follow.
      if byte >= 0xf0, !(0xf1...0xf3).contains(byte) { status = 0 }
    }
    return messages
  }

  @_noLocks
  private mutating func parseData(_ byte: UInt8, into messages: inout ConvertedMessages) {
    if systemExclusive != nil { return parseSystemExclusive(byte, into: &messages) }
    guard status != 0 else { return }
    let hasTwoBytes = status == 0xf2 || status < 0xf0 && !(0xc0..<0xe0).contains(status)
    if hasTwoBytes, firstData == nil {
      firstData = byte
      return
    }
    var (first, second) = (byte, 0 as UInt8)
    if let firstData { (first, second) = (firstData, byte) }
    firstData = nil
    if status >= 0xf0 {
      appendSystem(status, first, second, into: &messages)
      status = 0
    } else {
      messages.append(
        UniversalMessage(
          2 << 28 | group << 24 | UInt32(status) << 16 | UInt32(first) << 8 | UInt32(second)))
    }
  }

  @_noLocks
  private func appendSystem(
    _ status: UInt8, _ first: UInt8 = 0, _ second: UInt8 = 0,
    into messages: inout ConvertedMessages
  ) {
    messages.append(
      UniversalMessage(
        1 << 28 | group << 24 | UInt32(status) << 16 | UInt32(first) << 8 | UInt32(second)))
  }

  @_noLocks
  private mutating func parseSystemExclusive(
    _ byte: UInt8, into messages: inout ConvertedMessages
  ) {
    guard var part = systemExclusive else { return }
    // A full packet waits for one more byte, so that the last packet of a message is not empty.
    if part.count == 6 {
      append(part, part.hasBegun ? 2 : 1, into: &messages)
      part = SystemExclusive(hasBegun: true)
    }
    part.data |= UInt64(byte) << (40 - 8 * UInt64(part.count))
    part.count += 1
    systemExclusive = part
  }

  /// Ends the system exclusive message, if there is one: any status byte does so.
  @_noLocks
  private mutating func endSystemExclusive(into messages: inout ConvertedMessages) {
    guard let part = systemExclusive else { return }
    systemExclusive = nil
    append(part, part.hasBegun ? 3 : 0, into: &messages)
  }

  @_noLocks
  private func append(
    _ part: SystemExclusive, _ place: UInt32, into messages: inout ConvertedMessages
  ) {
    messages.append(
      .systemExclusive(group: group, place: place, count: part.count, part.data))
  }
}
