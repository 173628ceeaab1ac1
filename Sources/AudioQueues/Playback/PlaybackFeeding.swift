// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
package import CAudioToolbox
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers

/// The type of a playback queue's callback.
package typealias PlaybackCallback = @Sendable (AudioQueueRef, AudioQueueBufferRef) -> Void

/// Feeds the renderer of a playback queue: decodes the items of the queue into the renderer's ring,
/// and returns used-up buffers to the program.
final class PlaybackFeeding: @unchecked Sendable {
  /// What the queue's thread does next.
  enum Step { case feed, reportGaps(Int), reachEnd, loseDevice, exit }

  private let core: QueueCore
  private let callback: PlaybackCallback
  private let renderers: PlaybackRenderers
  // Guarded by the queue's `lock`.
  var items = PlaybackItems()
  var timePitch = TimePitchSettings()
  var offline = OfflineUse()
  /// The last error of the decoder.
  private(set) var decoderError: OSStatus = noErr
  private var pendingOutputFrames = 0
  private var reportedGaps = 0
  // Accessed only by the thread that uses the buffers, or by the one that has halted it.
  private let chain: PlaybackChain

  /// [control thread] Throws for a format that cannot be decoded.
  init(
    _ core: QueueCore, _ renderers: PlaybackRenderers, _ callback: @escaping PlaybackCallback
  ) throws(AudioError) {
    self.core = core
    self.renderers = renderers
    self.callback = callback
    chain = try PlaybackChain(core.format, core.parameters)
  }

  private var access: QueueAccess { core.access }
  private var calls: QueueCalls { core.calls }
  private var lock: ConditionLock { access.lock }

  // MARK: Enqueuing

  /// [holding `lock`] Enqueues a buffer; returns the queue time, in frames, at which it begins, if
  /// that was requested.
  func append(
    _ buffer: QueueBuffer, _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>,
    _ options: BufferOptions
  ) throws(AudioError) -> Int {
    guard !buffer.isEnqueued else { throw .queueBufferInQueue }
    let enqueued = try EnqueuedBuffer(buffer, descriptions, options: options, format: core.format)
    for event in options.parameters { try core.parameters.pointee.check(event.mID, event.mValue) }
    let start = options.reportsStart ? max(options.startFrame ?? 0, endFrame) : 0
    buffer.isEnqueued = true
    items.append(.buffer(enqueued))
    expectFrames()
    lock.signal()
    return start
  }

  /// [holding `lock`] The queue time, in frames, at which everything enqueued has been played.
  private var endFrame: Int {
    var frame = Double(pendingOutputFrames)
    if let renderer = renderers.current {
      let played = access.state == .stopped ? 0 : max(renderer.pointee.position.end, 0)
      frame += Double(played) + Double(renderer.pointee.ring.fill)
    }
    let changesRate = timePitch.isEnabled && !timePitch.isBypassed
    let rate = changesRate ? core.parameters.pointee.limited(kAudioQueueParam_PlayRate) : 1
    return items.end(after: frame, rate: rate)
  }

  /// [holding `lock`] Tells the renderer whether more frames will come without any call of the
  /// program.
  func expectFrames() {
    let expects = !access.isDisposing && items.expectsFrames(isBusy: access.bufferUse.isBusy)
    renderers.current?.pointee.expectsFrames.store(expects, ordering: .releasing)
  }

  // MARK: Feeding

  /// [the queue's thread] Waits for the next step. Before `feed`, it begins a use of the buffers.
  func next() -> Step {
    lock.withLock {
      while true {
        if access.isDisposing { return .exit }
        if !access.bufferUse.isHalted, let renderer = renderers.current {
          if access.state == .lost { return .loseDevice }
          if hasReachedEnd { return .reachEnd }
          let gaps = renderer.pointee.gapCount.load(ordering: .relaxed)
          if gaps != reportedGaps {
            defer { reportedGaps = gaps }
            return .reportGaps(gaps)
          }
          if canFeed(renderer) {
            access.bufferUse.begin()
            return .feed
          }
        }
        lock.wait(until: nextCheckTime)
      }
    }
  }

  /// [holding `lock`] Whether the requested end has been rendered.
  var hasReachedEnd: Bool {
    items.isEnding && renderers.current?.pointee.hasEnded.load(ordering: .acquiring) == true
  }

  /// [holding `lock`] Whether there is an item, and room for its frames.
  private func canFeed(_ renderer: UnsafeMutablePointer<PlaybackRenderer>) -> Bool {
    items.mayDecode && !offline.isOn && !items.isEmpty
      && renderer.pointee.ring.fill < max(renderers.targetFrames, renderers.primedFrames)
  }

  /// [holding `lock`] When to check the ring again; nil: not before another thread signals.
  private var nextCheckTime: UInt64? {
    guard access.state.runs, !offline.isOn, let renderer = renderers.current else { return nil }
    // Without a clock, the renderer reads frames as fast as they come.
    if renderer.pointee.waits.load(ordering: .relaxed) { return rt_host_time() + 500_000 }
    let fill = Double(renderer.pointee.ring.fill)
    let seconds = max((fill - Double(renderers.targetFrames) / 2) / core.format.mSampleRate, 0.001)
    // With nothing to decode, the thread only checks for gaps and for the end.
    let least = items.isEmpty ? items.isEnding ? 0.002 : 0.02 : 0.001
    return rt_host_time() + UInt64(saturating: min(max(seconds, least), 0.25) * 1e9)
  }

