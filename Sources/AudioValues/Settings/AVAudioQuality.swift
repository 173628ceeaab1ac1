// SPDX-License-Identifier: Apache-2.0

/// The quality of an encoder or a sample rate converter.
public enum AVAudioQuality: Int, Sendable {
  case min = 0
  case low = 0x20
  case medium = 0x40
  case high = 0x60
  case max = 0x7F
}
