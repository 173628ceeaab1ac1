// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
internal import CAudioToolbox
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers

// Starting, stopping and everything between. All of it holds `control`.
extension PlaybackQueue {
  /// The longest time in seconds that a start waits for the first frames, and that priming waits for
  /// the next ones.
  private static let frameTimeouts = (start: 0.3, priming: 2.0)

  /// [control thread] Starts or resumes.
  func begin(at time: AudioTimeStamp?) throws(AudioError) {
    try controlling(isStart: true) { () throws(AudioError) in
      switch lock.withLock({ state }) {
      case .disposing: throw .queueDisposal
      case .stopping: throw .queueRunState.because("the queue is being stopped")
      case .running, .lost: return
      case .paused: try resume()
      case .stopped:
        try requireNoOfflineRender()
        let hostTime = try startTime(time)
        let renderer = try prepareRenderer()
        renderer.pointee.begin(at: hostTime)
        lock.withLock { lastTime = -.infinity }
        if isOffline {
          // The caller of AudioQueueOfflineRender decodes the frames; there is nothing to wait for.
          renderer.pointee.waits.store(false, ordering: .relaxed)
          renderer.pointee.stopsWhenDry.store(true, ordering: .relaxed)
          lock.withLock {
            state.move(to: .running)
            mayDecode = true
          }
        } else {
          try startOnDevice(renderer)
        }
        notify(kAudioQueueProperty_IsRunning)
      }
    }
  }

  private func startOnDevice(_ renderer: UnsafeMutablePointer<PlaybackRenderer>) throws(AudioError)
  {
    renderer.pointee.stopsWhenDry.store(false, ordering: .relaxed)
    try allowDecoding()
    let deadline = rt_host_time() + UInt64(saturating: Self.frameTimeouts.start * 1e9)
    awaitFrames(targetFrames) { stopRequests == 0 && rt_host_time() < deadline }
    guard !lock.withLock({ isDisposing }) else { throw .queueDisposal }
    do throws(AudioError) { try startDevice(renderer) } catch {
      throw error.status == kAudioQueueErr_InvalidDevice ? error : error.asStatus(.queueCannotStart)
    }
    lock.withLock {
      state.move(to: .running)
      primedFrames = 0
      lock.signal()
    }
  }

