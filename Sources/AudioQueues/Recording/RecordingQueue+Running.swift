// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
internal import CAudioToolbox

// Starting, stopping and everything between, each under `control`.
extension RecordingQueue {
  /// [control thread] Starts or resumes.
  func begin(at time: AudioTimeStamp?) throws(AudioError) {
    try control.withLock { () throws(AudioError) in
      let (state, isDisposing) = monitor.withLock { (self.state, self.isDisposing) }
      guard !isDisposing else { throw .queueDisposal }
      guard state != .running else { return }
      monitor.withLock { isStartingOrStopping = true }
      defer { monitor.withLock { isStartingOrStopping = false } }
      if state == .stopped {
        side.pointee.begin()
        ringStart.store(side.pointee.ring.written, ordering: .relaxed)
        monitor.withLock { lastTime = -.infinity }
        encodedFrames = 0
        side.pointee.startHostTime.store(try startTime(time), ordering: .releasing)
        try monitor.withLock { () throws(AudioError) in try startThread() }
      }
      do throws(AudioError) {
        if state == .stopped { try startDevice() } else { try resumeDevice() }
      } catch {
        throw error.status == kAudioQueueErr_InvalidDevice
          ? error : error.asStatus(.queueCannotStart)
      }
      monitor.withLock {
        self.state = .running
        hasLostDevice = false
        buffersToEnd = nil
        monitor.signal()
      }
      setRunning(true)
    }
  }

  private func startTime(_ time: AudioTimeStamp?) throws(AudioError) -> UInt64 {
    guard let time, !time.mFlags.isEmpty else { return 0 }
    let rate = (try? device())?.sampleRate ?? format.mSampleRate
    guard let hostTime = QueueClock(sampleRate: rate).hostTime(of: time) else {
      throw .invalidArgument.because("inStartTime has neither a sample time nor a host time")
    }
    return hostTime
  }

  /// [control thread] Pauses.
  func halt() {
    control.withLock {
      let hasChanged = monitor.withLock {
        guard state == .running else { return false }
        isStartingOrStopping = true
        state = .paused
        return true
      }
      guard hasChanged else { return }
      stopDevice()
      monitor.withLock { isStartingOrStopping = false }
    }
  }

  /// Fills the enqueued buffers, and then stops.
  func stopWhenFilled() {
    monitor.withLock {
      guard state != .stopped, buffersToEnd == nil else { return }
      buffersToEnd = waiting.count + (hasFilling ? 1 : 0)
      monitor.signal()
    }
  }

  /// [under control, on the queue's thread] All enqueued buffers are full.
  func finish() {
    guard monitor.withLock({ state != .stopped && buffersToEnd == 0 && !isDisposing }) else {
      return
    }
    endRun()
    setRunning(false)
    finishAfterwards()
  }

  private func endRun() {
    monitor.withLock { isStartingOrStopping = true }
    stopDevice()
    monitor.withLock {
      state = .stopped
      isStartingOrStopping = false
      hasLostDevice = false
      buffersToEnd = nil
    }
  }

  /// [control thread] Stops at once.
  func stopNow() throws(AudioError) {
    try control.withLock { () throws(AudioError) in
      if monitor.withLock({ state != .stopped }) { endRun() }
      try returnAllBuffers(keepsSound: true)
    }
    setRunning(false)
    finishAfterwards()
  }

  /// [under control] Returns all buffers: the first ones with the recorded sound, if it is kept.
  func returnAllBuffers(keepsSound: Bool) throws(AudioError) {
    monitor.withLock { isResetting = true }
    defer { monitor.withLock { isResetting = false } }
    let (rest, end) = try whileHalted { () -> ([QueueBuffer], Int) in
      if keepsSound {
        fill(upTo: side.pointee.ring.written, flushes: true)
      } else {
        filling?.byteCount = 0
        filling?.packetCount = 0
        encoder.reset()
        side.pointee.ring.advance(to: side.pointee.ring.written)
        currentTap?.streamEnded()
      }
      returnFilledBuffer()
      stagedRange = 0..<0
      return monitor.withLock {
        defer { waiting.removeAll() }
        isFlushing = false
        return (waiting, encodedFrames)
      }
    }
    for buffer in rest { returnBuffer(buffer, byteCount: 0, packets: 0, at: end, 0) }
  }
}
