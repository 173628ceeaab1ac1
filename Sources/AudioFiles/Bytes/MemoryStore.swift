// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// Bytes in memory, for trial headers and for tests.
package final class MemoryStore: ByteStore {
  package var bytes: [UInt8]
  package let name: String
  package var isWritable: Bool { true }
  package var isSeekable: Bool { true }

  package init(_ bytes: [UInt8] = [], named name: String = "memory") {
    self.bytes = bytes
    self.name = name
  }

  package func byteCount() throws(AudioError) -> Int { bytes.count }

  package func read(
    _ target: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(AudioError) -> Int {
    let count = min(target.count, bytes.count - offset)
    guard offset >= 0, count > 0 else { return 0 }
    bytes.withUnsafeBytes {
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count]))
    }
    return count
  }

  package func write(_ source: UnsafeRawBufferPointer, at offset: Int) throws(AudioError) {
    if offset + source.count > bytes.count { try resize(to: offset + source.count) }
    bytes.replaceSubrange(offset..<offset + source.count, with: source)
  }

  package func resize(to byteCount: Int) throws(AudioError) {
    if byteCount < bytes.count {
      bytes.removeLast(bytes.count - byteCount)
    } else {
      bytes += [UInt8](repeating: 0, count: byteCount - bytes.count)
    }
  }

  package func finish() throws(AudioError) {}
}
