// SPDX-License-Identifier: Apache-2.0

/// How fast a port of hardware takes bytes. The kernel has a buffer of 4,096 bytes for it, and drops
/// what does not fit without an error.
package struct WirePace: Sendable {
  /// The most bytes that are on their way.
  private static let room: UInt64 = 4_000
  /// The nanoseconds of a byte: ten bits at 31,250 bits per second.
  private static let byteTime: UInt64 = 320_000

  /// When all bytes have left, in host time.
  private var emptyTime: UInt64 = 0

  package init() {}

  /// [one thread at a time] Whether a message can be sent at a host time. A long one can if nothing is
  /// on its way.
  package func hasRoom(for byteCount: Int, at time: UInt64) -> Bool {
    emptyTime <= time
      || emptyTime - time + UInt64(byteCount) * Self.byteTime <= Self.room * Self.byteTime
  }

  /// [one thread at a time] Counts a message that was sent at a host time.
  package mutating func add(_ byteCount: Int, at time: UInt64) {
    emptyTime = max(emptyTime, time) + UInt64(byteCount) * Self.byteTime
  }
}
