// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import CRealTime
import SignalProcessing
import Synchronization

/// Passes pulled frames from the pulling thread of a deferred renderer to the render thread.
///
/// The render thread requests each block when its own time reaches the block's, and plays it
/// `latency` frames later. A block that comes too late is played from the position that is due by
/// then, or not at all.
struct DeferredLine: ~Copyable {
  /// A block that was requested.
  struct Request: BitwiseCopyable {
    /// Which block of the input it is.
    var number = 0
    var stamp = AudioTimeStamp()
    /// The device cycles in which blocks are requested.
    var cycles: Int32 = 0
    /// Whether the render thread waits for it.
    var isAwaited = false
  }

  /// The result of a pull.
  struct Answer: BitwiseCopyable {
    var status: OSStatus = noErr
    var isSilent = false
    /// It would have been too late to be heard.
    var isSkipped = false

    /// Whether there are samples.
    var hasSound: Bool { @_noLocks get { status == noErr && !isSilent && !isSkipped } }
  }

  let pullFrames: Int
  let latency: Int
  private let sampleRate: Double
  private let channelCount: Int
  private let blockCount: Int
  private let memory = OwnedMemory()
  /// Written by the render thread, and by the one that pulls.
  private let requests: UnsafeMutablePointer<Request>
  private let answers: UnsafeMutablePointer<Answer>
  private let samples: UnsafeMutablePointer<Float>
  private let made: BusBuffer
  private let signal: UnsafeMutablePointer<WorkSignal>

  /// How many blocks were requested, and how many of them were pulled.
  private let asked = Atomic(0)
  private let pulled = Atomic(0)
  /// The first block that is still needed, and the input frame up to which everything was played.
  private let firstLive = Atomic(0)
  private let played = Atomic(0)
  let lateness = Lateness()

  /// State of the render thread.
  private struct Place: BitwiseCopyable {
    /// Frames rendered since the start.
    var position = 0
    var nextNumber = 0
    /// The block that is playing or comes next.
    var reading = 0
    var lastTime = Double.nan
    var lastFrames = 0
    var lastStatus: OSStatus = noErr
    var wasSilent = true
  }

  private let place: UnsafeMutablePointer<Place>

  /// How long pulled frames are held: long enough to render a whole pull, or a whole slice,
  /// meanwhile.
  static func latency(pull: Int, extra: Int, maximumFrames: Int) -> Int {
    max(pull, maximumFrames) + extra
  }

  private static func blockCount(pull: Int, latency: Int, maximumFrames: Int) -> Int {
    (latency + maximumFrames) / pull + 3
  }

