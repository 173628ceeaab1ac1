// SPDX-License-Identifier: Apache-2.0

/// Converts channel messages of MIDI 1.0 to those of MIDI 2.0, by the translation rules of the UMP
/// and MIDI 2.0 Protocol specification. Other messages stay as they are.
///
/// Banks and the numbers of parameters (RPN, NRPN) have messages of their own in MIDI 1.0. They are
/// held until the message that uses them. A parameter's value is emitted for its upper seven bits,
/// and again for its lower ones, because these need not follow.
package struct ProtocolUpgrade {
  /// For each group and channel, once it is needed.
  private var channels: [ChannelUpgrade] = []

  package init() {}

  /// [one thread at a time] Appends what a message becomes; nothing if it is held.
  package mutating func convert(_ message: UniversalMessage, into words: inout [UInt32]) {
    guard message.type == 2 else { return words.append(message) }
    if channels.isEmpty {
      channels = Array(repeating: ChannelUpgrade(), count: ChannelUpgrade.channelCount)
    }
    words.append(channels[ChannelUpgrade.index(of: message)].convert(message))
  }
}

/// The same for the messages of one channel, without the heap.
package struct ChannelUpgrade: BitwiseCopyable, Sendable {
  /// The number of channels in all groups.
  package static var channelCount: Int { @_noLocks get { 256 } }

  private var hasBank = false
  private var bank: (upper: UInt32, lower: UInt32) = (0, 0)
  private var isRegistered = true
  /// The number of the parameter; 127 and 127 select none.
  private var parameter: (upper: UInt32, lower: UInt32) = (127, 127)
  private var upperValue: UInt32 = 0

  @_noLocks
  package init() {}

  /// [any thread] The number of a message's channel in all groups.
  @_noLocks
  package static func index(of message: UniversalMessage) -> Int {
    Int(truncatingIfNeeded: message.group << 4 | message.channel)
  }

  /// [one thread at a time] What a message becomes; none if it is held.
  @_noLocks
  package mutating func convert(_ message: UniversalMessage) -> ConvertedMessages {
    guard message.type == 2 else { return ConvertedMessages(message) }
    let (first, second) = (message.first, message.second)
    switch message.status {
    case 0x8: return note(message, off: ValueScaling.velocity16(second))
    case 0x9 where second == 0: return note(message, off: 0x8000)
    case 0x9:
      return ConvertedMessages(
        message.with(0x9, index: first << 8, ValueScaling.velocity16(second) << 16))
    case 0xa:
      return ConvertedMessages(message.with(0xa, index: first << 8, ValueScaling.value32(second)))
    case 0xb: return control(message)
    case 0xc:
      return ConvertedMessages(
        message.with(
          0xc, index: hasBank ? 1 : 0, first << 24 | bank.upper << 8 | bank.lower))
    case 0xd: return ConvertedMessages(message.with(0xd, index: 0, ValueScaling.value32(first)))
    case 0xe:
      return ConvertedMessages(
        message.with(0xe, index: 0, ValueScaling.value32(fourteenBits: second << 7 | first)))
    default: return ConvertedMessages()
    }
  }

  @_noLocks
  private func note(_ message: UniversalMessage, off velocity: UInt32) -> ConvertedMessages {
    ConvertedMessages(message.with(0x8, index: message.first << 8, velocity << 16))
  }

  @_noLocks
  private mutating func control(_ message: UniversalMessage) -> ConvertedMessages {
    let value = message.second
    switch message.first {
    case 0:
      bank.upper = value
      hasBank = true
    case 32:
      bank.lower = value
      hasBank = true
    case 6:
      upperValue = value
      return parameter(message, value << 7)
    case 38: return parameter(message, upperValue << 7 | value)
    case 98...101:
      let selectsRegistered = message.first >= 100
      if selectsRegistered != isRegistered { parameter = (127, 127) }
      isRegistered = selectsRegistered
      if message.first & 1 == 1 { parameter.upper = value } else { parameter.lower = value }
      upperValue = 0
    default:
      return ConvertedMessages(
        message.with(0xb, index: message.first << 8, ValueScaling.value32(value)))
    }
    return ConvertedMessages()
  }

  @_noLocks
  private func parameter(_ message: UniversalMessage, _ value: UInt32) -> ConvertedMessages {
    guard parameter.upper != 127 || parameter.lower != 127 else { return ConvertedMessages() }
    return ConvertedMessages(
      message.with(
        isRegistered ? 0x2 : 0x3, index: parameter.upper << 8 | parameter.lower,
        ValueScaling.value32(fourteenBits: value)))
  }
}

extension UniversalMessage {
  /// A message of MIDI 2.0 on the same channel.
  @_noLocks
  fileprivate func with(_ status: UInt32, index: UInt32, _ value: UInt32) -> UniversalMessage {
    .channelVoice2(group: group, status: status, channel: channel, index: index, value)
  }
}
