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

  /// Checks a format as all queues require, and fills in its missing fields.
  static func complete(_ format: AudioStreamBasicDescription) throws(AudioError)
    -> AudioStreamBasicDescription
  {
    var format = format
    let text = StreamFormat.describe(format)
    guard format.mSampleRate.isFinite, format.mSampleRate >= 200, format.mSampleRate < 3e6 else {
      throw .queueFormat.because("\(text): the rate must be above 200 and below 3,000,000 Hz")
    }
    guard (1...256).contains(format.mChannelsPerFrame) else {
      throw .queueFormat.because("\(text): expected 1 to 256 channels")
    }
    format.mReserved = 0
    guard format.mFormatID == kAudioFormatLinearPCM else { return format }
    guard
      format.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 || format.mChannelsPerFrame == 1
    else { throw .queueFormat.because("\(text): queues only support interleaved samples") }
    format.mFormatFlags &= ~kAudioFormatFlagIsNonInterleaved
    if format.mFramesPerPacket == 0 { format.mFramesPerPacket = 1 }
    if format.mBytesPerFrame == 0 { format.mBytesPerFrame = format.mBytesPerPacket }
    if format.mBytesPerPacket == 0 { format.mBytesPerPacket = format.mBytesPerFrame }
    do throws(AudioError) { _ = try StreamFormat(format) } catch {
      throw error.asStatus(.queueFormat)
    }
    return format
  }

  /// [any thread but a render thread] Enqueues a buffer; returns the queue time, in frames, at
  /// which it begins.
  @discardableResult
  package func enqueue(
    _ buffer: AudioQueueBufferRef,
    _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription> = .init(
      start: nil, count: 0), options: BufferOptions? = nil
  ) throws(AudioError) -> Int {
    if let queue = self as? PlaybackQueue {
      return try queue.enqueue(buffer, descriptions, options ?? BufferOptions())
    }
    guard options == nil, let queue = self as? RecordingQueue else {
      throw .queueType.because("buffers of a recording queue cannot have parameters")
    }
    try queue.enqueue(buffer)
    return 0
  }
}
