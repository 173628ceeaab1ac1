// SPDX-License-Identifier: Apache-2.0
package import AudioSupport
package import CAudioToolbox
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers

extension AudioQueue {
  // MARK: Timelines

  /// [control thread] Creates a timeline.
  package func makeTimeline() throws(AudioError) -> AudioQueueTimelineRef {
    let timeline = try QueueTimeline.make()
    let gaps = gaps
    let isAdded = lock.withLock {
      guard !isDisposing else { return false }
      timelines.add(timeline, gaps: gaps)
      return true
    }
    guard isAdded else {
      QueueTimeline.dispose(timeline)
      throw .queueDisposal
    }
    return timeline
  }

  /// [control thread] Disposes of a timeline.
  package func dispose(_ timeline: AudioQueueTimelineRef) throws(AudioError) {
    guard lock.withLock({ timelines.remove(timeline) }), QueueTimeline.dispose(timeline) else {
      throw .stale("timeline of this queue")
    }
  }

  /// Whether there was a gap since the last query of a timeline.
  private func hasGap(_ timeline: AudioQueueTimelineRef) throws(AudioError) -> Bool {
    let gaps = gaps
    guard let hasGap = lock.withLock({ timelines.hasGap(timeline, gaps: gaps) }) else {
      throw .stale("timeline of this queue")
    }
    return hasGap
  }

  /// [any thread] Frames since the start; with a timeline, also whether there was a gap.
  package func currentTime(_ timeline: AudioQueueTimelineRef?) throws(AudioError) -> (
    stamp: AudioTimeStamp, hasGap: Bool?
  ) {
    let state = lock.withLock { self.state }
    guard state.hasStarted else {
      throw .queueRunState.because("the queue is not running")
    }
    let now = rt_host_time()
    let position = position
    var frame = Double(position.end)
    if state.runs, !isOffline, position.hostTime > 0 {
      // Between two cycles the time advances with the clock, but never past the rendered frames.
      let elapsed = (Double(now) - Double(position.hostTime)) / 1e9 * format.mSampleRate
      frame = min(Double(position.frame) + elapsed * position.rateScalar, frame)
    }
    frame = lock.withLock {
      // The time of a started queue never decreases, even if a clock jumps back.
      if position.frame >= 0 { frame = max(frame, min(0, Double(position.frame))) }
      lastTime = max(lastTime, frame)
      return lastTime
    }
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = frame
    stamp.mHostTime = now
    stamp.mRateScalar = position.rateScalar
    stamp.mFlags = [.sampleTimeValid, .hostTimeValid, .rateScalarValid]
    guard let timeline else { return (stamp, nil) }
    return (stamp, try hasGap(timeline))
  }

  // MARK: The device's time

  private func clock() throws(AudioError) -> QueueClock {
    QueueClock(sampleRate: try device().sampleRate)
  }

  private func runningClock() throws(AudioError) -> QueueClock {
    guard lock.withLock({ state.runs }), !isOffline else {
      throw .queueRunState.because("the device is not running for the queue")
    }
    return try clock()
  }

  /// [any thread] The time of the device; only the host time while it does not run.
  package func deviceTime() throws(AudioError) -> AudioTimeStamp {
    var stamp = AudioTimeStamp()
    stamp.mHostTime = rt_host_time()
    stamp.mFlags = .hostTimeValid
    guard let clock = try? runningClock() else { return stamp }
    stamp.mSampleTime = clock.frames(at: stamp.mHostTime)
    stamp.mRateScalar = position.rateScalar
    stamp.mFlags = [.sampleTimeValid, .hostTimeValid, .rateScalarValid]
    return stamp
  }

  /// [any thread] Converts a time to the representations in `requested`: frames, host time.
  package func translate(_ time: AudioTimeStamp, requested: AudioTimeStampFlags) throws(AudioError)
    -> AudioTimeStamp
  {
    let clock = try runningClock()
    guard let hostTime = clock.hostTime(of: time) else {
      throw .invalidArgument.because("inTime has neither a sample time nor a host time")
    }
    var stamp = AudioTimeStamp()
    stamp.mFlags = requested.intersection([.sampleTimeValid, .hostTimeValid, .rateScalarValid])
    if requested.contains(.sampleTimeValid) {
      stamp.mSampleTime =
        time.mFlags.contains(.sampleTimeValid) ? time.mSampleTime : clock.frames(at: hostTime)
    }
    if requested.contains(.hostTimeValid) { stamp.mHostTime = hostTime }
    if requested.contains(.rateScalarValid) { stamp.mRateScalar = position.rateScalar }
    return stamp
  }

  /// [any thread] The next time at which the device can start: two cycles from now.
  package func nearestStart(_ time: AudioTimeStamp) throws(AudioError) -> AudioTimeStamp {
    let clock = try runningClock()
    guard let requested = clock.hostTime(of: time) else {
      throw .invalidArgument.because(
        "ioRequestedStartTime has neither a sample time nor a host time")
    }
    let device = try device()
    let cycle = UInt64(saturating: 2 * Double(device.cycleFrames) / device.sampleRate * 1e9)
    let hostTime = max(requested, rt_host_time() + min(cycle, 10_000_000_000))
    var stamp = time
    if hostTime != requested || !time.mFlags.contains(.sampleTimeValid) {
      stamp.mSampleTime = clock.frames(at: hostTime).rounded(.up)
    }
    stamp.mHostTime = hostTime
    stamp.mFlags = [.sampleTimeValid, .hostTimeValid]
    return stamp
  }
}
