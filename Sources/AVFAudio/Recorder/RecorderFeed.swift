// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import AudioValues

/// Passes the buffers of a recording queue to the writer of a file, on the queue's thread.
final class RecorderFeed: @unchecked Sendable {  // `state` is guarded by `lock`
  /// Why a recording ends by itself.
  enum End: Sendable {
    /// It has the requested duration.
    case complete
    /// The device was lost.
    case interrupted
    /// The file cannot be written any more.
    case unwritable(NSError)
  }

  private struct State {
    /// Frames that were passed on, and how many these may be; nil if there is no limit.
    var frames: Int64 = 0
    var limit: Int64?
    /// Buffers that the queue has.
    var enqueuedCount = 0
    var isRecording = false
    var isStopping = false
    /// Whether the end was reported.
    var hasEnded = false
  }

  private let lock = ConditionLock()
  private var state = State()
  private let writer: BacklogWriter
  private let format: AVAudioFormat
  private let onEnd: @Sendable (End) -> Void

  /// Passes frames of a format to a writer. `onEnd` is called on a thread of the library, at most
  /// once.
  init(
    _ writer: BacklogWriter, _ format: AVAudioFormat, onEnd: @escaping @Sendable (End) -> Void
  ) throws {
    self.writer = writer
    self.format = format
    self.onEnd = onEnd
    try writer.start { [weak self] error in
      guard let self, ends() else { return }
      onEnd(.unwritable(error))
    }
  }

  /// [any thread] The number of frames in the file.
  var frames: Int64 { writer.framesInFile }

  /// [any thread] The number of frames that are in the file, or wait for it.
  var acceptedFrames: Int64 { lock.withLock { state.frames } }

  /// [control thread] Passes on what comes from now on; at most so many more frames.
  func begin(frameCount: Int64?) {
    lock.withLock {
      state.limit = frameCount.map { state.frames + $0 }
      state.isRecording = true
    }
  }

  /// Reports the end, unless it was reported.
  private func ends() -> Bool {
    lock.withLock {
      defer { state.hasEnded = true }
      return !state.hasEnded
    }
  }

  /// [any thread] Gives the queue a buffer, unless it is being stopped.
  @discardableResult
  func enqueue(_ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef) -> OSStatus {
    let isStopping = lock.withLock {
      if !state.isStopping { state.enqueuedCount += 1 }
      return state.isStopping
    }
    guard !isStopping else { return noErr }
    let status = AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
    if status != noErr { bufferHasReturned() }
    return status
  }

  private func bufferHasReturned() {
    lock.withLock {
      state.enqueuedCount -= 1
      lock.signal()
    }
  }

  /// [control thread] The queue will be stopped: the end is not reported any more. What it still
  /// returns is written.
  func willStop() {
    lock.withLock {
      state.hasEnded = true
      state.isStopping = true
    }
    writer.liftLimit()
  }

  /// [control thread, after the queue was stopped] Writes the rest, however long the disk takes, and
  /// closes the file. The error with which writing failed, if it did.
  func close() -> NSError? {
    // A busy machine may call back late; a queue that is gone does not.
    let deadline = AudioGetCurrentHostTime() + 5_000_000_000
    lock.withLock {
      while state.enqueuedCount > 0, lock.wait(until: deadline) {}
      state.isRecording = false
    }
    return writer.close()
  }

  /// [the queue's thread] Passes a buffer on, and enqueues it again.
  private func bufferIsFull(_ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef) {
    let frameBytes = format.streamDescription.pointee.mBytesPerFrame
    let filled = buffer.pointee.mAudioDataByteSize / frameBytes
    let (count, isComplete) = lock.withLock { () -> (UInt32, Bool) in
      guard state.isRecording else { return (0, false) }
      let room = state.limit.map { UInt32(clamping: $0 - state.frames) } ?? .max
      let count = min(filled, room)
      state.frames += Int64(count)
      guard let limit = state.limit, state.frames >= limit, !state.hasEnded else {
        return (count, false)
      }
      state.hasEnded = true
      return (count, true)
    }
    if count > 0, let copy = copy(buffer, count, frameBytes) { writer.append(copy) }
    bufferHasReturned()
    enqueue(queue, buffer)
    if isComplete { onEnd(.complete) }
  }

  private func copy(
    _ buffer: AudioQueueBufferRef, _ count: UInt32, _ frameBytes: UInt32
  ) -> AVAudioPCMBuffer? {
    guard let copy = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: count) else { return nil }
    copy.frameLength = count
    copy.mutableAudioBufferList.pointee.mBuffers.mData?.copyMemory(
      from: buffer.pointee.mAudioData, byteCount: Int(count * frameBytes))
    return copy
  }

  /// [the queue's thread] The queue has started or stopped.
  private func runningHasChanged(_ queue: AudioQueueRef) {
    var isRunning: UInt32 = 0
    var size: UInt32 = 4
    AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &isRunning, &size)
    if isRunning == 0, ends() { onEnd(.interrupted) }
  }

  static let inputCallback: AudioQueueInputCallback = { context, queue, buffer, _, _, _ in
    guard let context else { return }
    Unmanaged<RecorderFeed>.fromOpaque(context).takeUnretainedValue().bufferIsFull(queue, buffer)
  }

  static let runningListener: AudioQueuePropertyListenerProc = { context, queue, _ in
    guard let context else { return }
    Unmanaged<RecorderFeed>.fromOpaque(context).takeUnretainedValue().runningHasChanged(queue)
  }
}
