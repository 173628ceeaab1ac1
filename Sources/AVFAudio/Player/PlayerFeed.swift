// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import AudioValues

/// Fills the buffers of a playback queue with a sound and its repetitions, on the queue's thread.
final class PlayerFeed: Sendable {
  /// How a playback has ended.
  enum End: Sendable {
    /// The last frame was played.
    case complete
    /// The device was lost.
    case interrupted
    /// The sound could not be decoded further; what was decoded has been played.
    case undecodable(NSError)
  }

  private struct State: @unchecked Sendable {  // the buffers belong to the queue
    /// The number of times the queue has begun.
    var run = 0
    /// All buffers, and those that are not in the queue.
    var bufferCount = 0
    var freeBuffers: [AudioQueueBufferRef] = []
    /// Whether buffers that come back are filled again.
    var isFilling = false
    /// Whether the queue runs or is paused.
    var isStarted = false
    /// Whether the last frame is in a buffer, and whether the queue was told to stop after it.
    var isAtEnd = false
    var isEnding = false
    /// How often the sound has been repeated, and how often it shall be; below zero, for ever.
    var repetitions = 0
    var loops = 0
    var failure: NSError?
  }

  private let source: SoundSource
  private let state = Guarded(State())
  private let onEnd: @Sendable (_ run: Int, End) -> Void

  /// `onEnd` is called on the queue's thread.
  init(_ source: SoundSource, onEnd: @escaping @Sendable (_ run: Int, End) -> Void) {
    self.source = source
    self.onEnd = onEnd
  }

  /// [control thread] Sets how often the sound is repeated. If the last frame is in a buffer already,
  /// more repetitions follow it, unless all buffers have been decoded.
  func setLoops(_ loops: Int, _ queue: AudioQueueRef) {
    let ends = state.withLock { state in
      state.loops = loops
      guard state.isFilling, state.isAtEnd, !state.isEnding, state.failure == nil else {
        return false
      }
      state.isAtEnd = false
      fillFreeBuffers(queue, &state)
      return endsNow(&state)
    }
    if ends { AudioQueueStop(queue, false) }
  }

  /// [control thread] Whether it has begun with a repetition.
  var hasRepeated: Bool { state.withLock { $0.repetitions > 0 } }

  /// [control thread] Adds a new buffer, for the next `begin`.
  func add(_ buffer: AudioQueueBufferRef) {
    state.withLock { state in
      state.bufferCount += 1
      state.freeBuffers.append(buffer)
    }
  }

  /// [control thread] Fills the buffers from a frame on, for a new run.
  func begin(_ queue: AudioQueueRef, _ run: Int, at frame: Int64) throws {
    try state.withLock { state in
      try source.seek(to: frame)
      state.isFilling = true
      (state.isAtEnd, state.isEnding, state.failure) = (false, false, nil)
      (state.run, state.repetitions) = (run, 0)
      fillFreeBuffers(queue, &state)
    }
  }

  private func fillFreeBuffers(_ queue: AudioQueueRef, _ state: inout State) {
    let buffers = state.freeBuffers
    state.freeBuffers = []
    for buffer in buffers { fill(queue, buffer, &state) }
  }

  /// [control thread] The queue has started.
  func hasStarted(_ queue: AudioQueueRef) {
    let ends = state.withLock { state in
      state.isStarted = true
      return endsNow(&state)
    }
    if ends { AudioQueueStop(queue, false) }
  }

  /// [control thread] The queue will be stopped: buffers that come back stay free, and the end is not
  /// reported.
  func willStop() {
    state.withLock { state in
      state.isFilling = false
      state.isStarted = false
    }
  }

  /// Whether the queue must be told now to stop after the last frame: as late as possible, because
  /// until then there may be more repetitions.
  private func endsNow(_ state: inout State) -> Bool {
    guard state.isStarted, state.isAtEnd, !state.isEnding,
      state.freeBuffers.count == state.bufferCount
    else { return false }
    state.isEnding = true
    return true
  }

  /// Fills a buffer and enqueues it, unless there are no more frames.
  private func fill(_ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef, _ state: inout State) {
    let frameBytes = source.format.streamDescription.pointee.mBytesPerFrame
    let capacity = buffer.pointee.mAudioDataBytesCapacity / frameBytes
    var filled: UInt32 = 0
    do {
      var isEmpty = false
      while filled < capacity, !state.isAtEnd {
        let count = try source.read(
          capacity - filled, into: buffer.pointee.mAudioData + Int(filled * frameBytes))
        filled += count
        guard count == 0 else {
          isEmpty = false
          continue
        }
        // A sound without frames has no repetitions.
        if isEmpty || state.loops >= 0 && state.repetitions >= state.loops {
          state.isAtEnd = true
        } else {
          state.repetitions += 1
          isEmpty = true
          try source.seek(to: 0)
        }
      }
    } catch {
      state.failure = error as NSError
      state.isAtEnd = true
    }
    buffer.pointee.mAudioDataByteSize = filled * frameBytes
    guard filled > 0, AudioQueueEnqueueBuffer(queue, buffer, 0, nil) == noErr else {
      state.freeBuffers.append(buffer)
      return
    }
  }

  /// [the queue's thread] A buffer was played.
  private func bufferIsFree(_ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef) {
    let ends = state.withLock { state in
      if state.isFilling, !state.isAtEnd {
        fill(queue, buffer, &state)
      } else {
        state.freeBuffers.append(buffer)
      }
      return endsNow(&state)
    }
    if ends { AudioQueueStop(queue, false) }
  }

  /// [the queue's thread] The queue has started or stopped.
  private func runningHasChanged(_ queue: AudioQueueRef) {
    var isRunning: UInt32 = 0
    var size: UInt32 = 4
    AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &isRunning, &size)
    guard isRunning == 0 else { return }
    let end = state.withLock { state -> (run: Int, End)? in
      guard state.isStarted else { return nil }
      state.isStarted = false
      state.isFilling = false
      if let failure = state.failure { return (state.run, .undecodable(failure)) }
      return (state.run, state.isEnding ? .complete : .interrupted)
    }
    if let end { onEnd(end.run, end.1) }
  }

  static let outputCallback: AudioQueueOutputCallback = { context, queue, buffer in
    guard let context else { return }
    Unmanaged<PlayerFeed>.fromOpaque(context).takeUnretainedValue().bufferIsFree(queue, buffer)
  }

  static let runningListener: AudioQueuePropertyListenerProc = { context, queue, _ in
    guard let context else { return }
    Unmanaged<PlayerFeed>.fromOpaque(context).takeUnretainedValue().runningHasChanged(queue)
  }
}
