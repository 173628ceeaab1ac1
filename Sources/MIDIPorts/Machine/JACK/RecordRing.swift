// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// Messages with their times, from one thread to another. One of them may be a render thread: neither
/// ever waits.
struct RecordRing: ~Copyable {
  private let ring: Ring<UInt8>

  /// The bytes before each message: its time and its length.
  private static var headerSize: Int { @_noLocks get { 12 } }

  /// [control thread] An empty ring for this many bytes.
  init(capacity: Int) { ring = Ring(channelCount: 1, capacity: capacity) }

  /// [the writer] Adds a message; false if there is no room.
  @_noLocks
  borrowing func write(_ bytes: UnsafePointer<UInt8>, count: Int, at time: UInt64) -> Bool {
    guard ring.room >= Self.headerSize &+ count else { return false }
    let start = ring.written
    write(number: time, byteCount: 8, to: start)
    write(number: UInt64(truncatingIfNeeded: count), byteCount: 4, to: start &+ 8)
    let memory = ring.channels[0]
    ring.forEachPart(from: start &+ Self.headerSize, count: count) { index, done, part in
      UnsafeMutableRawPointer(memory + index).copyMemory(from: bytes + done, byteCount: part)
    }
    ring.publish(upTo: start &+ Self.headerSize &+ count)
    return true
  }

  /// [any thread] Whether there is no message.
  var isEmpty: Bool { ring.fill == 0 }

  /// [the reader] The time and the length of the next message; a length of -1 if there is none.
  @_noLocks
  borrowing func next() -> (time: UInt64, count: Int) {
    guard ring.fill >= Self.headerSize else { return (0, -1) }
    let start = ring.read
    return (
      number(at: start, byteCount: 8),
      Int(truncatingIfNeeded: number(at: start &+ 8, byteCount: 4))
    )
  }

  /// [the reader] Removes the next message, which has `count` bytes, and copies them, unless `bytes` is
  /// nil.
  @_noLocks
  borrowing func take(_ count: Int, into bytes: UnsafeMutablePointer<UInt8>?) {
    let start = ring.read &+ Self.headerSize
    let memory = ring.channels[0]
    if let bytes {
      ring.forEachPart(from: start, count: count) { index, done, part in
        UnsafeMutableRawPointer(bytes + done).copyMemory(from: memory + index, byteCount: part)
      }
    }
    ring.release(upTo: start &+ count)
  }

  /// Writes the lowest bytes of a number.
  @_noLocks
  private borrowing func write(number: UInt64, byteCount: Int, to position: Int) {
    let memory = ring.channels[0]
    for byte in 0..<byteCount {
      memory[ring.index(of: position &+ byte)] = UInt8(truncatingIfNeeded: number >> (8 * byte))
    }
  }

  @_noLocks
  private borrowing func number(at position: Int, byteCount: Int) -> UInt64 {
    let memory = ring.channels[0]
    var number: UInt64 = 0
    for byte in 0..<byteCount {
      number |= UInt64(memory[ring.index(of: position &+ byte)]) << (8 * byte)
    }
    return number
  }
}
