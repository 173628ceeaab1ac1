// SPDX-License-Identifier: Apache-2.0
import AudioConversion
internal import AudioSupport
internal import CAudioToolbox
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers

// The work of the queue's thread: it decodes items to frames in the ring.
extension PlaybackQueue {
  private enum Step { case feed, reportGap(Int), reachEnd, loseDevice, exit }

  /// [the queue's thread] Decodes, and monitors the ring.
  func feedUntilDisposal() {
    while true {
      switch next() {
      case .feed:
        if !feed() { awaitRendering() }
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
    return rt_host_time() + UInt64(saturating: min(max(seconds, least), 0.25) * 1e9)
  }

  /// Waits a moment: only rendering makes room for more marks.
  private func awaitRendering() {
    lock.withLock { _ = lock.wait(until: rt_host_time() + 1_000_000) }
  }

  /// Decodes the next frames of the first item, for one call of the decoder. Only while `isBusy`.
  /// False if the render thread must apply marks first.
  func feed() -> Bool {
    let (renderer, item) = lock.withLock { (self.renderer, items.first) }
    guard let renderer, let item, renderer.pointee.marks.hasRoom(for: Marks.mostCount) else {
      lock.withLock {
        needsRendering = item != nil
        endFeeding()
      }
      return item == nil
    }
    var finished: EnqueuedBuffer?
    var isUsedUp = true
    switch item {
    case .buffer(let enqueued):
      isUsedUp = feed(enqueued, renderer)
      if isUsedUp { finished = enqueued }
    case .flush: isUsedUp = drain(renderer)
    case .end:
      write(marks, renderer)
      let mark = PlaybackMark(
        .end, at: renderer.pointee.ring.written,
        generation: renderer.pointee.generation.load(ordering: .relaxed))
      isUsedUp = renderer.pointee.marks.push(mark)
    }
    let isLast = lock.withLock {
      needsRendering = false
      if isUsedUp { items.removeFirst() }
      return items.isEmpty
    }
    // Nothing follows that the marks could wait for.
    if isLast { write(marks, renderer) }
    lock.withLock {
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
    return true
  }

  /// [holding `lock`] Ends the use of buffers.
  func endFeeding() {
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

  /// Marks where a buffer begins. False when frames before a gap in the sound must be written first.
  private func begin(
    _ enqueued: EnqueuedBuffer, _ renderer: UnsafeMutablePointer<PlaybackRenderer>
  ) -> Bool {
    let timePitch = currentTimePitch()
    if let frame = enqueued.options.startFrame {
      // Frames before a gap are written before it.
      if let timePitch, !drain(timePitch, renderer) { return false }
      marks.start = max(marks.start ?? frame, frame)
    }
    for event in enqueued.options.parameters {
      if let timePitch {
        pendingEvents.append((timePitch.consumedFrames, event))
      } else {
        apply(event)
      }
    }
    return true
  }

  /// Applies a parameter event at the next frame of the ring.
  private func apply(_ event: AudioQueueParameterEvent) {
    switch event.mID {
    // These parameters belong to stages before the ring, so they change immediately.
    case kAudioQueueParam_PlayRate, kAudioQueueParam_Pitch:
      _ = parameters.pointee.set(event.mID, event.mValue)
    default: marks.values[event.mID] = event.mValue
    }
  }

  /// Writes the marks at the next frame of the ring for the render thread.
  private func write(_ marks: Marks, _ renderer: UnsafeMutablePointer<PlaybackRenderer>) {
    guard !marks.isEmpty else { return }
    self.marks = Marks()
    func mark(_ kind: PlaybackMark.Kind) -> PlaybackMark {
      PlaybackMark(
        kind, at: renderer.pointee.ring.written,
        generation: renderer.pointee.generation.load(ordering: .relaxed))
    }
    if let start = marks.start {
      var mark = mark(.start)
      mark.time = start
      // Without room for it, the gap follows these frames.
      if !renderer.pointee.marks.push(mark) { self.marks.start = start }
    }
    for (id, value) in marks.values {
      var mark = mark(.parameter)
      (mark.id, mark.value) = (id, value)
      // An event without room takes effect a little early.
      if !renderer.pointee.marks.push(mark) { _ = parameters.pointee.set(id, value) }
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
    // The tap, whose memory this is, stays while a thread uses buffers.
    if let tap = lock.withLock({ tap }), tap.isBeforeEffects {
      source = tap.process(source, range, at: writtenFrame(renderer))
      range = 0..<range.count
    }
    guard let timePitch = currentTimePitch() else { return finish(source, range, renderer) }
    timePitch.consume(source.from(range.lowerBound), count: range.count)
    while true {
      set(timePitch)
      let made = timePitch.render(upTo: pendingEvents.first?.frame)
      finish(timePitch.output, made, renderer)
      guard applyPendingEvents(timePitch.nextInputFrame) || !made.isEmpty else { break }
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
    write(marks, renderer)
    // There is room: the ring is larger than the frames decoded ahead plus those of one call.
    _ = renderer.pointee.ring.write(
      UnsafePointer(source.channels), from: range.lowerBound, count: range.count)
  }

  // MARK: Time pitch

  /// The stage that changes rate and pitch; nil when it is not enabled.
  private func currentTimePitch() -> TimePitch? {
    let algorithm = lock.withLock { timePitchEnabled ? timePitchAlgorithm : nil }
    if timePitch?.algorithm == algorithm { return timePitch }
    applyPendingEvents(.infinity)
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
  private func applyPendingEvents(_ nextInputFrame: Double) -> Bool {
    var hasApplied = false
    while let (frame, event) = pendingEvents.first, nextInputFrame > Double(frame) - 1 {
      apply(event)
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
    applyPendingEvents(timePitch.nextInputFrame)
    guard made.isEmpty else { return false }
    applyPendingEvents(.infinity)
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
    var latency: Double?
    while latency == nil, mayEnd { controllingIfFree { latency = link?.latency ?? 0 } }
    let seconds = min(max(latency ?? 0, 0), 0.5)
    let end = rt_host_time() + UInt64(saturating: seconds * 1e9)
    while mayEnd, rt_host_time() < end { lock.withLock { _ = lock.wait(until: end) } }
    while mayEnd { controllingIfFree { stopAtEnd() } }
  }

  /// Whether the run that has been rendered is still the present one.
  private var mayEnd: Bool {
    lock.withLock {
      isEnding && !isDisposing && renderer?.pointee.hasEnded.load(ordering: .acquiring) == true
    }
  }
}
