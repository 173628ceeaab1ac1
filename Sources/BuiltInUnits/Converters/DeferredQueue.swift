// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import CRealTime
import SignalProcessing
import Synchronization

/// Passes pulled blocks from the pulling thread of a deferred renderer to the render thread.
///
/// The render thread requests each block when its own time reaches the block's, and plays it
/// `latency` frames later. If a block arrives late, its late frames are skipped.
struct DeferredQueue: ~Copyable {
  /// A block that was requested.
  struct Request: BitwiseCopyable {
    /// The number of the input block.
    var number = 0
    var stamp = AudioTimeStamp()
    /// The device cycles that the requesting thread is in.
    var cycles: Int32 = 0
    /// Whether the render thread waits for it.
    var isAwaited = false
  }

  /// The result of a pull.
  struct PullResult: BitwiseCopyable {
    var status: OSStatus = noErr
    var isSilent = false
    /// It was not pulled, because it would have come too late to be played.
    var isSkipped = false

    /// Whether the block has samples.
    var hasSound: Bool { @_noLocks get { status == noErr && !isSilent && !isSkipped } }
  }

  let pullFrames: Int
  let latency: Int
  private let sampleRate: Double
  private let channelCount: Int
  private let blockCount: Int
  private let memory = OwnedMemory()
  /// `requests` is written by the render thread, `results` by the pulling thread.
  private let requests: UnsafeMutablePointer<Request>
  private let results: UnsafeMutablePointer<PullResult>
  private let samples: UnsafeMutablePointer<Float>
  private let output: BusBuffer
  private let signal: UnsafeMutablePointer<WorkSignal>

  /// The numbers of blocks that were requested and pulled so far.
  private let requestedCount = Atomic(0)
  private let pulledCount = Atomic(0)
  /// The first block that is still needed, and the input frame up to which the output was rendered.
  private let firstNeeded = Atomic(0)
  private let played = Atomic(0)
  let lateness = Lateness()

  /// State of the render thread.
  private struct RenderState: BitwiseCopyable {
    /// Frames rendered since the start.
    var position = 0
    var nextNumber = 0
    /// The index of the block that is playing or comes next.
    var currentBlock = 0
    var lastTime = Double.nan
    var lastFrames = 0
    var lastStatus: OSStatus = noErr
    var wasSilent = true
  }

  private let state: UnsafeMutablePointer<RenderState>

  /// The delay in frames: long enough to render a whole pull, or a whole slice, in that time.
  static func latency(pull: Int, extra: Int, maximumFrames: Int) -> Int {
    max(pull, maximumFrames) + extra
  }

  private static func blockCount(pull: Int, latency: Int, maximumFrames: Int) -> Int {
    (latency + maximumFrames) / pull + 3
  }

  /// The memory of a queue in bytes.
  static func memory(pull: Int, extra: Int, maximumFrames: Int, channelCount: Int) -> Int {
    let latency = latency(pull: pull, extra: extra, maximumFrames: maximumFrames)
    let count = blockCount(pull: pull, latency: latency, maximumFrames: maximumFrames)
    return 4 * channelCount * (pull * count + pull + maximumFrames)
  }

  /// [control thread] Allocates memory for rendering.
  init(
    _ format: StreamFormat, pull: Int, extra: Int, maximumFrames: Int,
    _ signal: UnsafeMutablePointer<WorkSignal>
  ) {
    pullFrames = pull
    latency = Self.latency(pull: pull, extra: extra, maximumFrames: maximumFrames)
    blockCount = Self.blockCount(pull: pull, latency: latency, maximumFrames: maximumFrames)
    sampleRate = format.sampleRate
    channelCount = format.channelCount
    self.signal = signal
    requests = memory.array(blockCount, of: Request())
    results = memory.array(blockCount, of: PullResult())
    // Written now, so that the render thread causes no page fault.
    samples = memory.array(blockCount * channelCount * pull, of: 0)
    output = BusBuffer(format, maximumFrames: maximumFrames)
    state = memory.cell(RenderState())
  }

  deinit {
    memory.deallocate()
    output.deallocate()
  }

  @_noLocks
  private func channel(_ block: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
    samples + ((block % blockCount) * channelCount + channel) * pullFrames
  }

  // MARK: The thread that pulls

  /// [worker] The oldest request that is not fulfilled yet.
  borrowing func next() -> Request? {
    let index = pulledCount.load(ordering: .relaxed)
    guard index < requestedCount.load(ordering: .acquiring) else { return nil }
    return requests[index % blockCount]
  }

  /// [worker] Whether the block from `next` would come too late to be played.
  borrowing func isTooLate(_ request: Request) -> Bool {
    let index = pulledCount.load(ordering: .relaxed)
    guard index >= firstNeeded.load(ordering: .relaxed) else { return true }
    let end = (request.number + 1) * pullFrames
    return !request.isAwaited && end <= played.load(ordering: .relaxed)
  }

  /// [worker] Stores the block that was pulled for `next`, which is in `buffer`.
  borrowing func finish(_ result: PullResult, _ buffer: BusBuffer) {
    let index = pulledCount.load(ordering: .relaxed)
    if result.hasSound {
      for channel in 0..<channelCount {
        self.channel(index, channel).update(from: buffer.channels[channel], count: pullFrames)
      }
    }
    results[index % blockCount] = result
    pulledCount.store(index + 1, ordering: .releasing)
  }

  // MARK: The render thread

