// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// Keeps the memory of the last formats and layouts for a while after their end.
///
/// `node.outputFormat(forBus: 0).streamDescription.pointee` reads through a pointer into a format that
/// has just ended, unless the node keeps it. On Apple's systems the autorelease pool keeps it.
enum RecentValues {
  private struct Ring {
    var values = [(any AnyObject & Sendable)?](repeating: nil, count: 64)
    var next = 0
  }

  private static let ring = Guarded(Ring())

  /// [any thread but a render thread] Keeps a value until 64 more have ended.
  static func keep(_ value: any AnyObject & Sendable) {
    // The oldest value is released after the lock.
    _ = ring.withLock { ring in
      let oldest = ring.values[ring.next]
      ring.values[ring.next] = value
      ring.next = (ring.next + 1) % ring.values.count
      return oldest
    }
  }
}
