// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
internal import CAudioToolbox

// Starting, stopping and everything between. All of it holds `control`.
extension RecordingQueue {
  /// [control thread] Starts or resumes.
  func begin(at time: AudioTimeStamp?) throws(AudioError) {
    try access.controlling(isStart: true) { () throws(AudioError) in
      let state = lock.withLock { self.state }
      guard state != .disposing else { throw .queueDisposal }
      guard !state.runs else { return }
      if state == .stopped {
        try access.whileHalted { dropSound() }
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
        self.state.move(to: .running)
        buffersUntilStop = nil
        lock.signal()
      }
      if state == .stopped { notify(kAudioQueueProperty_IsRunning) }
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
    try access.controlling {
      let hasChanged = lock.withLock {
        guard state.runs else { return false }
        state = .paused
        return true
      }
      if hasChanged { stopDevice() }
    }
  }

  /// Stops when all enqueued buffers have been filled.
  func stopWhenFilled() {
    lock.withLock {
      guard state.isActive, buffersUntilStop == nil else { return }
      buffersUntilStop = enqueuedBuffers.count + (isFillingBuffer ? 1 : 0)
      lock.signal()
    }
  }

  /// [holding `control`, the queue's thread] Stops after all enqueued buffers have been filled.
  func finish() {
    guard lock.withLock({ buffersUntilStop == 0 && state.beginStop() }) else { return }
    stopRun()
    dropSound()
    endRun()
    disposeIfRequested()
  }

  /// [the queue's thread, or while it is halted] Drops the recorded sound that is in no buffer.
  private func dropSound() {
    stagedRange = 0..<0
    // The tap's memory ends with the tap.
    stagedSource = staged
    encoder.reset()
    renderer.pointee.ring.release(upTo: renderer.pointee.ring.written)
    access.currentTap?.streamEnded()
  }

  /// [holding `control`, in the state `stopping`] Stops the device.
  private func stopRun() {
    stopDevice()
    lock.withLock { buffersUntilStop = nil }
  }

  /// [after `stopRun`] The queue has stopped.
  private func endRun() {
    lock.withLock { state.move(to: .stopped) }
    notify(kAudioQueueProperty_IsRunning)
  }

  /// [control thread] Stops immediately.
  func stopNow() throws(AudioError) {
    var failure: AudioError?
    try access.controlling { () throws(AudioError) in
      try access.requireNoTapCallback()
      let wasActive = lock.withLock { state.beginStop() }
      if wasActive { stopRun() }
      do throws(AudioError) { try returnAllBuffers(keepsSound: true) } catch { failure = error }
      // The queue has stopped, even if a tap's callback prevents the return of its buffers.
      if wasActive { endRun() }
    }
    disposeIfRequested()
    if let failure { throw failure }
  }

  /// [holding `control`] Returns all buffers; with `keepsSound`, the first ones contain the sound
  /// recorded so far.
  func returnAllBuffers(keepsSound: Bool) throws(AudioError) {
    lock.withLock { access.bufferUse.beginReturn() }
    defer { lock.withLock { access.bufferUse.endReturn() } }
    let (rest, end) = try access.whileHalted { () -> ([QueueBuffer], Int) in
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
