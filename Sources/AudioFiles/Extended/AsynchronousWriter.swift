// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing
import Synchronization

/// Passes frames from a render thread to a file: a ring buffer, and a thread that empties it.
///
/// The render thread never waits: if the ring is full, the call fails, and all of its frames are
/// dropped.
final class AsynchronousWriter: @unchecked Sendable {
  typealias Write = (Int, UnsafePointer<AudioBufferList>) -> AudioError?

  /// The time between two checks of the ring, in microseconds.
  private static let pause: UInt32 = 5_000

  private let frameBytes: Int
  private let memory = OwnedMemory()
  /// The bytes of each buffer; its capacity is a whole number of frames.
  private let ring: Ring<UInt8>
  private let list: UnsafeMutablePointer<AudioBufferList>
  private let write: Write
  private let isEnding = Atomic(false)
  private let status = Atomic(noErr)
  private var thread: WorkerThread?
  private var failure: AudioError?
  /// Called by the thread at its end; set before `isEnding`.
  private var completion: (() -> Void)?

  /// Starts the thread; the ring holds two seconds, or as much as fits into its memory.
  init(_ format: AudioStreamBasicDescription, _ write: @escaping Write) throws(AudioError) {
    let isPlanar = format.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
    let bufferCount = isPlanar ? Int(format.mChannelsPerFrame) : 1
    frameBytes = max(1, Int(format.mBytesPerFrame))
    let frames = max(65_536, Int(saturating: min(format.mSampleRate * 2, 1e6)))
    let capacity = min(frames, max(1, Limits.ringBytes / (frameBytes * max(1, bufferCount))))
    self.write = write
    ring = Ring(channelCount: bufferCount, capacity: capacity * frameBytes)
    list = memory.list(bufferCount: bufferCount)
    let thread = WorkerThread(name: "audio-write") { [self] _ in run() }
    try thread.start()
    self.thread = thread
  }

  deinit { memory.deallocate() }

  /// [render thread] Accepts all frames or none. Returns a status, because an error with a reason
  /// would allocate its text: that of this call, else of earlier frames that could not be written.
  @_noLocks
  func write(_ frames: Int, _ source: UnsafePointer<AudioBufferList>) -> OSStatus {
    let byteCount = frames * frameBytes
    guard byteCount <= ring.capacity else { return kExtAudioFileError_AsyncWriteTooLarge }
    guard byteCount <= ring.room else { return kExtAudioFileError_AsyncWriteBufferOverflow }
    let buffers = UnsafeMutablePointer(mutating: source).buffers
    guard Int(source.pointee.mNumberBuffers) >= ring.channelCount else { return kAudio_ParamError }
    for index in 0..<ring.channelCount {
      guard let data = buffers[index].mData, Int(buffers[index].mDataByteSize) >= byteCount else {
        return kAudio_ParamError
      }
      let bytes = ring.channels[index]
      ring.forEachPart(from: ring.written, count: byteCount) { index, done, count in
        UnsafeMutableRawPointer(bytes + index).copyMemory(from: data + done, byteCount: count)
      }
    }
    ring.publish(upTo: ring.written + byteCount)
    return status.exchange(noErr, ordering: .relaxed)
  }

  /// [control thread] Writes the rest and ends the thread; returns the error, if any.
  func finish() -> AudioError? {
    isEnding.store(true, ordering: .releasing)
    thread?.stop()
    return failure
  }

  /// [control thread] Lets the thread write the rest, call `completion` and end, without waiting.
  func finishDetached(_ completion: @escaping () -> Void) {
    self.completion = completion
    isEnding.store(true, ordering: .releasing)
  }

  private func run() {
    // Polls, because waking it would cost the render thread a system call. The ring holds the
    // frames of hundreds of pauses.
    waitPolling(every: Self.pause) {
      // Read before draining: once it is set, the ring holds all remaining frames.
      let isLast = isEnding.load(ordering: .acquiring)
      drain()
      return !isLast
    }
    completion?()
  }

  private func drain() {
    while true {
      let part = ring.readable
      if part.isEmpty { return }
      let buffers = list.allBuffers
      for index in 0..<ring.channelCount {
        buffers[index] = AudioBuffer(
          mNumberChannels: 1, mDataByteSize: UInt32(clamping: part.count),
          mData: ring.channels[index] + part.lowerBound)
      }
      // Later frames are written even after an error: the disk may have been full for a moment.
      if let error = write(part.count / frameBytes, list) {
        failure = failure ?? error
        status.store(error.status, ordering: .relaxed)
      }
      ring.release(upTo: ring.read + part.count)
    }
  }
}
