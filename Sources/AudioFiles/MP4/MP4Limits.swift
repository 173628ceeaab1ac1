// SPDX-License-Identifier: Apache-2.0

/// The most that is read of an MPEG-4 file, because a few bytes can claim any number.
enum MP4Limits {
  /// Packets of a track: four days of AAC.
  static let packets = 1 << 24
  /// Packets that have no entries of their own in a table: in the header of a stream, and in one
  /// fragment.
  static let unlistedPackets = 1 << 22
  static let unlistedFragmentPackets = 1 << 16
  /// Boxes at the top level; a file of nothing but empty boxes would take hours.
  static let boxes = 1 << 20
  /// Bytes of the movie box, and of a fragment's box.
  static let movieBytes = 1 << 28
  static let fragmentBytes = 64 << 20
  /// Bytes of a packet in a new file.
  static let packetBytes = Limits.packetBytes
}
