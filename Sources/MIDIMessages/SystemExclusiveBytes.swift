// SPDX-License-Identifier: Apache-2.0

/// The bytes of system exclusive messages.
package enum SystemExclusiveBytes {
  /// [any thread] The bytes of all messages of type 3 of a group, without F0 and F7; nil if there
  /// are none.
  package static func bytes(
    in words: UnsafeBufferPointer<UInt32>, group: UInt8
  ) -> [UInt8]? {
    var bytes: [UInt8]?
    UniversalMessage.forEach(in: words) { message in
      guard message.type == 3, message.group == UInt32(group), message.status < 4 else { return }
      bytes = (bytes ?? []) + message.systemExclusiveBytes
    }
    return bytes
  }
}

extension UniversalMessage {
  /// A message of type 3 with a part of a system exclusive message: its place (0 whole, 1 start, 2
  /// continue, 3 end), and up to six bytes, of which the first one is in the highest of 48 bits.
  @_noLocks
  package static func systemExclusive(
    group: UInt32, place: UInt32, count: UInt32, _ data: UInt64
  ) -> UniversalMessage {
    UniversalMessage(
      3 << 28 | (group & 15) << 24 | place << 20 | count << 16
        | UInt32(truncatingIfNeeded: data >> 32),
      UInt32(truncatingIfNeeded: data))
  }

  /// The number of bytes of a message of type 3.
  package var systemExclusiveCount: Int {
    @_noLocks get { min(Int(truncatingIfNeeded: words[0] >> 16 & 15), 6) }
  }

  /// A byte of a message of type 3.
  @_noLocks
  package func systemExclusiveByte(_ index: Int) -> UInt8 {
    let data = UInt64(words[0] & 0xffff) << 32 | UInt64(words[1])
    return UInt8(truncatingIfNeeded: data >> (40 - 8 * UInt64(truncatingIfNeeded: index))) & 127
  }

  /// The up to six bytes of a message of type 3.
  package var systemExclusiveBytes: [UInt8] {
    (0..<systemExclusiveCount).map { systemExclusiveByte($0) }
  }
}
