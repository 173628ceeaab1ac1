// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// The render notifications of a unit, in the order in which they were added. Each change is
/// published as a whole.
///
/// `isQuiet` is whether no reader can still use replaced tables.
struct NotifyList {
  private let side: UnsafeMutablePointer<RenderSide>
  private var notifies: [RenderCallback] = []

  init(_ side: UnsafeMutablePointer<RenderSide>) { self.side = side }

  /// [control thread, under the lock] Adds a notification, unless it is in the list.
  mutating func add(_ notify: RenderCallback, isQuiet: () -> Bool) {
    guard !notifies.contains(notify) else { return }
    notifies.append(notify)
    publish(isQuiet)
  }

  /// [control thread, under the lock] Removes a notification.
  mutating func remove(_ notify: RenderCallback, isQuiet: () -> Bool) {
    notifies.removeAll { $0 == notify }
    publish(isQuiet)
  }

  private func publish(_ isQuiet: () -> Bool) {
    side.pointee.notifies.publish(NotifyTable.allocate(notifies), isQuiet: isQuiet)
    side.pointee.pending.set(.notifies, !notifies.isEmpty)
  }
}
