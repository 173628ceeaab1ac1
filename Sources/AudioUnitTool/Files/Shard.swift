// SPDX-License-Identifier: Apache-2.0
@_spi(TrappingConversions) import CheckedNumbers
import CommandSupport

/// One of several parts of a list of files, for several machines.
///
/// The part of a file follows from its name alone. So the parts never overlap and together are all files,
/// whatever the other files are, and whenever and where a part is worked on.
struct Shard: Sendable, Equatable {
  /// Counted from 0.
  let index: Int
  let count: Int

  /// Reads "2/8"; nil if it is not a part.
  init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1],
      (1...1_000_000).contains(count), (1...count).contains(number)
    else { return nil }
    (index, self.count) = (number - 1, count)
  }

  /// Whether a file of this name belongs to the part.
  func contains(_ name: String) -> Bool {
    Self.hash(name) % UInt64(count.magnitude) == UInt64(index.magnitude)
  }

  /// FNV-1a, whose bits are then mixed as in SplitMix64.
  private static func hash(_ name: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
    return hash ^ hash >> 31
  }
}

extension ValueReader where Value == Shard {
  /// A part and the number of parts.
  static var shard: Self {
    Self(expected: "a part and the number of parts, such as 2/8", limits: ", such as 2/8") {
      Shard($0)
    }
  }
}
