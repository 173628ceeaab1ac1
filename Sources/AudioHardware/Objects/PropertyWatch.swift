// SPDX-License-Identifier: Apache-2.0

/// A value to compare whenever a device may have changed, in addition to the listeners of objects:
/// a property that somebody hands on.
package final class PropertyWatch: @unchecked Sendable {
  /// Its current value; nil while that cannot be known: then it is asked again in a moment.
  let answer: @Sendable () -> String?
  /// Called on the thread of listeners when the answer is another.
  let changed: @Sendable () -> Void
  /// Touched by the thread of listeners, and before it knows of the watch.
  var known: String?

  package init(
    answer: @escaping @Sendable () -> String?, changed: @escaping @Sendable () -> Void
  ) {
    self.answer = answer
    self.changed = changed
    known = answer()
  }

  /// [listeners' thread] Compares, and calls `changed` where that differs; false when there was no answer.
  func check() -> Bool {
    guard let now = answer() else { return false }
    if now != known {
      known = now
      changed()
    }
    return true
  }
}
