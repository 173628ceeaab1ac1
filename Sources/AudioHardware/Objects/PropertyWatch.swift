// SPDX-License-Identifier: Apache-2.0

/// A value to compare whenever a device may have changed, in addition to the listeners of objects:
/// a property that another object passes on.
package final class PropertyWatch: @unchecked Sendable {
  /// Its current value; nil while it is unknown: then it is read again in a moment.
  let answer: @Sendable () -> String?
  /// Called on the thread of listeners when the value has changed.
  let changed: @Sendable () -> Void
  /// Accessed by the thread of listeners, and before that thread knows the watch.
  var known: String?

  package init(
    answer: @escaping @Sendable () -> String?, changed: @escaping @Sendable () -> Void
  ) {
    self.answer = answer
    self.changed = changed
    known = answer()
  }

  /// [listeners' thread] Compares, and calls `changed` when the value differs; false when it is
  /// unknown.
  func check() -> Bool {
    guard let now = answer() else { return false }
    if now != known {
      known = now
      changed()
    }
    return true
  }
}
