// SPDX-License-Identifier: Apache-2.0

/// The largest numbers that a sound file, or a program that writes one, may state. More is refused,
/// or counts as no more than this, so that neither time nor memory follows a number for which there
/// are no bytes, and sums of a few such numbers fit 64 bits.
enum Limits {
  /// Bytes or frames of a file.
  static let count = Int.max >> 2
  /// Frames in a packet table: more than a hundred thousand years.
  static let tableFrames = 1 << 48
  /// Bytes, frames and channels of a packet.
  static let packetBytes = 1 << 26
  static let packetFrames = 1 << 24
  /// Bytes of a packet of AAC.
  static let aacBytes = 1 << 16
  static let channels = 65_536
  /// Frames that a file may have lost at one place, and the packets of silence instead of them.
  static let missingFrames = 1 << 28
  static let silentPackets = 1 << 20
  /// Chunks of a file; a file of nothing but empty chunks would take hours.
  static let chunks = 10_000
  /// Chunks before the sound of a stream. As they arrive, its header is read again from the start,
  /// so that the time grows with the square of their number.
  static let headerChunks = 1_000
  /// Bytes of a chunk that are read into memory.
  static let chunkBytes = 64 << 20
  /// Consecutive streams in an Ogg file; one of nothing but the headers of streams would take hours.
  static let oggStreams = 10_000
  /// Parts of a chunk that is a list.
  static let listParts = 1 << 20
  /// Bytes of all names of the markers and regions, many of which may have the same name.
  static let nameBytes = 64 << 20
  /// Bytes of the memory from which frames are written asynchronously, and into which frames are
  /// decoded that are not used.
  static let ringBytes = 256 << 20
  static let discardedBytes = 1 << 20
}

/// Names to which the markers and regions of a file refer. All names together have a limited
/// length, as each of millions of markers may refer to the same megabytes; names beyond are empty.
struct SharedNames {
  private let names: [UInt32: String]
  private var room = Limits.nameBytes

  init(_ names: [UInt32: String]) { self.names = names }

  /// The name with this number; empty if there is none.
  mutating func name(_ id: UInt32) -> String {
    guard let name = names[id], name.utf8.count <= room else { return "" }
    room -= name.utf8.count
    return name
  }
}
