// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// Notifications of device changes: senders and observers need not know each other.
enum DeviceChanges {
  enum Change: Sendable {
    /// A stream of this process began, ended or was lost.
    case streams
    /// A program has requested another rate or cycle of a device.
    case requests
    /// A device may have other properties.
    case properties
  }

  // Touched under `lock` only.
  private nonisolated(unsafe) static var observers: [@Sendable (Change) -> Void] = []
  private static let lock = Lock()

  /// [control thread] Has `observer` called after each change as long as the process lives, on the
  /// thread that made it.
  static func observe(_ observer: @escaping @Sendable (Change) -> Void) {
    lock.withLock { observers.append(observer) }
  }

  /// [any thread but a render thread] Notifies the observers.
  static func notify(_ change: Change) {
    for observer in lock.withLock({ observers }) { observer(change) }
  }
}
