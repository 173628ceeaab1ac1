// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
import CRealTime

/// Whether a playback queue renders to memory, and which thread does. The queue's `lock` guards it.
struct OfflineUse {
  /// The conversion to the program's format; nil: the queue renders to the device.
  var rendering: OfflineRendering?
  /// The thread inside `AudioQueueOfflineRender`; 0 for none.
  var thread: UInt64 = 0

  var isOn: Bool { rendering != nil }
  var isRendering: Bool { isOn && thread != 0 }

  /// Throws while another thread, or with `onAnyThread` also this one, renders the queue to memory.
  func requireNoRender(onAnyThread: Bool = false) throws(AudioError) {
    guard thread == 0 || !onAnyThread && thread == rt_thread_id() else {
      throw .queueRunState.because("a call of AudioQueueOfflineRender is running")
    }
  }
}
