// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
internal import CAudioToolbox
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing
import Synchronization

/// Everything that the render thread of a playback queue accesses. It reads decoded frames from a
/// ring and applies the marks between them; it scales and measures the frames, and keeps the time.
struct PlaybackRenderer: ~Copyable {
  /// Only the render thread accesses this.
  private struct State: BitwiseCopyable {
    /// The queue time in frames; negative before a scheduled start.
    var position = 0
    var startHostTime: UInt64 = 0
    var gain: Float = 1
    var gainTarget: Float = 1
    var gainStep: Float = 0
    var mark = PlaybackMark(.end, at: 0, generation: -1)
    var hasMark = false
    var generation = 0
    var hasPlayed = false
    var isDry = false
    /// Remaining frames of the fade-out and the fade-in after an interruption.
    var remainingFadeOut = 0
    var remainingFadeIn = 0
    var hasEnded = false
  }

  let ring: Ring<Float>
  let marks = MessageQueue<PlaybackMark>(capacity: 1_024)
  private let publishedPosition = PublishedValue<QueuePosition>()
  /// [any thread] The position after the last cycle.
  var position: QueuePosition { publishedPosition.load() ?? QueuePosition() }
  let levels: LevelMeters
  /// How often the ring ran dry during playback, and how many frames were missing.
  let gapCount = Atomic(0)
  let gapFrames = Atomic(0)
  /// Whether the end was reached.
  let hasEnded = Atomic(false)
  /// Frames before this one are dropped once `generation` has changed.
  let flushIndex = Atomic(0)
  let generation = Atomic(0)
  /// Whether more frames will come without any call of the program.
  let expectsFrames = Atomic(false)
  /// Whether it waits for frames: true when there is no clock.
  let waits = Atomic(false)
  /// Whether the device is being stopped: then it waits for no frames.
  let isStopping = Atomic(false)
  /// Whether it renders only the available frames, for manual rendering.
  let stopsWhenDry = Atomic(false)
  let sampleRate: Double
  let channelCount: Int
  private let parameters: UnsafeMutablePointer<QueueParameters>
  private let memory = OwnedMemory()
  private let state: UnsafeMutablePointer<State>
  /// The last sample of each output channel.
  private let lastSamples: UnsafeMutablePointer<Float>
  private let lastSampleCount: Int
  /// The length in frames of the fade-out at an interruption, and of the fade-in after it.
  private let fadeFrames: Int
  private let minimumRampFrames: Float

  /// [control thread] Allocates a ring with room for `capacity` frames.
  init(
    channelCount: Int, sampleRate: Double, capacity: Int,
    parameters: UnsafeMutablePointer<QueueParameters>
  ) {
    ring = Ring(channelCount: channelCount, capacity: capacity)
    levels = LevelMeters(channelCount: channelCount, sampleRate: sampleRate)
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    self.parameters = parameters
    state = memory.cell(State())
    lastSampleCount = max(2, channelCount)
    lastSamples = memory.array(lastSampleCount, of: 0)
    fadeFrames = max(16, Int(saturating: sampleRate * 0.005))
    minimumRampFrames = Float(sampleRate * 0.005)
  }

  deinit { memory.deallocate() }

  /// [while no thread renders] Restarts the time: at `hostTime`, or with the next cycle if that is
  /// 0. The ring keeps its frames.
  borrowing func begin(at hostTime: UInt64) {
    let previous = state.pointee
    state.pointee = State()
    state.pointee.mark = previous.mark
    state.pointee.hasMark = previous.hasMark
    state.pointee.generation = previous.generation
    state.pointee.startHostTime = hostTime
    let volume = parameters.pointee.limited(kAudioQueueParam_Volume)
    state.pointee.gain = volume
    state.pointee.gainTarget = volume
    lastSamples.update(repeating: 0, count: lastSampleCount)
    hasEnded.store(false, ordering: .releasing)
    levels.reset()
    publishedPosition.store(QueuePosition())
  }

  /// [while no thread renders] Fades interrupted sound in after a pause.
  borrowing func resume() {
    if state.pointee.hasPlayed { state.pointee.remainingFadeIn = fadeFrames }
  }

  /// [the writer] Drops all written frames: immediately if no thread renders, else at the next
  /// cycle. The writer must not write meanwhile.
  borrowing func flush(isRendering: Bool) {
    flushIndex.store(ring.written, ordering: .releasing)
    generation.wrappingAdd(1, ordering: .acquiringAndReleasing)
    if !isRendering { applyFlush() }
  }

  @_noLocks
  private borrowing func applyFlush() {
    let current = generation.load(ordering: .acquiring)
    guard current != state.pointee.generation else { return }
    state.pointee.generation = current
    if ring.read < flushIndex.load(ordering: .acquiring) {
      ring.release(upTo: flushIndex.load(ordering: .acquiring))
      startFades()
    }
  }

