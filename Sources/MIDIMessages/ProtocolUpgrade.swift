// SPDX-License-Identifier: Apache-2.0

/// Converts channel messages of MIDI 1.0 to those of MIDI 2.0, by the translation rules of the UMP
/// and MIDI 2.0 Protocol specification. Other messages stay as they are.
///
/// Banks and the numbers of parameters (RPN, NRPN) have messages of their own in MIDI 1.0. They are
/// held until the message that uses them. A parameter's value is emitted for its upper seven bits,
/// and again for its lower ones, because these need not follow.
package struct ProtocolUpgrade {
  /// What is held for a channel.
  private struct Held {
    var bank: (upper: UInt32, lower: UInt32)?
    var isRegistered = true
    /// The number of the parameter; 127 and 127 select none.
    var parameter: (upper: UInt32, lower: UInt32) = (127, 127)
    var upperValue: UInt32 = 0
  }

  /// For each group and channel, once it is needed.
  private var held: [Held] = []

  package init() {}

  /// [one thread at a time] Appends what a message becomes; nothing if it is held.
  package mutating func convert(_ message: UniversalMessage, into words: inout [UInt32]) {
    guard message.type == 2 else { return words.append(message) }
    let (first, second) = (message.first, message.second)
    switch message.status {
    case 0x8: appendNote(message, off: ValueScaling.velocity16(second), into: &words)
    case 0x9 where second == 0: appendNote(message, off: 0x8000, into: &words)
    case 0x9:
      words.append(
        message.with(0x9, index: first << 8, ValueScaling.velocity16(second) << 16))
    case 0xa: words.append(message.with(0xa, index: first << 8, ValueScaling.value32(second)))
    case 0xb: convertControl(message, into: &words)
    case 0xc:
      let bank = state(of: message).bank
      words.append(
        message.with(
          0xc, index: bank == nil ? 0 : 1,
          first << 24 | (bank?.upper ?? 0) << 8 | (bank?.lower ?? 0)))
    case 0xd: words.append(message.with(0xd, index: 0, ValueScaling.value32(first)))
    case 0xe:
      words.append(
        message.with(0xe, index: 0, ValueScaling.value32(fourteenBits: second << 7 | first)))
    default: break
    }
  }

  private func appendNote(
    _ message: UniversalMessage, off velocity: UInt32, into words: inout [UInt32]
  ) {
    words.append(message.with(0x8, index: message.first << 8, velocity << 16))
  }

  private mutating func convertControl(_ message: UniversalMessage, into words: inout [UInt32]) {
    let value = message.second
    var state = state(of: message)
    switch message.first {
    case 0: state.bank = (value, state.bank?.lower ?? 0)
    case 32: state.bank = (state.bank?.upper ?? 0, value)
    case 6:
      state.upperValue = value
      appendParameter(message, state, value << 7, into: &words)
    case 38: appendParameter(message, state, state.upperValue << 7 | value, into: &words)
    case 98, 99, 100, 101:
      let isRegistered = message.first >= 100
      if isRegistered != state.isRegistered { state.parameter = (127, 127) }
      state.isRegistered = isRegistered
      if message.first & 1 == 1 {
        state.parameter.upper = value
      } else {
        state.parameter.lower = value
      }
      state.upperValue = 0
    default:
      words.append(message.with(0xb, index: message.first << 8, ValueScaling.value32(value)))
      return
    }
    set(state, of: message)
  }

  private func appendParameter(
    _ message: UniversalMessage, _ state: Held, _ value: UInt32, into words: inout [UInt32]
  ) {
    guard state.parameter != (127, 127) else { return }
    words.append(
      message.with(
        state.isRegistered ? 0x2 : 0x3, index: state.parameter.upper << 8 | state.parameter.lower,
        ValueScaling.value32(fourteenBits: value)))
  }

  private func state(of message: UniversalMessage) -> Held {
    held.isEmpty ? Held() : held[message.channelIndex]
  }

  private mutating func set(_ state: Held, of message: UniversalMessage) {
    if held.isEmpty { held = Array(repeating: Held(), count: 256) }
    held[message.channelIndex] = state
  }
}

extension UniversalMessage {
  /// The number of the channel in all groups.
  fileprivate var channelIndex: Int { Int(group << 4 | channel) }

  /// A message of MIDI 2.0 on the same channel.
  fileprivate func with(_ status: UInt32, index: UInt32, _ value: UInt32) -> UniversalMessage {
    .channelVoice2(group: group, status: status, channel: channel, index: index, value)
  }
}
