// SPDX-License-Identifier: Apache-2.0

@_spi(TrappingConversions) import CheckedNumbers

/// The length of Opus packets (RFC 6716, section 3.1).
enum OpusPacket {
  /// Frames at 48 kHz; 0 when the packet is invalid.
  static func frames(_ head: [UInt8]) -> Int {
    guard let first = head.first else { return 0 }
    let code = Int(first >> 3)
    let size =
      code < 12
      ? [480, 960, 1_920, 2_880][code & 3]
      : code < 16 ? 480 << (code & 1) : 120 << (code & 3)
    switch first & 3 {
    case 0: return size
    case 3:
      let frames = size * Int((head.count > 1 ? head[1] : 0) & 63)
      return frames <= 5_760 ? frames : 0
    default: return size * 2
    }
  }
}
