// SPDX-License-Identifier: Apache-2.0

/// The bytes of one Universal MIDI Packet, without the heap: for render threads.
package enum ByteMessage {
  /// [any thread] Calls `body` with the bytes of a message of type 1, 2 or 3, at most eight, and their
  /// number: 0 for other types. The parts of a system exclusive message begin and end as it does.
  package static func with<Result>(
    _ message: UniversalMessage, _ body: (UnsafePointer<UInt8>, Int) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 8) { bytes in
      var count = 0
      func add(_ byte: UInt8) {
        bytes[count] = byte
        count += 1
      }
      if message.type == 3, message.status < 4 {
        if message.status < 2 { add(0xf0) }
        for index in 0..<message.systemExclusiveCount { add(message.systemExclusiveByte(index)) }
        if message.status == 0 || message.status == 3 { add(0xf7) }
      } else if let short = ShortMessage(message) {
        add(short.status)
        if short.length > 1 { add(short.first) }
        if short.length > 2 { add(short.second) }
      }
      guard let start = bytes.baseAddress else { preconditionFailure() }
      return body(UnsafePointer(start), count)
    }
  }
}
