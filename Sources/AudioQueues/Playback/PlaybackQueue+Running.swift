// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
internal import CAudioToolbox
import CRealTime

// Starting, stopping and everything between, each under `control`.
extension PlaybackQueue {
  /// The longest that a start waits for the first frames, in seconds.
  private static let patience = 2.0

  /// [control thread] Starts or resumes.
  func begin(at time: AudioTimeStamp?) throws(AudioError) {
    try control.withLock { () throws(AudioError) in
      let (state, isDisposing) = monitor.withLock { (self.state, self.isDisposing) }
      guard !isDisposing else { throw .queueDisposal }
      switch state {
      case .running: return
      case .paused: try resume()
      case .stopped:
        let hostTime = try startTime(time)
        let side = try layOut()
        side.pointee.begin(at: hostTime)
        monitor.withLock { lastTime = -.infinity }
        if isOffline {
          side.pointee.stopsWhenDry.store(true, ordering: .relaxed)
          monitor.withLock {
            self.state = .running
            mayFeed = true
          }
        } else {
          try startOnDevice(side)
        }
      }
      setRunning(true)
    }
  }

  private func startOnDevice(_ side: UnsafeMutablePointer<PlaybackSide>) throws(AudioError) {
    side.pointee.stopsWhenDry.store(false, ordering: .relaxed)
    try awaitFrames(targetFrames, patience: Self.patience)
    monitor.withLock { isStartingOrStopping = true }
    defer { monitor.withLock { isStartingOrStopping = false } }
    do throws(AudioError) { try startDevice(side) } catch {
      throw error.status == kAudioQueueErr_InvalidDevice ? error : error.asStatus(.queueCannotStart)
    }
    monitor.withLock {
      state = .running
      hasLostDevice = false
      primedFrames = 0
      monitor.signal()
    }
  }

  private func resume() throws(AudioError) {
    side?.pointee.resume()
    monitor.withLock {
      isStartingOrStopping = true
      mayFeed = true
      monitor.signal()
    }
    defer { monitor.withLock { isStartingOrStopping = false } }
    do throws(AudioError) { try resumeDevice() } catch { throw error.asStatus(.queueCannotStart) }
    monitor.withLock {
      state = .running
      hasLostDevice = false
      monitor.signal()
    }
  }

  /// The host time of a start; 0 means at once.
  private func startTime(_ time: AudioTimeStamp?) throws(AudioError) -> UInt64 {
    guard let time, !time.mFlags.isEmpty else { return 0 }
    let rate = (try? device())?.sampleRate ?? sampleRate
    guard let hostTime = QueueClock(sampleRate: rate).hostTime(of: time) else {
      throw .invalidArgument.because("inStartTime has neither a sample time nor a host time")
    }
    return hostTime
  }

  /// Has the queue's thread decode, and waits until this many frames are ready or nothing is left
  /// to decode.
  private func awaitFrames(_ frames: Int, patience: Double) throws(AudioError) {
    let deadline = rt_host_time() + UInt64(patience * 1e9)
    try monitor.withLock { () throws(AudioError) in
      mayFeed = true
      try startThread()
      expectFrames()
      monitor.signal()
      guard threadID != rt_thread_id() else { return }
      while !isDisposing, !items.isEmpty || isBusy, (side?.pointee.ring.fill ?? 0) < frames,
        rt_host_time() < deadline
      { monitor.wait(until: deadline) }
    }
  }

  /// [control thread] Decodes ahead of the start; returns how many frames are ready.
  func prepare(_ frames: Int) throws(AudioError) -> Int {
    try control.withLock { () throws(AudioError) in
      // Later it has no effect.
      guard monitor.withLock({ state == .stopped }), !isOffline else { return 0 }
      let side = try layOut()
      let most = side.pointee.ring.capacity - 4 * BufferDecoder.chunk
      let wanted = frames > 0 ? min(frames, most) : targetFrames
      monitor.withLock { primedFrames = wanted }
      try awaitFrames(wanted, patience: 10)
      let isLate = monitor.withLock { !items.isEmpty && side.pointee.ring.fill < wanted }
      guard !isLate else {
        throw .queuePrimeTimedOut.because("\(side.pointee.ring.fill) of \(wanted) frames")
      }
      return min(side.pointee.ring.fill, frames > 0 ? frames : .max)
    }
  }

  /// [control thread] Pauses.
  func halt() throws(AudioError) {
    try control.withLock { () throws(AudioError) in
      let isOffline = isOffline
      let hasChanged = monitor.withLock {
        guard state == .running else { return false }
        isStartingOrStopping = true
        mayFeed = false
        expectFrames()
        state = .paused
        return true
      }
      guard hasChanged else { return }
      defer { monitor.withLock { isStartingOrStopping = false } }
      if !isOffline { stopDevice() }
    }
  }

  /// [control thread] Stops when everything enqueued has been played.
  func finishAll() {
    control.withLock {
      monitor.withLock {
        guard state != .stopped, !isEnding else { return }
        isEnding = true
        items += [.flush, .end]
        expectFrames()
        monitor.signal()
      }
    }
  }

  /// [under control] Everything has been played.
  func stopAtEnd() {
    let isOurs = monitor.withLock {
      guard isEnding, !isDisposing, state != .stopped else { return false }
      isStartingOrStopping = true
      return true
    }
    guard isOurs else { return }
    if !isOffline { stopDevice() }
    monitor.withLock {
      isEnding = false
      state = .stopped
      mayFeed = false
      isStartingOrStopping = false
      expectFrames()
    }
    setRunning(false)
    finishAfterwards()
  }

  /// [control thread] Stops at once.
  func stopNow() throws(AudioError) {
    try control.withLock { () throws(AudioError) in
      let isOffline = isOffline
      let wasRunning = monitor.withLock {
        isStartingOrStopping = true
        return state != .stopped
      }
      defer { monitor.withLock { isStartingOrStopping = false } }
      if wasRunning, !isOffline { stopDevice() }
      monitor.withLock {
        state = .stopped
        mayFeed = false
        isEnding = false
        primedFrames = 0
        hasLostDevice = false
      }
      try dropAll()
    }
    setRunning(false)
    finishAfterwards()
  }

  /// [under control] Returns all buffers and clears the signal.
  func dropAll() throws(AudioError) {
    monitor.withLock { isResetting = true }
    defer { monitor.withLock { isResetting = false } }
    let dropped = try whileHalted { () -> [PlayedBuffer] in
      let items = monitor.withLock {
        defer {
          self.items.removeAll()
          expectFrames()
        }
        return self.items
      }
      decoder.reset()
      timePitch?.reset()
      heldEvents.removeAll()
      monitor.withLock { heldFrames = 0 }
      monitor.withLock { tap }?.streamEnded()
      side?.pointee.flush(isRendering: monitor.withLock { state == .running && offline == nil })
      return items.compactMap { if case .buffer(let played) = $0 { played } else { nil } }
    }
    // A requested end is still to come.
    monitor.withLock { if isEnding { items = [.end] } }
    for played in dropped { returnBuffer(played) }
  }
}
