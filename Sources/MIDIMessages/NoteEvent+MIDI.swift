// SPDX-License-Identifier: Apache-2.0
import AudioSupport

// The events of MIDI messages.
extension NoteEvent {
  /// [any thread] The event of a message on a channel, or of a system reset; nil for other
  /// real-time messages, which are for sequencers. A note with velocity 0 is a note-off.
  /// - Throws: `invalidArgument` if the bytes are no such message.
  package init?(status: UInt32, _ data1: UInt32, _ data2: UInt32, at frame: UInt32)
    throws(AudioError)
  {
    guard (0x80...0xff).contains(status) else {
      throw .invalidArgument.because("status \(status); expected 128 to 255")
    }
    guard data1 < 128, data2 < 128 else {
      throw .invalidArgument.because("data \(data1) and \(data2); expected 0 to 127")
    }
    let kind: Kind
    switch status >> 4 {
    case 0x8: kind = .noteOff
    case 0x9: kind = data2 > 0 ? .noteOn : .noteOff
    case 0xA: kind = .keyPressure
    case 0xB: kind = .controller
    case 0xC: kind = .program
    case 0xD: kind = .pressure
    case 0xE: kind = .bend
    default:
      guard status >= 0xf8 else {
        throw .invalidArgument.because(
          "status \(status) is not a channel event; use MusicDeviceSysEx for messages")
      }
      guard status == 0xff else { return nil }
      self.init(.reset, at: frame)
      return
    }
    self.init(
      kind, channel: UInt8(clamping: status & 15), UInt8(clamping: data1), UInt8(clamping: data2),
      at: frame)
  }

  /// [any thread] The event of a system-exclusive message, with its first and last byte: a reset of
  /// General MIDI, GS or XG, or the volume or the tuning of the whole system; nil for others.
  /// - Throws: `invalidArgument` if the bytes are no such message.
  package init?(systemExclusive bytes: UnsafeBufferPointer<UInt8>) throws(AudioError) {
    guard bytes.count >= 3, bytes.first == 0xf0, bytes.last == 0xf7 else {
      throw .invalidArgument.because("a message begins with 0xF0 and ends with 0xF7")
    }
    for index in 1..<bytes.count - 1 where bytes[index] > 127 {
      throw .invalidArgument.because("byte \(index) is \(bytes[index]); expected 0 to 127")
    }
    if Self.resets.contains(where: { Self.matches(bytes, $0) }) {
      self.init(.reset, at: 0)
      return
    }
    guard bytes.count == 8, bytes[1] == 0x7f, bytes[3] == 0x04 else { return nil }
    let number = Float(Int(bytes[6]) << 7 | Int(bytes[5]))
    switch bytes[4] {
    case 1:
      self.init(.masterVolume, at: 0)
      value = (number / 16_383) * (number / 16_383)
    case 3:
      self.init(.masterTuning, at: 0)
      value = (number - 8192) / 8192 * 100
    case 4:
      self.init(.masterTuning, 1, at: 0)
      value = Float(Int(bytes[6]) - 64) * 100
    default: return nil
    }
  }

  /// The reset messages of General MIDI, GS and XG. 0xFF stands for any byte.
  private static let resets: [[UInt8]] = [
    [0xf0, 0x7e, 0xff, 0x09, 0xff, 0xf7],
    [0xf0, 0x41, 0xff, 0x42, 0x12, 0x40, 0x00, 0x7f, 0x00, 0x41, 0xf7],
    [0xf0, 0x43, 0xff, 0x4c, 0x00, 0x00, 0x7e, 0x00, 0xf7],
  ]

  private static func matches(_ bytes: UnsafeBufferPointer<UInt8>, _ message: [UInt8]) -> Bool {
    guard bytes.count == message.count else { return false }
    for index in message.indices where message[index] != 0xff && message[index] != bytes[index] {
      return false
    }
    return true
  }
}
