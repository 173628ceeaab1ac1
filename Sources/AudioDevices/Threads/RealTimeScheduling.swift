// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// Requests real-time scheduling for a stream's thread.
enum RealTimeScheduling {
  /// [render thread] Requests it for the calling thread.
  static func request() -> ThreadScheduling {
    switch RealTimePriority.request() {
    case .granted(let priority): .realTime(priority: priority)
    case .refused(let reason): .ordinary(reason: reason)
    }
  }
}
