// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// A packet found among the bytes of a file.
struct FoundPacket {
  /// The start of its bytes, and their number.
  var offset: Int
  var size: Int
  /// Frames that it decodes to.
  var frames: Int
  /// Its other parts, when it is not in one piece: then `size` counts the first part.
  var rest: [Range<Int>] = []

  /// All of its bytes.
  var byteCount: Int { rest.reduce(size) { $0 + $1.count } }
}

/// Finds packets that mark their own beginning.
///
/// Bytes that have not arrived yet throw `dataUnavailable`, and the same call is repeated later:
/// the result does not depend on how the bytes were split.
protocol PacketScanner {
  /// Where the search continues: earlier bytes are not read again.
  var place: Int { get }
  /// The next packet; nil at the end.
  mutating func next(_ window: ByteWindow) throws(AudioError) -> FoundPacket?
  /// Restarts the search at another place, where any packet may begin.
  mutating func restart(at place: Int)
}
