// SPDX-License-Identifier: Apache-2.0

/// The bytes of one Universal MIDI Packet, without the heap: for render threads.
package enum ByteMessage {
  /// At most eight bytes, of which the first one is in the lowest bits, and their number.
  package struct Packed: BitwiseCopyable {
    package private(set) var bytes: UInt64 = 0
    package private(set) var count = 0

    @_noLocks
    init() {}

    @_noLocks
    mutating func add(_ byte: UInt8) {
      bytes |= UInt64(byte) << (8 * UInt64(truncatingIfNeeded: count))
      count += 1
    }
  }

  /// [any thread] The bytes of a message of type 1, 2 or 3; none for other types. The parts of a
  /// system exclusive message begin and end as it does.
  @_noLocks
  package static func packed(_ message: UniversalMessage) -> Packed {
    var packed = Packed()
    if message.type == 3, message.status < 4 {
      if message.status < 2 { packed.add(0xf0) }
      for index in 0..<message.systemExclusiveCount {
        packed.add(message.systemExclusiveByte(index))
      }
      if message.status == 0 || message.status == 3 { packed.add(0xf7) }
    } else if let short = ShortMessage(message) {
      packed.add(short.status)
      if short.length > 1 { packed.add(short.first) }
      if short.length > 2 { packed.add(short.second) }
    }
    return packed
  }

  /// [any thread] Calls `body` with the bytes of a message, at most eight, and their number: 0 for
  /// types other than 1, 2 and 3.
  package static func with<Result>(
    _ message: UniversalMessage, _ body: (UnsafePointer<UInt8>, Int) -> Result
  ) -> Result {
    let packed = packed(message)
    return withUnsafePointer(to: packed.bytes.littleEndian) { bytes in
      bytes.withMemoryRebound(to: UInt8.self, capacity: 8) { body($0, packed.count) }
    }
  }
}