  /// Fades out from the last samples, and fades in the frames that follow, when sound is
  /// interrupted.
  @_noLocks
  private borrowing func startFades() {
    guard state.pointee.hasPlayed else { return }
    state.pointee.remainingFadeOut = fadeFrames
    state.pointee.remainingFadeIn = fadeFrames
  }

  // MARK: Rendering

  /// [render thread] Renders `frames` frames, the first of which is played at `hostTime`. Returns
  /// how many: all, except in manual rendering. `output` has as many channels as the ring, or two
  /// for mono.
  @_noLocks
  borrowing func render(
    _ output: UnsafePointer<UnsafeMutablePointer<Float>>, outputCount: Int, frames: Int,
    hostTime: UInt64, rateScalar: Double
  ) -> Int {
    if waits.load(ordering: .relaxed) { waitForFrames(frames) }
    applyFlush()
    var done = renderLeadIn(output, outputCount, frames, hostTime)
    let begin = state.pointee.position
    while done < frames {
      let gap = applyMarks()
      if gap > 0 {
        let count = min(gap, frames - done)
        silence(output, outputCount, from: done, count: count)
        done += count
        state.pointee.position += count
        continue
      }
      var count = min(frames - done, ring.fill)
      if state.pointee.hasMark { count = min(count, state.pointee.mark.index - ring.read) }
      guard count > 0 else { break }
      play(output, outputCount, from: done, count: count)
      done += count
      state.pointee.position += count
    }
    if done < frames, !stopsWhenDry.load(ordering: .relaxed) {
      countMissingFrames(frames - done)
      silence(output, outputCount, from: done, count: frames - done)
      state.pointee.position += frames - done
      done = frames
    }
    let lead = state.pointee.position - begin
    publishedPosition.store(
      QueuePosition(
        frame: state.pointee.position - max(lead, 0), frameCount: max(lead, 0), hostTime: hostTime,
        rateScalar: rateScalar))
    return done
  }

  /// Counts missing frames, and each gap once; counts nothing after the end.
  @_noLocks
  private borrowing func countMissingFrames(_ frames: Int) {
    guard !state.pointee.hasEnded, state.pointee.hasPlayed else { return }
    gapFrames.wrappingAdd(frames, ordering: .relaxed)
    guard !state.pointee.isDry else { return }
    state.pointee.isDry = true
    gapCount.wrappingAdd(1, ordering: .relaxed)
    startFades()
  }

  /// Renders the silence before a scheduled start; returns the number of its frames.
  @_noLocks
  private borrowing func renderLeadIn(
    _ output: UnsafePointer<UnsafeMutablePointer<Float>>, _ outputCount: Int, _ frames: Int,
    _ hostTime: UInt64
  ) -> Int {
    let start = state.pointee.startHostTime
    guard start > 0 else { return 0 }
    guard start > hostTime else {
      state.pointee.startHostTime = 0
      state.pointee.position = 0
      return 0
    }
    let wait = nearest(Double(start - hostTime) / 1e9 * sampleRate)
    let count = min(wait, frames)
    silence(output, outputCount, from: 0, count: count)
    state.pointee.position = count - wait
    if count == wait { state.pointee.startHostTime = 0 }
    return count
  }

  /// Applies the marks at the next frame; returns the number of silent frames until the next
  /// buffer.
  @_noLocks
  private borrowing func applyMarks() -> Int {
    while true {
      if !state.pointee.hasMark {
        guard let mark = marks.pop() else { return 0 }
        state.pointee.mark = mark
        state.pointee.hasMark = true
      }
      let mark = state.pointee.mark
      guard mark.generation == state.pointee.generation else {
        // An old mark belongs to dropped frames. A newer mark waits until its flush is applied.
        if mark.generation > state.pointee.generation { return 0 }
        state.pointee.hasMark = false
        continue
      }
      guard mark.index <= ring.read else { return 0 }
      switch mark.kind {
      case .start:
        let gap = mark.time - state.pointee.position
        if gap > 0 { return gap }
      case .parameter:
        _ = parameters.pointee.set(mark.id, mark.value)
      case .end:
        state.pointee.hasEnded = true
        hasEnded.store(true, ordering: .releasing)
      }
      state.pointee.hasMark = false
    }
  }

