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
  /// The up to six bytes of a message of type 3.
  package var systemExclusiveBytes: [UInt8] {
    let data = UInt64(words[0] & 0xffff) << 32 | UInt64(words[1])
    return (0..<min(UInt64(words[0] >> 16 & 15), 6)).map {
      UInt8(truncatingIfNeeded: data >> (40 - 8 * $0)) & 127
    }
  }
}
