// SPDX-License-Identifier: Apache-2.0

/// The quality of an encoder or a sample rate converter.
public enum AVAudioQuality: Int, Sendable {
  /// The fastest.
  case min = 0
  /// Faster than medium.
  case low = 0x20
  /// A compromise of sound and speed.
  case medium = 0x40
  /// Better than medium.
  case high = 0x60
  /// The best sound.
  case max = 0x7F
}