  @_noLocks
  private borrowing func play(
    _ output: UnsafePointer<UnsafeMutablePointer<Float>>, _ outputCount: Int, from offset: Int,
    count: Int
  ) {
    for channel in 0..<channelCount {
      ring.copy(channel: channel, to: output[channel] + offset, count: count)
    }
    ring.release(upTo: ring.read + count)
    state.pointee.hasPlayed = true
    state.pointee.isDry = false
    state.pointee.hasEnded = false
    scale(output, from: offset, count: count)
    for channel in 0..<channelCount {
      levels.measure(channel, output[channel] + offset, count: count)
    }
    pan(output, outputCount, from: offset, count: count)
    if state.pointee.remainingFadeIn > 0 { fadeIn(output, outputCount, from: offset, count: count) }
    addFadeOut(output, outputCount, from: offset, count: count)
    for channel in 0..<outputCount { lastSamples[channel] = output[channel][offset + count - 1] }
  }

  /// Applies the volume, with a linear ramp after a change. At a volume of one, samples stay
  /// unchanged.
  @_noLocks
  private borrowing func scale(
    _ output: UnsafePointer<UnsafeMutablePointer<Float>>, from offset: Int, count: Int
  ) {
    let target = parameters.pointee.limited(kAudioQueueParam_Volume)
    if target != state.pointee.gainTarget {
      let ramp = parameters.pointee.limited(kAudioQueueParam_VolumeRampTime) * Float(sampleRate)
      state.pointee.gainTarget = target
      state.pointee.gainStep = (target - state.pointee.gain) / max(ramp, minimumRampFrames)
    }
    var (gain, step) = (state.pointee.gain, state.pointee.gainStep)
    guard step != 0 || gain != 1 else { return }
    for channel in 0..<channelCount {
      (gain, step) = (state.pointee.gain, state.pointee.gainStep)
      let samples = output[channel] + offset
      for index in 0..<count {
        if step != 0 {
          gain += step
          if step > 0 ? gain >= target : gain <= target { (gain, step) = (target, 0) }
        }
        samples[index] *= gain
      }
    }
    state.pointee.gain = gain
    state.pointee.gainStep = step
  }

  /// Applies the balance of two channels; mono goes to both.
  @_noLocks
  private borrowing func pan(
    _ output: UnsafePointer<UnsafeMutablePointer<Float>>, _ outputCount: Int, from offset: Int,
    count: Int
  ) {
    guard outputCount == 2 else { return }
    if channelCount == 1 {
      Samples.copy(output[0] + offset, to: output[1] + offset, count: count)
    }
    let pan = parameters.pointee.limited(kAudioQueueParam_Pan)
    guard pan != 0 else { return }
    let side = pan > 0 ? 0 : 1
    let gain = 1 - pan.magnitude
    let samples = output[side] + offset
    for index in 0..<count { samples[index] *= gain }
  }

  @_noLocks
  private borrowing func fadeIn(
    _ output: UnsafePointer<UnsafeMutablePointer<Float>>, _ outputCount: Int, from offset: Int,
    count: Int
  ) {
    let remaining = state.pointee.remainingFadeIn
    let frames = min(remaining, count)
    for channel in 0..<outputCount {
      let samples = output[channel] + offset
      for index in 0..<frames {
        samples[index] *= 1 - Float(remaining - index) / Float(fadeFrames)
      }
    }
    state.pointee.remainingFadeIn -= frames
  }

  /// Renders silence, with a fade-out of interrupted sound.
  @_noLocks
  private borrowing func silence(
    _ output: UnsafePointer<UnsafeMutablePointer<Float>>, _ outputCount: Int, from offset: Int,
    count: Int
  ) {
    for channel in 0..<outputCount { Samples.clear(output[channel] + offset, count: count) }
    addFadeOut(output, outputCount, from: offset, count: count)
    // Levels fall in silence too.
    for channel in 0..<channelCount {
      levels.measure(channel, output[channel] + offset, count: count)
    }
  }

  @_noLocks
  private borrowing func addFadeOut(
    _ output: UnsafePointer<UnsafeMutablePointer<Float>>, _ outputCount: Int, from offset: Int,
    count: Int
  ) {
    let remaining = state.pointee.remainingFadeOut
    guard remaining > 0 else { return }
    let frames = min(remaining, count)
    for channel in 0..<outputCount {
      let samples = output[channel] + offset
      let from = lastSamples[channel]
      for index in 0..<frames {
        samples[index] += from * (Float(remaining - index - 1) / Float(fadeFrames))
      }
    }
    state.pointee.remainingFadeOut -= frames
  }

  /// Waits for frames while more are expected, at most two seconds; only without a clock. No device
  /// waits for such a thread; without the pauses it would overtake the decoding thread.
  @_semantics("no_performance_analysis") @inline(never)
  private borrowing func waitForFrames(_ frames: Int) {
    waitPolling(every: 100, until: rt_host_time() + 2_000_000_000) {
      ring.fill < frames && expectsFrames.load(ordering: .acquiring)
        && !isStopping.load(ordering: .acquiring)
    }
  }
}
