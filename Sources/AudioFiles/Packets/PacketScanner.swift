// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// A packet found among the bytes of a file.
struct FoundPacket {
  /// The position and the number of its bytes.
  var offset: Int
  var size: Int
  /// Frames that it decodes to.
  var frames: Int
  /// Its further parts, when it is not in one piece; `size` then counts only the first part.
  var continuation: [Range<Int>] = []
  /// Whether its bytes are damaged: only its length in frames is known.
  var isDamaged = false
  /// Frames of packets before it that the file has lost.
  var missingFrames = 0

  /// The size of all parts together.
  var byteCount: Int { continuation.reduce(size) { $0 + $1.count } }
}

/// Finds packets by scanning the bytes of a file.
///
/// If bytes have not arrived yet, `next` throws `dataUnavailable`, and the caller repeats the call
/// later. The result does not depend on how the bytes were split.
protocol PacketScanner {
  /// The position from which the search continues; earlier bytes are not read again.
  var position: Int { get }
  /// The next packet; nil at the end, and where another stream begins.
  mutating func next(_ window: ByteWindow) throws(AudioError) -> FoundPacket?
  /// Restarts the search at another position, after which any packet may follow.
  mutating func restart(at position: Int)
  /// The header of the stream that begins with the next packet, if `next` has come to another one;
  /// only once.
  mutating func takeHeader() -> Container?
}

extension PacketScanner {
  mutating func takeHeader() -> Container? { nil }
}
