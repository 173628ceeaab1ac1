// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime

/// Wakes a thread at a time that other threads set while it sleeps. So a sender can let the thread sleep a
/// little longer, in which more messages may come, without waking it first.
final class Alarm: Sendable {
  private let descriptor: Int32

  /// [any thread but a render thread] An alarm that is not set.
  init() throws(AudioError) {
    descriptor = rt_alarm_open()
    guard descriptor >= 0 else {
      throw .outOfMemory.because("the system has no more timers or descriptors")
    }
  }

  deinit { rt_alarm_close(descriptor) }

  /// [any thread] Lets it ring at a host time, at once if that is over, and not at the time before.
  func set(at hostTime: UInt64) { rt_alarm_set(descriptor, hostTime) }

  /// [one thread] Sleeps until it rings.
  func wait() { rt_alarm_wait(descriptor) }
}
