// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// The bytes of a stream, such as a download, as they arrive; bytes no longer needed are discarded.
/// Reading bytes that have not arrived yet throws `dataUnavailable`, and the reader tries again
/// later.
package final class StreamStore: ByteStore {
  package let name = "the stream"
  package var isWritable: Bool { false }
  package var isSeekable: Bool { false }

  private var bytes: [UInt8] = []
  /// The stream position of the first byte in memory.
  private var start = 0
  /// Discarded bytes at the start of the memory.
  private var dropped = 0
  /// Whether the stream has ended.
  package private(set) var hasEnded = false
  /// The end position of the last read that failed because bytes were missing.
  private var missing = 0
  /// The bytes that were read so far, and some for each read: a measure of the time it took.
  private var effort = 0
  private static let effortOfRead = 64
  /// Where the last repeated reading began, and the effort before it.
  private var repeated = (position: 0, effort: 0)

  package init() {}

  /// The position after the last byte received.
  package var end: Int { start + bytes.count - dropped }

  /// Whether something may be read again from a position, where bytes were missing before: they have
  /// arrived, and the time for all attempts stays in proportion to the bytes. One attempt for each of
  /// many tiny chunks would take a time that grows with the square of their number.
  func isRepetitionDue(from position: Int) -> Bool {
    if position != repeated.position { repeated = (position, effort) }
    let limit = 1 << 20 + 32 * (end - position)
    return hasEnded || end >= missing && effort - repeated.effort <= limit
  }

  /// The final length; larger than any file while it is unknown.
  package func byteCount() throws(AudioError) -> Int { hasEnded ? end : Self.unknownLength }

  /// Stands for an unknown length; small enough that sums with it cannot overflow.
  static let unknownLength = Limits.count

  package func require(_ end: Int) throws(AudioError) {
    guard end > self.end, !hasEnded else { return }
    effort += Self.effortOfRead
    missing = end
    throw .dataUnavailable
  }

  package func read(
    _ target: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(AudioError) -> Int {
    guard offset >= start else { return 0 }
    let count = min(target.count, end - offset)
    guard count > 0 else { return 0 }
    effort += Self.effortOfRead + count
    let first = dropped + offset - start
    bytes.withUnsafeBytes {
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[first..<first + count]))
    }
    return count
  }

  /// Appends the next bytes.
  package func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

  /// Calls `body` with at most `most` of the bytes from `offset` on that have arrived.
  func withBytes<Result>(
    from offset: Int, _ most: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let count = min(most, end - offset)
    guard offset >= start, count > 0 else { return body(.init(start: nil, count: 0)) }
    let first = dropped + offset - start
    // A search may end after a few bytes, or need all of them.
    effort += Self.effortOfRead + min(count, 4_096)
    return bytes.withUnsafeBytes { body(.init(rebasing: $0[first..<first + count])) }
  }

  /// Marks the end of the stream.
  package func finish() { hasEnded = true }

  /// Removes the mark, because more bytes arrived.
  package func resume() { hasEnded = false }

  /// Discards the bytes before a position.
  package func discard(before position: Int) {
    let count = min(position, end) - start
    guard count > 0 else { return }
    start += count
    dropped += count
    // So few moves that they cost no more than receiving the discarded bytes did.
    if dropped > bytes.count / 2 {
      bytes.removeFirst(dropped)
      dropped = 0
    }
  }

  /// The bytes in front that do not belong to the file: tags, behind which positions count.
  private(set) var frontByteCount = 0

  /// Leaves out bytes in front: position 0 is then behind them.
  func skip(front byteCount: Int) {
    frontByteCount += byteCount
    start -= byteCount
    missing = 0
    discard(before: 0)
  }

  /// Discards everything; the next received byte is the one at `position`.
  package func restart(at position: Int) {
    bytes.removeAll(keepingCapacity: true)
    dropped = 0
    start = min(max(0, position), Limits.count)
    missing = 0
    hasEnded = false
  }

  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(AudioError) {
    throw .filePermissions.because("\(name): is only read")
  }
  package func resize(to byteCount: Int) throws(AudioError) {
    throw .filePermissions.because("\(name): is only read")
  }
}
