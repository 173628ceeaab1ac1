// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// A store that consists of another store's bytes from an offset.
final class OffsetStore: ByteStore {
  private let store: any ByteStore
  private let start: Int

  init(_ store: any ByteStore, from start: Int) {
    self.store = store
    self.start = start
  }

  var name: String { store.name }
  var isWritable: Bool { store.isWritable }
  var isSeekable: Bool { store.isSeekable }

  func byteCount() throws(AudioError) -> Int { max(0, try store.byteCount() - start) }
  func read(
    _ bytes: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(AudioError) -> Int { try store.read(bytes, at: start + offset) }
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(AudioError) {
    try store.write(bytes, at: start + offset)
  }
  func resize(to byteCount: Int) throws(AudioError) { try store.resize(to: start + byteCount) }
  func finish() throws(AudioError) {}
}

extension ByteStore {
  /// Appends the new bytes to the old ones, then moves them to the beginning.
  package func rewrite(
    _ body: (any ByteStore) throws(AudioError) -> Void
  ) throws(AudioError) {
    let start = try byteCount()
    // A store that cannot be cut is refused before anything changes.
    try resize(to: start)
    let tail = OffsetStore(self, from: start)
    do throws(AudioError) { try body(tail) } catch {
      try? resize(to: start)
      throw error
    }
    let count = try tail.byteCount()
    try moveToFront(from: start, count)
    // What stayed behind the new bytes would count as sound in kinds of file that end with it.
    do throws(AudioError) { try resize(to: count) } catch { try resize(to: count) }
  }

  /// Copies the bytes from `start` to the beginning. A write that fails is tried once more, as the
  /// file would be left with a mixture of the old bytes and the new ones.
  private func moveToFront(from start: Int, _ count: Int) throws(AudioError) {
    var position = 0
    while position < count {
      let part = try bytes(at: start + position, min(1 << 20, count - position))
      guard !part.isEmpty else { throw .damagedFile.because("\(name): ends at byte \(position)") }
      do throws(AudioError) { try write(part, at: position) } catch {
        try write(part, at: position)
      }
      position += part.count
    }
  }
}