  /// [render thread, or control thread while nothing renders] Clears the signal history.
  @_noLocks
  borrowing func reset() {
    let index = requestedCount.load(ordering: .relaxed)
    firstNeeded.store(index, ordering: .relaxed)
    played.store(-latency, ordering: .relaxed)
    state.pointee = RenderState()
    state.pointee.currentBlock = index
  }

  /// [render thread] Requests the input for these frames, and outputs frames that were requested
  /// earlier.
  @_noLocks
  borrowing func render(
    _ call: RenderCall, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let frames = Int(call.frameCount)
    let isTimed = call.time.pointee.mFlags.rawValue & Self.sampleTimeValid != 0
    let now = isTimed ? call.time.pointee.mSampleTime : .nan
    if now != state.pointee.lastTime || frames != state.pointee.lastFrames {
      let waits = signal.pointee.mayWait
      requestBlocks(for: frames, at: call.time, isTimed: isTimed, isAwaited: waits)
      if waits {
        signal.pointee.wait(for: pulledCount, toReach: requestedCount.load(ordering: .relaxed))
      }
      output.prepare()
      fill(frames)
      (state.pointee.lastTime, state.pointee.lastFrames) = (now, frames)
    }
    let silence = AudioUnitRenderActionFlags.unitRenderAction_OutputIsSilence.rawValue
    let others = call.flags.pointee.rawValue & ~silence
    call.flags.pointee = .init(rawValue: state.pointee.wasSilent ? others | silence : others)
    guard state.pointee.lastStatus == noErr else { return state.pointee.lastStatus }
    output.deliver(frames, to: data)
    return noErr
  }

  private static var sampleTimeValid: UInt32 {
    @_noLocks get { AudioTimeStampFlags.sampleTimeValid.rawValue }
  }
  private static var hostTimeValid: UInt32 {
    @_noLocks get { AudioTimeStampFlags.hostTimeValid.rawValue }
  }

  /// Requests the blocks that begin within the next `frames`.
  @_noLocks
  private borrowing func requestBlocks(
    for frames: Int, at time: UnsafePointer<AudioTimeStamp>, isTimed: Bool, isAwaited: Bool
  ) {
    while state.pointee.nextNumber * pullFrames < state.pointee.position + frames {
      let index = requestedCount.load(ordering: .relaxed)
      let offset = Double(state.pointee.nextNumber * pullFrames - state.pointee.position)
      // If the pulling thread has fallen behind by all the available blocks, this block is skipped.
      let oldest = min(pulledCount.load(ordering: .acquiring), state.pointee.currentBlock)
      if index - oldest < blockCount {
        var request = Request()
        request.number = state.pointee.nextNumber
        request.stamp = time.pointee
        request.stamp.mSampleTime =
          isTimed ? time.pointee.mSampleTime + offset : Double(state.pointee.position) + offset
        if request.stamp.mFlags.rawValue & Self.hostTimeValid != 0 {
          request.stamp.mHostTime &+= UInt64(offset * 1e9 / sampleRate)
        }
        let flags = request.stamp.mFlags.rawValue | Self.sampleTimeValid
        request.stamp.mFlags = .init(rawValue: flags)
        request.cycles = rt_current().pointee.cycles
        request.isAwaited = isAwaited
        requests[index % blockCount] = request
        requestedCount.store(index + 1, ordering: .releasing)
      }
      state.pointee.nextNumber += 1
    }
  }

  /// The number of the input block of a request.
  @_noLocks
  private borrowing func number(of index: Int) -> Int { requests[index % blockCount].number }

  /// Fills the output with the frames for the current position.
  @_noLocks
  private borrowing func fill(_ frames: Int) {
    let end = requestedCount.load(ordering: .relaxed)
    let ready = pulledCount.load(ordering: .acquiring)
    var (done, missing) = (0, 0)
    (state.pointee.lastStatus, state.pointee.wasSilent) = (noErr, true)
    while done < frames {
      let start = state.pointee.position - latency + done
      let number = start < 0 ? -1 : start / pullFrames
      let next = (number + 1) * pullFrames
      while state.pointee.currentBlock < end, self.number(of: state.pointee.currentBlock) < number {
        state.pointee.currentBlock += 1
      }
      let count = min(frames - done, next - start)
      let isAvailable =
        state.pointee.currentBlock < ready
        && self.number(of: state.pointee.currentBlock) == number
        && !results[state.pointee.currentBlock % blockCount].isSkipped
      if isAvailable {
        play(start - number * pullFrames, count, at: done)
      } else {
        if number >= 0 { missing += count }
        clear(count, at: done)
      }
      done += count
    }
    state.pointee.position += frames
    played.store(state.pointee.position - latency, ordering: .relaxed)
    lateness.note(missing: missing)
  }

  /// Copies a part of the current block to the output.
  @_noLocks
  private borrowing func play(_ offset: Int, _ count: Int, at frame: Int) {
    let result = results[state.pointee.currentBlock % blockCount]
    if result.status != noErr { state.pointee.lastStatus = result.status }
    guard result.hasSound else { return clear(count, at: frame) }
    state.pointee.wasSilent = false
    for channel in 0..<channelCount {
      let from = self.channel(state.pointee.currentBlock, channel) + offset
      UnsafeMutableRawPointer(output.channels[channel] + frame).copyMemory(
        from: from, byteCount: 4 * count)
    }
  }

  @_noLocks
  private borrowing func clear(_ count: Int, at frame: Int) {
    for channel in 0..<channelCount {
      UnsafeMutableRawPointer(output.channels[channel] + frame).initializeMemory(
        as: UInt8.self, repeating: 0, count: 4 * count)
    }
  }
}