  /// The size of one in bytes.
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
    answers = memory.array(blockCount, of: Answer())
    // Touched now, so that the render thread causes no page fault.
    samples = memory.array(blockCount * channelCount * pull, of: 0)
    made = BusBuffer(format, maximumFrames: maximumFrames)
    place = memory.cell(Place())
  }

  deinit {
    memory.deallocate()
    made.deallocate()
  }

  @_noLocks
  private func channel(_ block: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
    samples + ((block % blockCount) * channelCount + channel) * pullFrames
  }

  // MARK: The thread that pulls

  /// [worker] The next block that was requested, if any.
  borrowing func next() -> Request? {
    let index = pulled.load(ordering: .relaxed)
    guard index < asked.load(ordering: .acquiring) else { return nil }
    return requests[index % blockCount]
  }

  /// [worker] Whether the block from `next` would be too late to be heard.
  borrowing func isOver(_ request: Request) -> Bool {
    let index = pulled.load(ordering: .relaxed)
    guard index >= firstLive.load(ordering: .relaxed) else { return true }
    let end = (request.number + 1) * pullFrames
    return !request.isAwaited && end <= played.load(ordering: .relaxed)
  }

  /// [worker] Stores the rendered block from `next`, which is in `buffer`.
  borrowing func finish(_ answer: Answer, _ buffer: BusBuffer) {
    let index = pulled.load(ordering: .relaxed)
    if answer.hasSound {
      for channel in 0..<channelCount {
        self.channel(index, channel).update(from: buffer.channels[channel], count: pullFrames)
      }
    }
    answers[index % blockCount] = answer
    pulled.store(index + 1, ordering: .releasing)
  }

  // MARK: The render thread

  /// [render thread, or control thread while nothing renders] Starts afresh.
  @_noLocks
  borrowing func forget() {
    let index = asked.load(ordering: .relaxed)
    firstLive.store(index, ordering: .relaxed)
    played.store(-latency, ordering: .relaxed)
    place.pointee = Place()
    place.pointee.reading = index
  }

  /// [render thread] Requests the input of these frames, and outputs frames that were requested
  /// before.
  @_noLocks
  borrowing func render(
    _ call: RenderCall, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let frames = Int(call.frameCount)
    let isTimed = call.time.pointee.mFlags.rawValue & Self.sampleTimeValid != 0
    let now = isTimed ? call.time.pointee.mSampleTime : .nan
    if now != place.pointee.lastTime || frames != place.pointee.lastFrames {
      let waits = signal.pointee.mayWait
      ask(for: frames, at: call.time, isTimed: isTimed, isAwaited: waits)
      if waits {
        signal.pointee.wait(for: pulled, toReach: asked.load(ordering: .relaxed))
      }
      made.prepare()
      fill(frames)
      (place.pointee.lastTime, place.pointee.lastFrames) = (now, frames)
    }
    let silence = AudioUnitRenderActionFlags.unitRenderAction_OutputIsSilence.rawValue
    let others = call.flags.pointee.rawValue & ~silence
    call.flags.pointee = .init(rawValue: place.pointee.wasSilent ? others | silence : others)
    guard place.pointee.lastStatus == noErr else { return place.pointee.lastStatus }
    made.deliver(frames, to: data)
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
  private borrowing func ask(
    for frames: Int, at time: UnsafePointer<AudioTimeStamp>, isTimed: Bool, isAwaited: Bool
  ) {
    while place.pointee.nextNumber * pullFrames < place.pointee.position + frames {
      let index = asked.load(ordering: .relaxed)
      let offset = Double(place.pointee.nextNumber * pullFrames - place.pointee.position)
      // If the pulling thread has fallen behind by all the available blocks, this block is skipped.
      if index - min(pulled.load(ordering: .acquiring), place.pointee.reading) < blockCount {
        var request = Request()
        request.number = place.pointee.nextNumber
        request.stamp = time.pointee
        request.stamp.mSampleTime =
          isTimed ? time.pointee.mSampleTime + offset : Double(place.pointee.position) + offset
        if request.stamp.mFlags.rawValue & Self.hostTimeValid != 0 {
          request.stamp.mHostTime &+= UInt64(offset * 1e9 / sampleRate)
        }
        let flags = request.stamp.mFlags.rawValue | Self.sampleTimeValid
        request.stamp.mFlags = .init(rawValue: flags)
        request.cycles = rt_current().pointee.cycles
        request.isAwaited = isAwaited
        requests[index % blockCount] = request
        asked.store(index + 1, ordering: .releasing)
      }
      place.pointee.nextNumber += 1
    }
  }

  /// Which block of the input was requested.
  @_noLocks
  private borrowing func number(of index: Int) -> Int { requests[index % blockCount].number }

  /// Copies the due frames into the output.
  @_noLocks
  private borrowing func fill(_ frames: Int) {
    let end = asked.load(ordering: .relaxed)
    let ready = pulled.load(ordering: .acquiring)
    var (done, missing) = (0, 0)
    (place.pointee.lastStatus, place.pointee.wasSilent) = (noErr, true)
    while done < frames {
      let start = place.pointee.position - latency + done
      let number = start < 0 ? -1 : start / pullFrames
      let next = (number + 1) * pullFrames
      while place.pointee.reading < end, self.number(of: place.pointee.reading) < number {
        place.pointee.reading += 1
      }
      let count = min(frames - done, next - start)
      let isThere =
        place.pointee.reading < ready
        && self.number(of: place.pointee.reading) == number
        && !answers[place.pointee.reading % blockCount].isSkipped
      if isThere {
        play(start - number * pullFrames, count, at: done)
      } else {
        if number >= 0 { missing += count }
        clear(count, at: done)
      }
      done += count
    }
    place.pointee.position += frames
    played.store(place.pointee.position - latency, ordering: .relaxed)
    lateness.note(missing: missing)
  }

  /// Copies a part of the block that is played.
  @_noLocks
  private borrowing func play(_ offset: Int, _ count: Int, at frame: Int) {
    let answer = answers[place.pointee.reading % blockCount]
    if answer.status != noErr { place.pointee.lastStatus = answer.status }
    guard answer.hasSound else { return clear(count, at: frame) }
    place.pointee.wasSilent = false
    for channel in 0..<channelCount {
      let from = self.channel(place.pointee.reading, channel) + offset
      UnsafeMutableRawPointer(made.channels[channel] + frame).copyMemory(
        from: from, byteCount: 4 * count)
    }
  }

  @_noLocks
  private borrowing func clear(_ count: Int, at frame: Int) {
    for channel in 0..<channelCount {
      UnsafeMutableRawPointer(made.channels[channel] + frame).initializeMemory(
        as: UInt8.self, repeating: 0, count: 4 * count)
    }
  }
}