  /// Waits a moment: only rendering makes room for more marks.
  func awaitRendering() {
    lock.withLock { _ = lock.wait(until: rt_host_time() + 1_000_000) }
  }

  /// Waits until this many frames are ready, nothing is left to decode, or `mayWait` is false.
  func awaitFrames(_ frames: Int, while mayWait: () -> Bool) {
    lock.withLock {
      guard !access.isInTapCallback else { return }
      while items.canDecode, !access.isDisposing, !items.isEmpty || access.bufferUse.isBusy,
        (renderers.current?.pointee.ring.fill ?? 0) < frames, mayWait()
      { lock.wait(until: rt_host_time() + 10_000_000) }
    }
  }

  /// Decodes the next frames of the first item, for one call of the decoder. Only during a use of
  /// the buffers, which it ends. False if the render thread must apply marks first.
  func feed() -> Bool {
    let (item, to) = lock.withLock { (items.first, destination) }
    guard let to, let item, to.renderer.pointee.marks.hasRoom(for: Marks.mostCount) else {
      lock.withLock {
        items.needsRendering = item != nil
        endUse()
      }
      return item == nil
    }
    var finished: EnqueuedBuffer?
    var isUsedUp = true
    switch item {
    case .buffer(let enqueued):
      isUsedUp = feed(enqueued, to)
      if isUsedUp { finished = enqueued }
    case .flush: isUsedUp = chain.drain(to)
    case .end: isUsedUp = chain.end(to)
    }
    let isLast = lock.withLock {
      pendingOutputFrames = chain.pendingFrames
      items.needsRendering = false
      if isUsedUp { items.removeFirst() }
      return items.isEmpty
    }
    // Nothing follows that the marks could wait for.
    if isLast { chain.writeMarks(to) }
    lock.withLock {
      // The callback is counted before any thread can conclude that no frames follow.
      if finished != nil { items.pendingCallbacks += 1 }
      endUse()
    }
    if let finished {
      returnBuffer(finished)
      callReturned()
    }
    return true
  }

  /// [holding `lock`] Where decoded frames go; nil before the queue is prepared.
  private var destination: PlaybackChain.Destination? {
    renderers.current.map { .init(renderer: $0, tap: access.tap, timePitch: timePitch) }
  }

  /// [holding `lock`] Ends a use of the buffers.
  func endUse() {
    access.bufferUse.end()
    expectFrames()
    lock.signal()
  }

  private func feed(_ enqueued: EnqueuedBuffer, _ to: PlaybackChain.Destination) -> Bool {
    if enqueued.decoded == nil {
      guard chain.begin(enqueued, to) else { return false }
      lock.withLock { enqueued.decoded = 0 }
    }
    let (count, isFinished, failure) = chain.decoder.decode()
    if let failure {
      lock.withLock { decoderError = failure.status }
      Explanations.log("audio queue: a packet was skipped: \(failure.explanation)")
      calls.notify(kAudioQueueProperty_ConverterError)
    }
    let first = enqueued.decoded ?? 0
    lock.withLock { enqueued.decoded = first + count }
    chain.emit(enqueued.playedRange(from: first, count: count), to)
    return isFinished
  }

  /// [control thread] Sets the magic cookie of the decoder.
  func setCookie(_ cookie: [UInt8]) throws(AudioError) {
    var failure: AudioError?
    try access.whileHalted {
      cookie.withUnsafeBytes { bytes in
        do throws(AudioError) { try chain.decoder.setCookie(bytes) } catch { failure = error }
      }
    }
    if let failure { throw failure }
  }

  // MARK: Returning

  /// [holding `control`] Returns all buffers, and clears the signal history.
  func dropAll() throws(AudioError) {
    lock.withLock { access.bufferUse.beginReturn() }
    defer { lock.withLock { access.bufferUse.endReturn() } }
    let dropped = try access.whileHalted { () -> [EnqueuedBuffer] in
      let dropped = lock.withLock {
        defer { expectFrames() }
        return items.removeBuffers()
      }
      chain.reset()
      let (tap, mayRender) = lock.withLock {
        pendingOutputFrames = 0
        return (access.tap, (access.state.runs || access.isDisposing) && !offline.isOn)
      }
      tap?.streamEnded()
      renderers.renderer?.pointee.flush(isRendering: mayRender)
      return dropped
    }
    for enqueued in dropped { returnBuffer(enqueued) }
  }

  /// [any thread but a render thread] Returns a buffer to the program.
  private func returnBuffer(_ enqueued: EnqueuedBuffer) {
    let buffer = enqueued.buffer
    let (hasHandle, isOffline) = lock.withLock {
      buffer.isEnqueued = false
      // A queue that continues to play without its handle calls no callback.
      guard !access.disposesWhenStopped else { return (false, false) }
      items.pendingCallbacks += 1
      expectFrames()
      return (true, offline.isRendering)
    }
    guard hasHandle else { return }
    let callback = callback
    if isOffline {
      // An offline render calls the callback directly, because no run loop runs meanwhile. A
      // concurrent reset or stop holds a lock.
      AfterLocks.perform { [calls] in
        if let handle = calls.handle {
          calls.run(for: buffer) { callback(handle, buffer.reference) }
        }
        self.callReturned()
      }
    } else {
      calls.perform(
        for: buffer, { callback($0, buffer.reference) },
        completion: { [weak self] in self?.callReturned() })
    }
  }

  private func callReturned() {
    lock.withLock {
      items.pendingCallbacks -= 1
      expectFrames()
    }
  }
}
