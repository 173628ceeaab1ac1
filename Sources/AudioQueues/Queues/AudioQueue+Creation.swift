// SPDX-License-Identifier: Apache-2.0
package import AudioSupport
package import CAudioToolbox

extension AudioQueue {
  /// [control thread] Creates a playback queue; `callback` is called on `executor`.
  package static func makeOutput(
    _ format: AudioStreamBasicDescription, on executor: any CallbackExecutor,
    _ callback: @escaping PlaybackCallback
  ) throws(AudioError) -> AudioQueueRef {
    try PlaybackQueue(format, on: executor, callback).register()
  }

  /// [control thread] Creates a recording queue.
  package static func makeInput(
    _ format: AudioStreamBasicDescription, on executor: any CallbackExecutor,
    _ callback: @escaping RecordingCallback
  ) throws(AudioError) -> AudioQueueRef {
    try RecordingQueue(format, on: executor, callback).register()
  }
}
