// SPDX-License-Identifier: Apache-2.0

/// A value that is compared whenever a device may have changed, in addition to the listeners of
/// objects: a property that another object forwards.
package final class PropertyWatch: @unchecked Sendable {
  /// The current value. Nil while it is unknown; then it is read again shortly.
  let answer: @Sendable () -> String?
  /// Called on the thread of the listeners when the value has changed.
  let changed: @Sendable () -> Void
  /// Accessed by the thread of the listeners, and by `init` before that thread knows the watch.
  var known: String?

  package init(
    answer: @escaping @Sendable () -> String?, changed: @escaping @Sendable () -> Void
  ) {
    self.answer = answer
    self.changed = changed
    known = answer()
  }

  /// [listeners' thread] Compares the value and calls `changed` if it differs. False if it is
  /// unknown.
  func check() -> Bool {
    guard let now = answer() else { return false }
    // The first value that is known is no change.
    let isChanged = known.map { $0 != now } ?? false
    known = now
    if isChanged { changed() }
    return true
  }
}
