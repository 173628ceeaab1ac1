// SPDX-License-Identifier: Apache-2.0
package import AudioSupport
package import CAudioToolbox
import CRealTime

/// Detects gaps; the queue holds its state.
package final class QueueTimeline {
  /// All timelines of the process.
  package static let handles = HandleTable<QueueTimeline, AudioQueueTimelineRef>(kind: 0x1A)
}

extension AudioQueue {
  // MARK: Timelines

  /// [control thread] Creates a timeline.
  package func makeTimeline() throws(AudioError) -> AudioQueueTimelineRef {
    let timeline = try QueueTimeline.handles.insert(QueueTimeline())
    let gaps = gaps
    monitor.withLock { timelines[timeline] = gaps }
    return timeline
  }

  /// [control thread] Disposes of one.
  package func dispose(_ timeline: AudioQueueTimelineRef) throws(AudioError) {
    guard monitor.withLock({ timelines.removeValue(forKey: timeline) }) != nil,
      QueueTimeline.handles.invalidate(timeline)
    else { throw .stale("timeline of this queue") }
    _ = QueueTimeline.handles.release(timeline)
  }

  /// [last of all] Disposes of the remaining ones.
  func endTimelines() {
    for timeline in monitor.withLock({ Array(timelines.keys) }) { try? dispose(timeline) }
  }

  /// Whether there was a gap since the last query of a timeline.
  private func hasGap(_ timeline: AudioQueueTimelineRef) throws(AudioError) -> Bool {
    let gaps = gaps
    let known = monitor.withLock { () -> Int? in
      guard let known = timelines[timeline] else { return nil }
      timelines[timeline] = gaps
      return known
    }
    guard let known else { throw .stale("timeline of this queue") }
    return known != gaps
  }

  /// [any thread] Frames since the start, and, with a timeline, whether there was a gap.
  package func currentTime(_ timeline: AudioQueueTimelineRef?) throws(AudioError) -> (
    stamp: AudioTimeStamp, hasGap: Bool?
  ) {
    let state = monitor.withLock { self.state }
    guard state != .stopped else {
      throw .queueRunState.because("the queue is not running")
    }
    let now = rt_host_time()
    let moment = moment
    var frame = Double(moment.end)
    if state == .running, !isOffline, moment.hostTime > 0 {
      // Between two cycles the clock counts, but never past the rendered frames.
      let elapsed = (Double(now) - Double(moment.hostTime)) / 1e9 * format.mSampleRate
      frame = min(Double(moment.frame) + elapsed * moment.rateScalar, frame)
    }
    frame = monitor.withLock {
      // The time of a started queue never decreases, whatever a clock says.
      if moment.frame >= 0 { frame = max(frame, min(0, Double(moment.frame))) }
      lastTime = max(lastTime, frame)
      return lastTime
    }
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = frame
    stamp.mHostTime = now
    stamp.mRateScalar = moment.rateScalar
    stamp.mFlags = [.sampleTimeValid, .hostTimeValid, .rateScalarValid]
    guard let timeline else { return (stamp, nil) }
    return (stamp, try hasGap(timeline))
  }

  // MARK: The device's time

  private func clock() throws(AudioError) -> QueueClock {
    QueueClock(sampleRate: try device().sampleRate)
  }

  private func runningClock() throws(AudioError) -> QueueClock {
    guard monitor.withLock({ state == .running }), !isOffline else {
      throw .queueRunState.because("the device is not running for the queue")
    }
    return try clock()
  }

  /// [any thread] The time of the device; the host time alone while it does not run.
  package func deviceTime() throws(AudioError) -> AudioTimeStamp {
    var stamp = AudioTimeStamp()
    stamp.mHostTime = rt_host_time()
    stamp.mFlags = .hostTimeValid
    guard let clock = try? runningClock() else { return stamp }
    stamp.mSampleTime = clock.frames(at: stamp.mHostTime)
    stamp.mRateScalar = moment.rateScalar
    stamp.mFlags = [.sampleTimeValid, .hostTimeValid, .rateScalarValid]
    return stamp
  }

  /// [any thread] Converts a time to frames and host time, as `wanted` requests.
  package func translate(_ time: AudioTimeStamp, wanted: AudioTimeStampFlags) throws(AudioError)
    -> AudioTimeStamp
  {
    let clock = try runningClock()
    guard let hostTime = clock.hostTime(of: time) else {
      throw .invalidArgument.because("inTime has neither a sample time nor a host time")
    }
    var stamp = AudioTimeStamp()
    stamp.mFlags = wanted.intersection([.sampleTimeValid, .hostTimeValid, .rateScalarValid])
    if wanted.contains(.sampleTimeValid) {
      stamp.mSampleTime =
        time.mFlags.contains(.sampleTimeValid) ? time.mSampleTime : clock.frames(at: hostTime)
    }
    if wanted.contains(.hostTimeValid) { stamp.mHostTime = hostTime }
    if wanted.contains(.rateScalarValid) { stamp.mRateScalar = moment.rateScalar }
    return stamp
  }

  /// [any thread] The next time at which the device can start: with the cycle after the next.
  package func nearestStart(_ time: AudioTimeStamp) throws(AudioError) -> AudioTimeStamp {
    let clock = try runningClock()
    guard let wanted = clock.hostTime(of: time) else {
      throw .invalidArgument.because(
        "ioRequestedStartTime has neither a sample time nor a host time")
    }
    let device = try device()
    let cycle = UInt64(Double(2 * device.cycleFrames) / device.sampleRate * 1e9)
    let hostTime = max(wanted, rt_host_time() + cycle)
    var stamp = time
    if hostTime != wanted || !time.mFlags.contains(.sampleTimeValid) {
      stamp.mSampleTime = clock.frames(at: hostTime).rounded(.up)
    }
    stamp.mHostTime = hostTime
    stamp.mFlags = [.sampleTimeValid, .hostTimeValid]
    return stamp
  }
}
