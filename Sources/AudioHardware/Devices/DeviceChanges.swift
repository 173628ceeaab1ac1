// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// Notifies observers of device changes, so that senders and observers need not depend on each
/// other.
enum DeviceChanges {
  enum Change: Sendable {
    /// A stream of this process began, ended or was lost.
    case streams
    /// A program has requested another rate or cycle size of a device.
    case requests
    /// The properties of a device may have changed.
    case properties
  }

  // Accessed only under `lock`.
  private nonisolated(unsafe) static var observers: [@Sendable (Change) -> Void] = []
  private static let lock = Lock()

  /// [control thread] Calls `observer` after each change for as long as the process lives, on the
  /// thread that made the change.
  static func observe(_ observer: @escaping @Sendable (Change) -> Void) {
    lock.withLock { observers.append(observer) }
  }

  /// [any thread but a render thread] Notifies the observers.
  static func notify(_ change: Change) {
    for observer in lock.withLock({ observers }) { observer(change) }
  }
}
