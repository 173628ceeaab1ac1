// SPDX-License-Identifier: Apache-2.0
public import AudioValues

extension AVAudioPlayerNode {
  /// Schedules a buffer at a time, with a handler for the given event; no time means after everything
  /// that was scheduled before.
  public func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, atTime when: AVAudioTime? = nil,
    options: AVAudioPlayerNodeBufferOptions = [],
    completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
    completionHandler: (@Sendable () -> Void)?
  ) { schedule(buffer, when, options, callbackType, handler(completionHandler)) }

  /// As above, for samples that nobody changes.
  public func scheduleBuffer(
    _ buffer: AVReadOnlyAudioPCMBuffer, atTime when: AVAudioTime? = nil,
    options: AVAudioPlayerNodeBufferOptions = [],
    completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType = .dataConsumed,
    completionHandler: (@Sendable () -> Void)? = nil
  ) { schedule(buffer.buffer, when, options, callbackType, handler(completionHandler)) }
}
