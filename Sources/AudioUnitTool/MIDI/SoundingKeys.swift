// SPDX-License-Identifier: Apache-2.0

/// The keys that were pressed and not yet released, in messages that were sent.
struct SoundingKeys {
  private struct Key: Hashable {
    var channel: UInt8
    var number: UInt8
  }

  private var keys: Set<Key> = []

  /// Follows a message.
  mutating func follow(_ bytes: [UInt8]) {
    guard bytes.count == 3, (0x80..<0xA0).contains(bytes[0]) else { return }
    let key = Key(channel: bytes[0] & 15, number: bytes[1])
    if bytes[0] >= 0x90, bytes[2] > 0 { keys.insert(key) } else { keys.remove(key) }
  }

  /// The messages that release all of them.
  var endings: [[UInt8]] {
    keys.map { [0x80 | $0.channel, $0.number, 64] }.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
