// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
internal import CAudioToolbox

// Starting, stopping and everything between. All of it holds `control`.
extension RecordingQueue {
  /// [control thread] Starts or resumes.
  func begin(at time: AudioTimeStamp?) throws(AudioError) {
    try controlling(isStart: true) { () throws(AudioError) in
      let (state, isDisposing) = lock.withLock { (self.state, self.isDisposing) }
      guard !isDisposing else { throw .queueDisposal }
      guard state != .running else { return }
      lock.withLock { isStartingOrStopping = true }
      defer { lock.withLock { isStartingOrStopping = false } }
      if state == .stopped {
        try whileHalted { dropSound() }
        renderer.pointee.begin()
        ringStart.store(renderer.pointee.ring.written, ordering: .relaxed)
        lock.withLock { lastTime = -.infinity }
        encodedFrames = 0
        renderer.pointee.startHostTime.store(try startTime(time), ordering: .releasing)
        try lock.withLock { () throws(AudioError) in try startThread() }
      }
      do throws(AudioError) {
        if state == .stopped { try startDevice() } else { try resumeDevice() }
      } catch {
        throw error.status == kAudioQueueErr_InvalidDevice
          ? error : error.asStatus(.queueCannotStart)
      }
      lock.withLock {
        self.state = .running
        hasLostDevice = false
        buffersUntilStop = nil
        lock.signal()
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
  func halt() throws(AudioError) {
    try controlling {
      let hasChanged = lock.withLock {
        guard state == .running else { return false }
        isStartingOrStopping = true
        state = .paused
        return true
      }
      guard hasChanged else { return }
      stopDevice()
      lock.withLock { isStartingOrStopping = false }
    }
  }

  /// Stops when all enqueued buffers have been filled.
  func stopWhenFilled() {
    lock.withLock {
      guard state != .stopped, buffersUntilStop == nil else { return }
      buffersUntilStop = enqueuedBuffers.count + (isFillingBuffer ? 1 : 0)
      lock.signal()
    }
  }

  /// [holding `control`, the queue's thread] Stops after all enqueued buffers have been filled.
  func finish() {
    guard lock.withLock({ state != .stopped && buffersUntilStop == 0 && !isDisposing }) else {
      return
    }
    endRun()
    dropSound()
    setRunning(false)
    disposeIfRequested()
  }

  /// [the queue's thread, or while it is halted] Drops the recorded sound that is in no buffer.
  private func dropSound() {
    stagedRange = 0..<0
    // The tap's memory ends with the tap.
    stagedSource = staged
    encoder.reset()
    renderer.pointee.ring.release(upTo: renderer.pointee.ring.written)
    currentTap?.streamEnded()
  }

  private func endRun() {
    lock.withLock { isStartingOrStopping = true }
    stopDevice()
    lock.withLock {
      state = .stopped
      isStartingOrStopping = false
      hasLostDevice = false
      buffersUntilStop = nil
    }
  }

  /// [control thread] Stops immediately.
  func stopNow() throws(AudioError) {
    var failure: AudioError?
    try controlling { () throws(AudioError) in
      try requireNoTapCallback()
      if lock.withLock({ state != .stopped }) { endRun() }
      do throws(AudioError) { try returnAllBuffers(keepsSound: true) } catch { failure = error }
    }
    // The queue has stopped, even if a tap's callback prevents the return of its buffers.
    setRunning(false)
    disposeIfRequested()
    if let failure { throw failure }
  }

  /// [holding `control`] Returns all buffers; with `keepsSound`, the first ones contain the sound
  /// recorded so far.
  func returnAllBuffers(keepsSound: Bool) throws(AudioError) {
    lock.withLock { isResetting = true }
    defer { lock.withLock { isResetting = false } }
    let (rest, end) = try whileHalted { () -> ([QueueBuffer], Int) in
      if keepsSound {
        fill(upTo: renderer.pointee.ring.written, flushes: true)
      } else {
        filling?.byteCount = 0
        filling?.packetCount = 0
      }
      returnFilledBuffer()
      dropSound()
      return lock.withLock {
        isFlushing = false
        return (enqueuedBuffers.removeAll(), encodedFrames)
      }
    }
    for buffer in rest { returnBuffer(buffer, byteCount: 0, packets: 0, at: end, 0) }
  }
}
