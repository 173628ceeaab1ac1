// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// Asks the system to run a stream's thread ahead of ordinary ones.
enum RealTimeScheduling {
  /// [render thread] Asks for the calling thread.
  static func ask() -> ThreadScheduling {
    switch RealTimePriority.ask() {
    case .granted(let priority): .realTime(priority: priority)
    case .refused(let reason): .ordinary(reason: reason)
    }
  }
}
