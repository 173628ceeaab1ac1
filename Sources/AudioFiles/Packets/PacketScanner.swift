// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// A packet that was found among the bytes of a file.
struct FoundPacket {
  /// Where its bytes begin, and how many there are.
  var offset: Int
  var size: Int
  /// Frames that it becomes.
  var frames: Int
  /// Where its other parts are, where it does not lie in one: then `size` counts the first part.
  var rest: [Range<Int>] = []

  /// All of its bytes.
  var byteCount: Int { rest.reduce(size) { $0 + $1.count } }
}

/// Finds packets that mark their own beginning.
///
/// What has not come yet throws `dataUnavailable`, and the same call is made again later: what was found
/// does not depend on how the bytes were cut.
protocol PacketScanner {
  /// Where the search continues: nothing in front is looked at again.
  var place: Int { get }
  /// The next packet; nil at the end.
  mutating func next(_ window: ByteWindow) throws(AudioError) -> FoundPacket?
  /// Searches from another place on, where any packet may begin.
  mutating func restart(at place: Int)
}
