// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import AudioValues

/// Writes the buffers of a recording queue to a file, on the queue's thread.
final class RecorderFeed: Sendable {
  /// Why a recording ends by itself.
  enum End: Sendable {
    /// It has the requested duration.
    case complete
    /// The device was lost.
    case interrupted
    /// The file cannot be written any more.
    case unwritable(NSError)
  }

  private struct State: @unchecked Sendable {  // the file belongs to the thread with the lock
    let file: AVAudioFile
    let buffer: AVAudioPCMBuffer
    /// Frames in the file, and how many it may have; nil if there is no limit.
    var frames: Int64 = 0
    var limit: Int64?
    var isRecording = false
    /// Whether the end was reported.
    var hasEnded = false
    var failure: NSError?
  }

  private let state: Guarded<State>
  private let onEnd: @Sendable (End) -> Void

  /// Writes to a file; `buffer` has its processing format, and the size of the queue's buffers.
  /// `onEnd` is called on the queue's thread, at most once.
  init(
    _ file: AVAudioFile, _ buffer: AVAudioPCMBuffer, onEnd: @escaping @Sendable (End) -> Void
  ) {
    state = Guarded(State(file: file, buffer: buffer))
    self.onEnd = onEnd
  }

  /// [any thread] The number of frames in the file.
  var frames: Int64 { state.withLock { $0.frames } }

  /// [control thread] Writes what comes from now on; at most so many more frames.
  func begin(frameCount: Int64?) {
    state.withLock { state in
      state.limit = frameCount.map { state.frames + $0 }
      state.isRecording = true
    }
  }

  /// [control thread] The queue will be stopped: the end is not reported any more. What it still
  /// returns is written.
  func willStop() { state.withLock { $0.hasEnded = true } }

  /// [control thread] Closes the file. The error with which writing failed, if it did.
  func close() -> NSError? {
    state.withLock { state in
      state.isRecording = false
      state.file.close()
      return state.failure
    }
  }

  /// [the queue's thread] Writes a buffer and enqueues it again.
  private func bufferIsFull(_ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef) {
    let end = state.withLock { state -> End? in
      write(buffer, &state)
      guard !state.hasEnded else { return nil }
      if let failure = state.failure {
        state.hasEnded = true
        return .unwritable(failure)
      }
      guard let limit = state.limit, state.frames >= limit else { return nil }
      state.hasEnded = true
      return .complete
    }
    AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
    if let end { onEnd(end) }
  }

  private func write(_ buffer: AudioQueueBufferRef, _ state: inout State) {
    let frameBytes = state.file.processingFormat.streamDescription.pointee.mBytesPerFrame
    var count = buffer.pointee.mAudioDataByteSize / frameBytes
    if let limit = state.limit { count = UInt32(clamping: min(Int64(count), limit - state.frames)) }
    guard state.isRecording, state.failure == nil, count > 0 else { return }
    state.buffer.frameLength = count
    state.buffer.mutableAudioBufferList.pointee.mBuffers.mData?.copyMemory(
      from: buffer.pointee.mAudioData, byteCount: Int(count * frameBytes))
    do {
      try state.file.write(from: state.buffer)
      state.frames += Int64(count)
    } catch {
      state.failure = error as NSError
    }
  }

  /// [the queue's thread] The queue has started or stopped.
  private func runningHasChanged(_ queue: AudioQueueRef) {
    var isRunning: UInt32 = 0
    var size: UInt32 = 4
    AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &isRunning, &size)
    guard isRunning == 0 else { return }
    let isEnd = state.withLock { state in
      defer { state.hasEnded = true }
      return !state.hasEnded
    }
    if isEnd { onEnd(.interrupted) }
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
