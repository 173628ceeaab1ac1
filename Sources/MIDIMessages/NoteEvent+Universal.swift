// SPDX-License-Identifier: Apache-2.0
import Glibc

// The events of messages that say more in MIDI 2.0 than in MIDI 1.0.
extension NoteEvent {
  /// The most centibels: silence.
  private static let silence: Float = 1_440

  /// [any thread] The event of a channel message of MIDI 2.0 that has more resolution than one of
  /// MIDI 1.0, or does not exist there; nil for all others.
  package init?(_ message: UniversalMessage, at frame: UInt32) {
    guard message.type == 4 else { return nil }
    let channel = UInt8(message.channel)
    let (first, value) = (UInt8(message.first), message.value)
    switch message.status {
    case 0x0:
      // The registered controllers of notes that instruments know.
      switch message.words[0] & 0xff {
      case 3:
        self.init(.notePitch, channel: channel, first, at: frame)
        self.value = Float(Double(value) / 0x1p25 - Double(first))
      case 7:
        self.init(.noteVolume, channel: channel, first, at: frame)
        self.value = Self.centibels(Float(value) / 0x1p32)
      case 10:
        self.init(.notePan, channel: channel, first, at: frame)
        self.value = Self.bipolar(value)
      case 11:
        self.init(.noteExpression, channel: channel, first, at: frame)
        self.value = Self.centibels(Float(value) / 0x1p32)
      default: return nil
      }
    case 0x6:
      self.init(.noteBend, channel: channel, first, at: frame)
      self.value = Self.bipolar(value)
    case 0x9:
      let velocity = value >> 16
      // Velocity 0 is a note, too, and no end of one.
      let step = max(1, velocity >> 9)
      self.init(.noteOn, channel: channel, first, UInt8(step), at: frame)
      if velocity >= 512 { fine = Self.centibels(velocity, 16, beyond: step) }
      // The third kind of attribute is a pitch, with nine bits below the semitone.
      if message.words[0] & 0xff == 3 { self.value = Float(value & 0xffff) / 512 - Float(first) }
    case 0xb:
      let step = value >> 25
      self.init(.controller, channel: channel, first, UInt8(step), at: frame)
      switch first {
      case 7, 11: fine = step == 0 ? 0 : Self.centibels(value, 32, beyond: step)
      // A step is a sixty-fourth of the way to one side.
      case 10: fine = ValueScaling.fraction(value, from: 7, to: 32) * 500 / 64
      default: return nil
      }
    case 0xe:
      let step = value >> 18
      self.init(.bend, channel: channel, UInt8(step & 127), UInt8(step >> 7), at: frame)
      fine = ValueScaling.fraction(value, from: 14, to: 32)
    case 0xf:
      self.init(.noteManagement, channel: channel, first, UInt8(message.words[0] & 3), at: frame)
    default: return nil
    }
  }

  /// A value of 32 bits as -1 to 1, with 0 in the centre.
  private static func bipolar(_ value: UInt32) -> Float {
    Float((Double(value) - 0x1p31) / 0x1p31)
  }

  /// How much quieter a share of the level is: its square is the gain, as for velocities.
  private static func centibels(_ share: Float) -> Float {
    share > 0 ? min(silence, -400 * log10f(share)) : silence
  }

  /// How much quieter a value is than the step of seven bits that it becomes.
  private static func centibels(_ value: UInt32, _ bits: UInt32, beyond step: UInt32) -> Float {
    let fraction = ValueScaling.fraction(value, from: 7, to: bits)
    return fraction == 0 ? 0 : -400 * log10f(1 + fraction / Float(step))
  }
}
