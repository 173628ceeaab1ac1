// SPDX-License-Identifier: Apache-2.0
import AudioConversion
internal import AudioSupport
internal import CAudioToolbox
import CRealTime
import Glibc

// The work of the queue's thread: it decodes items to frames in the ring.
extension PlaybackQueue {
  private enum Step { case feed, reportGap(Int), reachEnd, loseDevice, exit }

  /// [the queue's thread] Decodes, and monitors the ring.
  func feedUntilDisposal() {
    while true {
      switch next() {
      case .feed: feed()
      case .reportGap(let count):
        Explanations.log(
          "audio queue: ran dry \(count) time\(count == 1 ? "" : "s"): buffers were enqueued too "
            + "late; enqueue more of them, or larger ones")
        notify(AudioQueuePropertyID(kAUDiagnosticsProperty_Xruns))
      case .reachEnd: reachEnd()
      case .loseDevice: loseDevice()
      case .exit: return
      }
    }
  }

  /// Waits for the next step.
  private func next() -> Step {
    lock.withLock {
      while true {
        if isDisposing { return .exit }
        if !isHalted, let renderer {
          if hasLostDevice, state == .running { return .loseDevice }
          if isEnding, renderer.pointee.hasEnded.load(ordering: .acquiring) { return .reachEnd }
          let gaps = renderer.pointee.gapCount.load(ordering: .relaxed)
          if gaps != reportedGaps {
            defer { reportedGaps = gaps }
            return .reportGap(gaps)
          }
          if canFeed(renderer) {
            isBusy = true
            busyThread = threadID
            return .feed
          }
        }
        lock.wait(until: nextCheckTime)
      }
    }
  }

  /// [holding `lock`] Whether there is an item, and room for its frames.
  private func canFeed(_ renderer: UnsafeMutablePointer<PlaybackRenderer>) -> Bool {
    mayDecode && offline == nil && !items.isEmpty
      && renderer.pointee.ring.fill < max(targetFrames, primedFrames)
  }

  /// [holding `lock`] When to check the ring again; nil: not before another thread signals.
  private var nextCheckTime: UInt64? {
    guard state == .running, offline == nil, let renderer else { return nil }
    // Without a clock, the renderer reads frames as fast as they come.
    if renderer.pointee.waits.load(ordering: .relaxed) { return rt_host_time() + 500_000 }
    let fill = Double(renderer.pointee.ring.fill)
    let seconds = max((fill - Double(targetFrames) / 2) / sampleRate, 0.001)
    // With nothing to decode, the thread only checks for gaps and for the end.
    let least = items.isEmpty ? isEnding ? 0.002 : 0.02 : 0.001
    return rt_host_time() + UInt64(min(max(seconds, least), 0.25) * 1e9)
  }

  /// Decodes the next frames of the first item, for one call of the decoder. Only while `isBusy`.
  func feed() {
    let (renderer, item) = lock.withLock { (self.renderer, items.first) }
    guard let renderer, let item else { return lock.withLock { endFeeding() } }
    var finished: EnqueuedBuffer?
    var isUsedUp = true
    switch item {
    case .buffer(let enqueued):
      isUsedUp = feed(enqueued, renderer)
      if isUsedUp { finished = enqueued }
    case .flush: isUsedUp = drain(renderer)
    case .end:
      let mark = PlaybackMark(
        .end, at: renderer.pointee.ring.written,
        generation: renderer.pointee.generation.load(ordering: .relaxed))
      isUsedUp = renderer.pointee.marks.push(mark.words)
    }
    lock.withLock {
      if isUsedUp { items.removeFirst() }
      // The callback is counted before any thread can conclude that no frames follow.
      if finished != nil { pendingCallbacks += 1 }
      endFeeding()
    }
    if let finished {
      returnBuffer(finished)
      lock.withLock {
        pendingCallbacks -= 1
        expectFrames()
      }
    }
  }

  /// [holding `lock`]
  private func endFeeding() {
    isBusy = false
    expectFrames()
    lock.signal()
  }

  private func feed(
    _ enqueued: EnqueuedBuffer, _ renderer: UnsafeMutablePointer<PlaybackRenderer>
  ) -> Bool {
    if enqueued.decoded == nil {
      guard begin(enqueued, renderer) else { return false }
      lock.withLock { enqueued.decoded = 0 }
      decoder.begin(enqueued)
    }
    let (count, isFinished, failure) = decoder.decode()
    if let failure {
      lock.withLock { converterError = failure.status }
      Explanations.log("audio queue: a packet was skipped: \(failure.explanation)")
      notify(kAudioQueueProperty_ConverterError)
    }
    let first = enqueued.decoded ?? 0
    lock.withLock { enqueued.decoded = first + count }
    let range = enqueued.playedRange(from: first, count: count)
    emit(range, renderer)
    return isFinished
  }

  /// Marks where a buffer begins. False when there is no room for the marks, or when frames before
  /// a gap in the sound must be written first.
  private func begin(
    _ enqueued: EnqueuedBuffer, _ renderer: UnsafeMutablePointer<PlaybackRenderer>
  ) -> Bool {
    let timePitch = currentTimePitch(renderer)
    if let frame = enqueued.options.startFrame {
      // Frames before a gap are written before it.
      if let timePitch, !drain(timePitch, renderer) { return false }
      var mark = PlaybackMark(
        .start, at: renderer.pointee.ring.written,
        generation: renderer.pointee.generation.load(ordering: .relaxed))
      mark.time = frame
      guard renderer.pointee.marks.push(mark.words) else { return false }
    }
    for event in enqueued.options.parameters {
      if let timePitch {
        pendingEvents.append((timePitch.consumedFrames, event))
      } else {
        apply(event, renderer)
      }
    }
    return true
  }

