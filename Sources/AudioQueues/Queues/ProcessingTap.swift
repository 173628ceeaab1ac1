// SPDX-License-Identifier: Apache-2.0
import AudioConversion
package import AudioSupport
package import CAudioToolbox
import CRealTime
import SignalProcessing
import Synchronization
@_spi(TrappingConversions) import CheckedNumbers

/// A callback of the program that processes the sound of a queue, on the queue's thread.
package final class ProcessingTap: @unchecked Sendable {
  /// All taps of the process.
  package static let handles = HandleTable<ProcessingTap, AudioQueueProcessingTapRef>(kind: 0x19)
  /// The most frames of one call.
  static let maximumFrames = 2 * BufferDecoder.chunk + 64

  /// The calls of the program's callbacks, shared with the tap's queue.
  let calls: ProgramCalls.Entry
  let queue: AudioQueueRef
  let isOfInput: Bool
  let isBeforeEffects: Bool
  private let isSiphon: Bool
  private let callback: AudioQueueProcessingTapCallback
  private let userData: UnsafeMutableRawPointer?
  private(set) var handle: AudioQueueProcessingTapRef?
  private let channelCount: Int
  private let memory = OwnedMemory()
  /// The frames that the callback may request, and its output.
  private let source: PlanarBuffer
  private let result: PlanarBuffer
  private let list: UnsafeMutablePointer<AudioBufferList>
  // Only the queue's thread accesses these.
  private var isAtStart = true
  private var isAtEnd = false
  private var available = 0
  private var suppliedFrames = 0
  private var frame = 0
  /// The thread inside the callback; 0 for none.
  private let caller = Atomic<UInt64>(0)

  init(
    of queue: AudioQueueRef, calls: ProgramCalls.Entry, channelCount: Int, isOfInput: Bool,
    _ flags: AudioQueueProcessingTapFlags, _ callback: @escaping AudioQueueProcessingTapCallback,
    _ userData: UnsafeMutableRawPointer?
  ) throws(AudioError) {
    self.queue = queue
    self.calls = calls
    self.isOfInput = isOfInput
    self.callback = callback
    self.userData = userData
    self.channelCount = channelCount
    isBeforeEffects = flags.contains(.preEffects)
    isSiphon = flags.contains(.siphon)
    source = PlanarBuffer(channelCount: channelCount, capacity: Self.maximumFrames, in: memory)
    result = PlanarBuffer(channelCount: channelCount, capacity: Self.maximumFrames, in: memory)
    list = memory.list(bufferCount: channelCount)
    handle = try Self.handles.insert(self)
  }

  deinit { memory.deallocate() }

  /// [control thread] Disposes of its handle.
  func end() {
    guard let handle, Self.handles.invalidate(handle) else { return }
    _ = Self.handles.release(handle)
  }

  /// [any thread] Whether the callback runs.
  var isInCallback: Bool { caller.load(ordering: .relaxed) != 0 }

  /// [while the queue's thread is halted] The next frames begin a new stream.
  func streamEnded() { isAtStart = true }

  /// [the queue's thread] Has the callback process frames; its output starts at frame 0.
  func process(_ input: PlanarBuffer, _ range: Range<Int>, at frame: Int, isAtEnd: Bool = false)
    -> PlanarBuffer
  {
    for channel in 0..<channelCount {
      Samples.copy(
        input.channels[channel] + range.lowerBound, to: source.channels[channel],
        count: range.count)
    }
    self.frame = frame
    self.isAtEnd = isAtEnd
    (available, suppliedFrames) = (range.count, 0)
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = Double(frame)
    stamp.mFlags = .sampleTimeValid
    var flags: AudioQueueProcessingTapFlags = isSiphon ? streamFlags : []
    let requested = UInt32(clamping: range.count)
    var count = requested
    list.pointee.mNumberBuffers = UInt32(clamping: channelCount)
    for channel in 0..<channelCount {
      list.buffers[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(clamping: range.count * 4),
        mData: isSiphon ? UnsafeMutableRawPointer(source.channels[channel]) : nil)
    }
    if !isSiphon { count = 0 }
    guard let handle else { return source }
    caller.store(rt_thread_id(), ordering: .relaxed)
    withUnsafeMutablePointer(to: &stamp) { stamp in
      withUnsafeMutablePointer(to: &flags) { flags in
        withUnsafeMutablePointer(to: &count) { count in
          call(handle, requested, stamp, flags, count)
        }
      }
    }
    caller.store(0, ordering: .relaxed)
    isAtStart = false
    return isSiphon ? source : copyOutput(Int(count), of: range.count)
  }

  private func call(
    _ handle: AudioQueueProcessingTapRef, _ frames: UInt32,
    _ stamp: UnsafeMutablePointer<AudioTimeStamp>,
    _ flags: UnsafeMutablePointer<AudioQueueProcessingTapFlags>,
    _ count: UnsafeMutablePointer<UInt32>
  ) {
    // In C the context may be null.
    typealias Function =
      @convention(c) (
        UnsafeMutableRawPointer?, AudioQueueProcessingTapRef, UInt32,
        UnsafeMutablePointer<AudioTimeStamp>, UnsafeMutablePointer<AudioQueueProcessingTapFlags>,
        UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<AudioBufferList>
      ) -> Void
    ProgramCalls.shared.run(calls) { [self] in
      unsafeBitCast(callback, to: Function.self)(
        userData, handle, frames, stamp, flags, count, list)
    }
  }

  /// Copies the callback's output from the list; missing frames are silent.
  private func copyOutput(_ produced: Int, of requested: Int) -> PlanarBuffer {
    for channel in 0..<channelCount {
      var count = 0
      if let memory = list.buffers[channel].mData {
        count = min(produced, requested, Int(list.buffers[channel].mDataByteSize) / 4)
        Samples.move(
          memory.assumingMemoryBound(to: Float.self), to: result.channels[channel], count: count)
      }
      Samples.clear(result.channels[channel] + count, count: requested - count)
    }
    return result
  }

  private var streamFlags: AudioQueueProcessingTapFlags {
    var flags: AudioQueueProcessingTapFlags = []
    if isAtStart { flags.insert(.startOfStream) }
    if isAtEnd { flags.insert(.endOfStream) }
    return flags
  }

  private func requireCallback() throws(AudioError) {
    guard caller.load(ordering: .relaxed) == rt_thread_id() else {
      throw .queueTapContext.because("this can only be called inside the tap's callback")
    }
  }

  /// [inside the callback] Supplies the next frames.
  package func readSource(
    _ frames: Int, _ stamp: UnsafeMutablePointer<AudioTimeStamp>,
    _ flags: UnsafeMutablePointer<AudioQueueProcessingTapFlags>,
    _ suppliedCount: UnsafeMutablePointer<UInt32>, _ data: UnsafeMutablePointer<AudioBufferList>
  ) throws(AudioError) {
    try requireCallback()
    guard data.pointee.mNumberBuffers >= channelCount else {
      throw .invalidArgument.because(
        "ioData has \(data.pointee.mNumberBuffers) buffers; there are \(channelCount) channels")
    }
    var count = min(frames, available - suppliedFrames)
    for channel in 0..<channelCount where data.buffers[channel].mData != nil {
      count = min(count, Int(data.buffers[channel].mDataByteSize) / 4)
    }
    for channel in 0..<channelCount {
      let memory = source.channels[channel] + suppliedFrames
      if let target = data.buffers[channel].mData {
        target.copyMemory(from: memory, byteCount: count * 4)
      } else {
        data.buffers[channel].mData = UnsafeMutableRawPointer(memory)
      }
      data.buffers[channel].mNumberChannels = 1
      data.buffers[channel].mDataByteSize = UInt32(clamping: count * 4)
    }
    stamp.pointee.mSampleTime = Double(frame + suppliedFrames)
    stamp.pointee.mFlags = .sampleTimeValid
    flags.pointee = streamFlags
    suppliedCount.pointee = UInt32(clamping: count)
    suppliedFrames += count
  }

  /// [inside the callback] The queue time at which the supplied frames are played, and their
  /// number.
  package func queueTime() throws(AudioError) -> (frame: Double, count: Int) {
    guard !isOfInput else { throw .queueTapType }
    try requireCallback()
    return (Double(frame), suppliedFrames)
  }
}
