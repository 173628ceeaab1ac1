// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Tells a `poll` that the devices have changed; any thread may give the notice.
final class DeviceNotice: Sendable {
  /// Becomes readable with a notice.
  let descriptor: Int32
  private let writeEnd: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (descriptor, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(writeEnd)
  }

  /// [any thread] Makes the descriptor readable.
  func give() {
    var byte: UInt8 = 1
    // A full pipe is readable already.
    _ = write(writeEnd, &byte, 1)
  }

  /// Takes all notices.
  func clear() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(descriptor, &bytes, bytes.count) == bytes.count {}
  }
}
