// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing
import Synchronization

/// Resamples captured frames from the input's clock to the output's clock, which may differ by some
/// hundred parts per million, for as long as both run.
///
/// A controller keeps the distance between the last captured frame and the next frame to read
/// constant: it reads slightly faster when frames pile up and slightly slower when they run short.
/// The distance is computed from the times of the cycles. The number of queued frames would jump by
/// a block whenever the cycles of the clocks pass each other, and devices correct the delays that
/// they report for seconds after the start.
///
/// Everything runs on one thread. Adriaensen, "Controlling adaptive resampling" (LAC 2012),
/// describes the method. The loop here is critically damped at 0.1 rad/s and follows two poles at 1
/// rad/s.
package struct ClockBridge: ~Copyable {
  /// The mutable state, in separate memory.
  private struct State {
    /// Frames in `queue`, and where the first one is.
    var queued = 0
    var first = 0
    /// The host time of the last push.
    var pushTime: UInt64 = 0
    var largestPush = 0
    var isPrimed = false
    /// The target distance in frames: the mean of the first second.
    var target = 0.0
    /// Seconds over which the target has been averaged so far.
    var settled = 0.0
    var firstPole = 0.0
    var secondPole = 0.0
    /// The estimated relative difference of the clocks.
    var drift = 0.0
    /// Reserve frames for irregular cycles.
    var margin = 0
    var gapCount = 0
  }

  /// The largest relative correction. No two crystals differ by more.
  private static var limit: Double { @_noLocks get { 0.005 } }
  /// The frequencies of the loop and of the poles before it, in radians per second.
  private static var loopFrequency: Double { @_noLocks get { 0.1 } }
  private static var poleFrequency: Double { @_noLocks get { 1 } }
  /// Seconds over which the target distance is averaged.
  private static var settlingTime: Double { @_noLocks get { 1 } }

  /// The nominal rates of the input clock and of the output clock.
  private let sampleRate: Double
  private let outputRate: Double
  private let correctsDrift: Bool
  private let channelCount: Int
  private let memory = OwnedMemory()
  private let queue: PlanarBuffer
  private let output: PlanarBuffer
  /// As in `PullConverter`.
  private let rate: UnsafeMutablePointer<SampleRateConverter>
  private let state: UnsafeMutablePointer<State>
  /// `latency` and `addedLatency` for other threads, as the bits of seconds.
  private let published: UnsafeMutablePointer<Atomic<UInt64>>

  /// The frames to have room for: half a second, far more than two clocks may drift apart, and four
  /// cycles of whichever clock has the longer ones.
  static func capacity(
    inputRate: Double, outputRate: Double, pushedFrames: Int, pulledFrames: Int
  ) -> Int {
    let pulled = (Double(pulledFrames) * inputRate / outputRate).rounded(.up)
    let longest = max(pushedFrames, Int(saturating: min(pulled, 0x1p48)))
    return max(Int(saturating: inputRate / 2), 4 * longest, 4_096)
  }

  /// [control thread] Bridges `channelCount` channels. At most `maximumFrames` are pulled at a time;
  /// usually `pushedFrames` are pushed (nil: as many). `outputRate` is the rate of the output clock,
  /// nil if it nominally equals the input rate. Without drift correction there are gaps.
  package init(
    sampleRate: Double, outputRate: Double? = nil, channelCount: Int, maximumFrames: Int,
    pushedFrames: Int? = nil, quality: SampleRateConverter.Quality, correctsDrift: Bool = true
  ) {
    self.sampleRate = sampleRate
    self.outputRate = outputRate ?? sampleRate
    self.correctsDrift = correctsDrift
    self.channelCount = channelCount
    queue = PlanarBuffer(
      channelCount: channelCount,
      capacity: Self.capacity(
        inputRate: sampleRate, outputRate: outputRate ?? sampleRate,
        pushedFrames: pushedFrames ?? maximumFrames, pulledFrames: maximumFrames),
      in: memory)
    output = PlanarBuffer(channelCount: channelCount, capacity: maximumFrames, in: memory)
    rate = memory.cell(
      SampleRateConverter(
        inputRate: sampleRate, outputRate: outputRate ?? sampleRate, channelCount: channelCount,
        quality: quality, isAdjustable: true))
    state = memory.cell(State())
    published = memory.cells(2) { _ in Atomic(0) }
    state.pointee.margin = Int(saturating: sampleRate / 250)
  }

  deinit { memory.deallocate() }

  /// [any thread] Seconds between the capture of a frame, which ends when its cycle is pushed, and
  /// its playback. 0 before the start.
  package var latency: Double { Double(bitPattern: published[0].load(ordering: .relaxed)) }

  /// [any thread] Seconds from the push of a cycle to the read of its first frame. This is what the
  /// bridge adds to the latency of a device, which already includes the cycle. 0 before the start.
  package var addedLatency: Double { Double(bitPattern: published[1].load(ordering: .relaxed)) }

  /// [render thread] How often it had to restart because too few or too many frames were captured.
  package var gapCount: Int { state.pointee.gapCount }

  /// [render thread] How much faster the input clock is than the output clock: the current relative
  /// estimate.
  package var drift: Double { state.pointee.drift }

  /// [render thread] The number of frames that wait to be read.
  package var queuedFrames: Int { state.pointee.queued }

  /// [render thread] Clears the signal history but keeps the estimate of the clocks.
  @_noLocks
  package borrowing func reset() {
    let rate = rate
    rate.pointee.reset()
    drop(state.pointee.queued)
    state.pointee.isPrimed = false
    publishLatency()
  }

  /// [render thread] Queues one cycle of the input clock, which arrived at `hostTime`.
  @_noLocks
  package borrowing func push(
    _ input: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int, hostTime: UInt64
  ) {
    if state.pointee.queued + frames > queue.capacity {
      // Nobody has read for long, so only the new frames matter.
      restart()
      drop(state.pointee.queued)
    }
    let count = min(frames, queue.capacity)
    makeRoom(count)
    let end = state.pointee.first + state.pointee.queued
    for channel in 0..<channelCount {
      Samples.copy(
        input[channel] + (frames - count), to: queue.channels[channel] + end, count: count)
    }
    state.pointee.queued += count
    state.pointee.pushTime = hostTime
    state.pointee.largestPush = max(state.pointee.largestPush, count)
  }

  /// [render thread] Supplies the input of a cycle part of the output clock at `hostTime`. It is
  /// silent until enough frames have been captured.
  @_noLocks
  package borrowing func pull(
    _ frames: Int, hostTime: UInt64
  ) -> UnsafePointer<UnsafeMutablePointer<Float>> {
    let rate = rate
    let distance = distance(at: hostTime)
    if state.pointee.isPrimed { correctRate(distance, seconds: Double(frames) / outputRate) }
    let needed = rate.pointee.inputFramesNeeded(for: frames)
    if state.pointee.isPrimed, state.pointee.queued < needed {
      // The cycles are less regular than assumed.
      state.pointee.margin = min(state.pointee.margin + needed / 2, queue.capacity / 4)
      restart()
    }
    if !state.pointee.isPrimed { prime(rate.pointee.inputFramesNeeded(for: frames), distance) }
    guard state.pointee.isPrimed else {
      for channel in 0..<channelCount { Samples.clear(output.channels[channel], count: frames) }
      return UnsafePointer(output.channels)
    }
    let used = rate.pointee.process(
      input: reading(queue.from(state.pointee.first)), inputFrames: state.pointee.queued,
      output: output.channels,
      outputFrames: frames)
    drop(used)
    return UnsafePointer(output.channels)
  }

  /// The distance in frames from the next frame to read to the frame captured at a given time.
  @_noLocks
  private borrowing func distance(at hostTime: UInt64) -> Double {
    let nanoseconds = Int64(bitPattern: hostTime &- state.pointee.pushTime)
    return Double(state.pointee.queued) + Double(nanoseconds) * 1e-9 * sampleRate
  }

  /// Starts reading once there are enough frames for this cycle part, for the wait until the next
  /// push, and for irregular cycles.
  @_noLocks
  private borrowing func prime(_ needed: Int, _ distance: Double) {
    let required = needed + state.pointee.largestPush + state.pointee.margin
    guard state.pointee.largestPush > 0, state.pointee.queued >= required else { return }
    let surplus = state.pointee.queued - required
    drop(surplus)
    state.pointee.target = distance - Double(surplus)
    state.pointee.settled = 0
    state.pointee.firstPole = 0
    state.pointee.secondPole = 0
    state.pointee.isPrimed = true
    publishLatency()
  }

  /// Adjusts the reading rate so that the distance stays at its target.
  @_noLocks
  private borrowing func correctRate(_ distance: Double, seconds: Double) {
    let error = distance - state.pointee.target
    // A jump of the clock, or delayed cycles that arrive together, say nothing about the rates.
    let jump = max(sampleRate / 20, 2 * Double(state.pointee.largestPush))
    guard abs(error) < jump else { return restart() }
    if state.pointee.settled < Self.settlingTime {
      state.pointee.settled += seconds
      state.pointee.target += error * seconds / state.pointee.settled
      return publishLatency()
    }
    guard correctsDrift else { return }
    let step = Self.poleFrequency * seconds
    let share = step / (1 + step)
    state.pointee.firstPole += share * (error - state.pointee.firstPole)
    state.pointee.secondPole += share * (state.pointee.firstPole - state.pointee.secondPole)
    let proportional = 2 * Self.loopFrequency / sampleRate
    let integral = Self.loopFrequency * Self.loopFrequency / sampleRate
    let drift = state.pointee.drift + integral * state.pointee.secondPole * seconds
    state.pointee.drift = min(max(drift, -Self.limit), Self.limit)
    let correction = state.pointee.drift + proportional * state.pointee.secondPole
    let rate = rate
    rate.pointee.ratioAdjustment = 1e6 * min(max(correction, -Self.limit), Self.limit)
  }

  @_noLocks
  private borrowing func restart() {
    if state.pointee.isPrimed { state.pointee.gapCount += 1 }
    state.pointee.isPrimed = false
    let rate = rate
    rate.pointee.reset()
    publishLatency()
  }

  @_noLocks
  private borrowing func publishLatency() {
    let seconds = state.pointee.target / sampleRate + rate.pointee.latency
    let added = max(seconds - Double(state.pointee.largestPush) / sampleRate, 0)
    published[0].store(state.pointee.isPrimed ? seconds.bitPattern : 0, ordering: .relaxed)
    published[1].store(state.pointee.isPrimed ? added.bitPattern : 0, ordering: .relaxed)
  }

  @_noLocks
  private borrowing func drop(_ frames: Int) {
    state.pointee.queued -= frames
    state.pointee.first = state.pointee.queued > 0 ? state.pointee.first + frames : 0
  }

  /// Moves the queue to the front if there is no room behind it. Short cycles of the output do that
  /// only now and then.
  @_noLocks
  private borrowing func makeRoom(_ frames: Int) {
    let (first, queued) = (state.pointee.first, state.pointee.queued)
    guard first + queued + frames > queue.capacity else { return }
    for channel in 0..<channelCount {
      Samples.move(queue.channels[channel] + first, to: queue.channels[channel], count: queued)
    }
    state.pointee.first = 0
  }
}