  private func resume() throws(AudioError) {
    renderer?.pointee.resume()
    lock.withLock {
      mayDecode = true
      lock.signal()
    }
    do throws(AudioError) { try resumeDevice() } catch { throw error.asStatus(.queueCannotStart) }
    lock.withLock {
      state.move(to: .running)
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

  /// [holding `control`] Lets the queue's thread decode.
  private func allowDecoding() throws(AudioError) {
    try lock.withLock { () throws(AudioError) in
      mayDecode = true
      needsRendering = false
      try startThread()
      expectFrames()
      lock.signal()
    }
  }

  /// Waits until this many frames are ready, nothing is left to decode, or `mayWait` is false.
  private func awaitFrames(_ frames: Int, while mayWait: () -> Bool) {
    lock.withLock {
      guard !isInTapCallback else { return }
      while mayDecode, !needsRendering, !isDisposing, !items.isEmpty || bufferUse.isBusy,
        (renderer?.pointee.ring.fill ?? 0) < frames, mayWait()
      { lock.wait(until: rt_host_time() + 10_000_000) }
    }
  }

  /// [control thread] Decodes ahead of the start; returns how many frames are ready.
  func prepare(_ frames: Int) throws(AudioError) -> Int {
    let prepared = try controlling(isStart: true) {
      () throws(AudioError) -> (UnsafeMutablePointer<PlaybackRenderer>, Int)? in
      // After the start it has no effect.
      guard lock.withLock({ state == .stopped }), !isOffline else { return nil }
      let renderer = try prepareRenderer()
      let most = renderer.pointee.ring.capacity - 4 * BufferDecoder.chunk
      let requested = frames > 0 ? min(frames, most) : lock.withLock { targetFrames }
      lock.withLock { primedFrames = requested }
      try allowDecoding()
      return (renderer, requested)
    }
    guard let (renderer, requested) = prepared else { return 0 }
    // Decoding may take long, so other threads may start or stop the queue meanwhile.
    var (written, since) = (-1, UInt64(0))
    awaitFrames(requested) {
      if renderer.pointee.ring.written != written {
        (written, since) = (renderer.pointee.ring.written, rt_host_time())
      }
      return rt_host_time() < since + UInt64(saturating: Self.frameTimeouts.priming * 1e9)
    }
    let (fill, isLate) = lock.withLock {
      let fill = renderer.pointee.ring.fill
      let isWaiting = state == .stopped && mayDecode && !items.isEmpty && !needsRendering
      return (fill, isWaiting && fill < requested && !isInTapCallback)
    }
    guard !isLate else { throw .queuePrimeTimedOut.because("\(fill) of \(requested) frames") }
    return min(fill, frames > 0 ? frames : .max)
  }

  /// [control thread] Pauses.
  func halt() throws(AudioError) {
    try controlling {
      let isOffline = isOffline
      let hasChanged = lock.withLock {
        guard state.runs else { return false }
        mayDecode = false
        expectFrames()
        state = .paused
        return true
      }
      guard hasChanged else { return }
      if !isOffline { stopDevice() }
    }
  }

  /// [control thread] Stops when everything enqueued has been played.
  func finishAll() throws(AudioError) {
    try controlling {
      lock.withLock {
        guard state.isActive, !isEnding else { return }
        isEnding = true
        items.append(.flush)
        items.append(.end)
        expectFrames()
        lock.signal()
      }
    }
  }

  /// [holding `control`] Stops the queue after everything has been played.
  func stopAtEnd() {
    guard lock.withLock({ isEnding && state.beginStop() }) else { return }
    if !isOffline { stopDevice() }
    lock.withLock {
      isEnding = false
      state.move(to: .stopped)
      mayDecode = false
      expectFrames()
    }
    notify(kAudioQueueProperty_IsRunning)
    disposeIfRequested()
  }

  /// [control thread] Stops immediately.
  func stopNow() throws(AudioError) {
    var failure: AudioError?
    var wasActive = false
    try controlling { () throws(AudioError) in
      try requireNoTapCallback()
      let isOffline = isOffline
      wasActive = lock.withLock {
        mayDecode = false
        expectFrames()
        lock.signal()
        return state.beginStop()
      }
      if wasActive, !isOffline { stopDevice() }
      lock.withLock {
        isEnding = false
        primedFrames = 0
      }
      do throws(AudioError) { try dropAll() } catch { failure = error }
      if wasActive { lock.withLock { state.move(to: .stopped) } }
    }
    // The queue has stopped, even if a tap's callback prevents the return of its buffers.
    if wasActive { notify(kAudioQueueProperty_IsRunning) }
    disposeIfRequested()
    if let failure { throw failure }
  }

  /// [holding `control`] Returns all buffers, and clears the signal history.
  func dropAll() throws(AudioError) {
    lock.withLock { bufferUse.beginReturn() }
    defer { lock.withLock { bufferUse.endReturn() } }
    let dropped = try whileHalted { () -> [EnqueuedBuffer] in
      let items = lock.withLock {
        defer {
          expectFrames()
        }
        return self.items.removeAll()
      }
      decoder.reset()
      marks = Marks()
      timePitch?.reset()
      pendingEvents.removeAll()
      lock.withLock { pendingOutputFrames = 0 }
      lock.withLock { tap }?.streamEnded()
      let mayRender = lock.withLock { (state.runs || isDisposing) && offline == nil }
      renderer?.pointee.flush(isRendering: mayRender)
      return items.compactMap { if case .buffer(let enqueued) = $0 { enqueued } else { nil } }
    }
    // A requested end is still pending.
    lock.withLock { if isEnding { items = FirstInFirstOut([.end]) } }
    for enqueued in dropped { returnBuffer(enqueued) }
  }
}