  /// Applies a parameter event at the next frame of the ring.
  private func apply(
    _ event: AudioQueueParameterEvent, _ renderer: UnsafeMutablePointer<PlaybackRenderer>
  ) {
    switch event.mID {
    // These parameters belong to stages before the ring, so they change immediately.
    case kAudioQueueParam_PlayRate, kAudioQueueParam_Pitch:
      _ = parameters.pointee.set(event.mID, event.mValue)
    default:
      var mark = PlaybackMark(
        .parameter, at: renderer.pointee.ring.written,
        generation: renderer.pointee.generation.load(ordering: .relaxed))
      (mark.id, mark.value) = (event.mID, event.mValue)
      // An event without room in the queue takes effect a little early.
      if !renderer.pointee.marks.push(mark.words) {
        _ = parameters.pointee.set(event.mID, event.mValue)
      }
    }
  }

  /// Writes the frames still in the codec and the time pitch; returns whether none is left.
  private func drain(_ renderer: UnsafeMutablePointer<PlaybackRenderer>) -> Bool {
    let (count, isFinished) = decoder.drain()
    emit(0..<count, renderer)
    guard isFinished else { return false }
    if let timePitch, !drain(timePitch, renderer) { return false }
    if let tap = lock.withLock({ tap }) {
      // The tap has processed the last frames before the end was known.
      _ = tap.process(decoder.output, 0..<0, at: writtenFrame(renderer), isAtEnd: true)
      tap.streamEnded()
    }
    return true
  }

  /// Passes decoded frames through the tap or the time pitch, in the tap's order, to the ring.
  private func emit(_ range: Range<Int>, _ renderer: UnsafeMutablePointer<PlaybackRenderer>) {
    guard !range.isEmpty else { return }
    var source = decoder.output
    var range = range
    if let tap = lock.withLock({ tap }), tap.isBeforeEffects {
      source = tap.process(source, range, at: writtenFrame(renderer))
      range = 0..<range.count
    }
    guard let timePitch = currentTimePitch(renderer) else { return finish(source, range, renderer) }
    timePitch.consume(source.from(range.lowerBound), count: range.count)
    while true {
      set(timePitch)
      let made = timePitch.render(upTo: pendingEvents.first?.frame)
      finish(timePitch.output, made, renderer)
      guard applyPendingEvents(timePitch.nextInputFrame, renderer) || !made.isEmpty else { break }
    }
    lock.withLock { pendingOutputFrames = timePitch.pendingOutputFrames }
  }

  private func finish(
    _ source: PlanarBuffer, _ range: Range<Int>, _ renderer: UnsafeMutablePointer<PlaybackRenderer>
  ) {
    guard !range.isEmpty else { return }
    var (source, range) = (source, range)
    if let tap = lock.withLock({ tap }), !tap.isBeforeEffects {
      source = tap.process(source, range, at: writtenFrame(renderer))
      range = 0..<range.count
    }
    // There is room: the ring is larger than the frames decoded ahead plus those of one call.
    _ = renderer.pointee.ring.write(
      UnsafePointer(source.channels), from: range.lowerBound, count: range.count)
  }

  // MARK: Time pitch

  /// The stage that changes rate and pitch; nil when it is not enabled.
  private func currentTimePitch(_ renderer: UnsafeMutablePointer<PlaybackRenderer>) -> TimePitch? {
    let algorithm = lock.withLock { timePitchEnabled ? timePitchAlgorithm : nil }
    if timePitch?.algorithm == algorithm { return timePitch }
    applyPendingEvents(.infinity, renderer)
    timePitch = algorithm.map {
      TimePitch(algorithm: $0, channelCount: channelCount, sampleRate: sampleRate)
    }
    return timePitch
  }

  private func set(_ timePitch: TimePitch) {
    timePitch.set(
      rate: parameters.pointee.limited(kAudioQueueParam_PlayRate),
      cents: parameters.pointee.limited(kAudioQueueParam_Pitch),
      isBypassed: lock.withLock { timePitchBypassed })
  }

  /// Applies the events up to the input frame that is output next; returns whether there were any.
  @discardableResult
  private func applyPendingEvents(
    _ nextInputFrame: Double, _ renderer: UnsafeMutablePointer<PlaybackRenderer>
  ) -> Bool {
    var hasApplied = false
    while let (frame, event) = pendingEvents.first, nextInputFrame > Double(frame) - 1 {
      apply(event, renderer)
      pendingEvents.removeFirst()
      hasApplied = true
    }
    return hasApplied
  }

  /// Writes frames that are still in the time pitch, as many as one call makes; returns whether
  /// none is left.
  private func drain(
    _ timePitch: TimePitch, _ renderer: UnsafeMutablePointer<PlaybackRenderer>
  ) -> Bool {
    set(timePitch)
    let made = timePitch.drain()
    finish(timePitch.output, made, renderer)
    applyPendingEvents(timePitch.nextInputFrame, renderer)
    guard made.isEmpty else { return false }
    applyPendingEvents(.infinity, renderer)
    timePitch.reset()
    lock.withLock { pendingOutputFrames = 0 }
    return true
  }

  /// The queue time, in frames, of the next frame written to the ring.
  private func writtenFrame(_ renderer: UnsafeMutablePointer<PlaybackRenderer>) -> Int {
    max(renderer.pointee.time.load().end, 0) + renderer.pointee.ring.fill
  }

  // MARK: The end

  /// Everything has been rendered: waits until it has been played, then stops.
  private func reachEnd() {
    let seconds = min(latency, 0.5)
    if seconds > 0 { usleep(UInt32(seconds * 1e6)) }
    control.withLock { stopAtEnd() }
  }
}
