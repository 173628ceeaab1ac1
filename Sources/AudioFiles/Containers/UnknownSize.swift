// SPDX-License-Identifier: Apache-2.0

/// Sizes that stand for "not known yet": recorders that write to a pipe, or were killed, leave one in the
/// header.
enum UnknownSize {
  private static let narrow = [0x7F00_0000, 0x7FFF_F000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF]
  /// Some round it down to whole frames, or subtract their header.
  private static let reduction = 256

  /// Whether a number of bytes of sound, beyond the end of the file, is such a size. A file that was
  /// cut states another one.
  static func isMeant(_ byteCount: Int) -> Bool {
    byteCount > Limits.count
      || narrow.contains { (0..<reduction).contains($0 - byteCount) }
  }
}
