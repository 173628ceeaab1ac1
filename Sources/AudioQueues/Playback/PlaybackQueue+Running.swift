// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
internal import CAudioToolbox
import CRealTime

// Starting, stopping and everything between. All of it holds `control`.
extension PlaybackQueue {
  /// The longest time in seconds that a start waits for the first frames.
  private static let startTimeout = 2.0

  /// [control thread] Starts or resumes.
  func begin(at time: AudioTimeStamp?) throws(AudioError) {
    try control.withLock { () throws(AudioError) in
      let (state, isDisposing) = lock.withLock { (self.state, self.isDisposing) }
      guard !isDisposing else { throw .queueDisposal }
      switch state {
      case .running: return
      case .paused: try resume()
      case .stopped:
        let hostTime = try startTime(time)
        let renderer = try prepareRenderer()
        renderer.pointee.begin(at: hostTime)
        lock.withLock { lastTime = -.infinity }
        if isOffline {
          renderer.pointee.stopsWhenDry.store(true, ordering: .relaxed)
          lock.withLock {
            self.state = .running
            mayDecode = true
          }
        } else {
          try startOnDevice(renderer)
        }
      }
      setRunning(true)
    }
  }

  private func startOnDevice(_ renderer: UnsafeMutablePointer<PlaybackRenderer>) throws(AudioError)
  {
    renderer.pointee.stopsWhenDry.store(false, ordering: .relaxed)
    try awaitFrames(targetFrames, timeout: Self.startTimeout)
    lock.withLock { isStartingOrStopping = true }
    defer { lock.withLock { isStartingOrStopping = false } }
    do throws(AudioError) { try startDevice(renderer) } catch {
      throw error.status == kAudioQueueErr_InvalidDevice ? error : error.asStatus(.queueCannotStart)
    }
    lock.withLock {
      state = .running
      hasLostDevice = false
      primedFrames = 0
      lock.signal()
    }
  }

  private func resume() throws(AudioError) {
    renderer?.pointee.resume()
    lock.withLock {
      isStartingOrStopping = true
      mayDecode = true
      lock.signal()
    }
    defer { lock.withLock { isStartingOrStopping = false } }
    do throws(AudioError) { try resumeDevice() } catch { throw error.asStatus(.queueCannotStart) }
    lock.withLock {
      state = .running
      hasLostDevice = false
      lock.signal()
    }
  }

  /// The host time of a start; 0 means immediately.
  private func startTime(_ time: AudioTimeStamp?) throws(AudioError) -> UInt64 {
    guard let time, !time.mFlags.isEmpty else { return 0 }
    let rate = (try? device())?.sampleRate ?? sampleRate
    guard let hostTime = QueueClock(sampleRate: rate).hostTime(of: time) else {
      throw .invalidArgument.because("inStartTime has neither a sample time nor a host time")
    }
    return hostTime
  }

  /// Lets the queue's thread decode, and waits until this many frames are ready or nothing is left
  /// to decode.
  private func awaitFrames(_ frames: Int, timeout: Double) throws(AudioError) {
    let deadline = rt_host_time() + UInt64(timeout * 1e9)
    try lock.withLock { () throws(AudioError) in
      mayDecode = true
      try startThread()
      expectFrames()
      lock.signal()
      guard threadID != rt_thread_id() else { return }
      while !isDisposing, !items.isEmpty || isBusy, (renderer?.pointee.ring.fill ?? 0) < frames,
        rt_host_time() < deadline
      { lock.wait(until: deadline) }
    }
  }

  /// [control thread] Decodes ahead of the start; returns how many frames are ready.
  func prepare(_ frames: Int) throws(AudioError) -> Int {
    try control.withLock { () throws(AudioError) in
      // After the start it has no effect.
      guard lock.withLock({ state == .stopped }), !isOffline else { return 0 }
      let renderer = try prepareRenderer()
      let most = renderer.pointee.ring.capacity - 4 * BufferDecoder.chunk
      let requested = frames > 0 ? min(frames, most) : targetFrames
      lock.withLock { primedFrames = requested }
      try awaitFrames(requested, timeout: 10)
      let isLate = lock.withLock { !items.isEmpty && renderer.pointee.ring.fill < requested }
      guard !isLate else {
        throw .queuePrimeTimedOut.because("\(renderer.pointee.ring.fill) of \(requested) frames")
      }
      return min(renderer.pointee.ring.fill, frames > 0 ? frames : .max)
    }
  }

  /// [control thread] Pauses.
  func halt() throws(AudioError) {
    try control.withLock { () throws(AudioError) in
      let isOffline = isOffline
      let hasChanged = lock.withLock {
        guard state == .running else { return false }
        isStartingOrStopping = true
        mayDecode = false
        expectFrames()
        state = .paused
        return true
      }
      guard hasChanged else { return }
      defer { lock.withLock { isStartingOrStopping = false } }
      if !isOffline { stopDevice() }
    }
  }

  /// [control thread] Stops when everything enqueued has been played.
  func finishAll() {
    control.withLock {
      lock.withLock {
        guard state != .stopped, !isEnding else { return }
        isEnding = true
        items += [.flush, .end]
        expectFrames()
        lock.signal()
      }
    }
  }

  /// [holding `control`] Stops the queue after everything has been played.
  func stopAtEnd() {
    let isOurs = lock.withLock {
      guard isEnding, !isDisposing, state != .stopped else { return false }
      isStartingOrStopping = true
      return true
    }
    guard isOurs else { return }
    if !isOffline { stopDevice() }
    lock.withLock {
      isEnding = false
      state = .stopped
      mayDecode = false
      isStartingOrStopping = false
      expectFrames()
    }
    setRunning(false)
    disposeIfRequested()
  }

  /// [control thread] Stops immediately.
  func stopNow() throws(AudioError) {
    try control.withLock { () throws(AudioError) in
      let isOffline = isOffline
      let wasRunning = lock.withLock {
        isStartingOrStopping = true
        return state != .stopped
      }
      defer { lock.withLock { isStartingOrStopping = false } }
      if wasRunning, !isOffline { stopDevice() }
      lock.withLock {
        state = .stopped
        mayDecode = false
        isEnding = false
        primedFrames = 0
        hasLostDevice = false
      }
      try dropAll()
    }
    setRunning(false)
    disposeIfRequested()
  }

  /// [holding `control`] Returns all buffers, and clears the signal history.
  func dropAll() throws(AudioError) {
    lock.withLock { isResetting = true }
    defer { lock.withLock { isResetting = false } }
    let dropped = try whileHalted { () -> [EnqueuedBuffer] in
      let items = lock.withLock {
        defer {
          self.items.removeAll()
          expectFrames()
        }
        return self.items
      }
      decoder.reset()
      timePitch?.reset()
      pendingEvents.removeAll()
      lock.withLock { pendingOutputFrames = 0 }
      lock.withLock { tap }?.streamEnded()
      renderer?.pointee.flush(isRendering: lock.withLock { state == .running && offline == nil })
      return items.compactMap { if case .buffer(let enqueued) = $0 { enqueued } else { nil } }
    }
    // A requested end is still pending.
    lock.withLock { if isEnding { items = [.end] } }
    for enqueued in dropped { returnBuffer(enqueued) }
  }
}
