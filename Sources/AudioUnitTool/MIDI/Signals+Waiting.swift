// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation
@_spi(TrappingConversions) import CheckedNumbers

extension Signals {
  /// Waits for a signal until a time; nil if none came.
  func next(until end: ContinuousClock.Instant) -> Int32? {
    while true {
      if let signal = next() { return signal }
      let left = (end - .now) / .milliseconds(1)
      guard left > 0 else { return nil }
      var waits = [pollfd(fd: descriptor, events: Int16(clamping: POLLIN), revents: 0)]
      poll(&waits, 1, Int32(clamping: Int(saturating: min(left.rounded(.up), 60_000))))
    }
  }
}
