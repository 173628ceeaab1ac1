// SPDX-License-Identifier: Apache-2.0
import AudioConversion
internal import AudioSupport
internal import CAudioToolbox
import CRealTime
import Glibc

// The work of the queue's thread: it turns items into frames in the ring.
extension PlaybackQueue {
  private enum Step { case feed, reportGap(Int), reachEnd, loseDevice, leave }

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
      case .leave: return
      }
    }
  }

  /// Waits until there is something to do.
  private func next() -> Step {
    monitor.withLock {
      while true {
        if isDisposing { return .leave }
        if !isHalted, let side {
          if hasLostDevice, state == .running { return .loseDevice }
          if isEnding, side.pointee.hasEnded.load(ordering: .acquiring) { return .reachEnd }
          let gaps = side.pointee.gapCount.load(ordering: .relaxed)
          if gaps != reportedGaps {
            defer { reportedGaps = gaps }
            return .reportGap(gaps)
          }
          if canFeed(side) {
            isBusy = true
            busyThread = threadID
            return .feed
          }
        }
        monitor.wait(until: nextLook)
      }
    }
  }

  /// [inside the monitor] Whether there is an item, and room for its frames.
  private func canFeed(_ side: UnsafeMutablePointer<PlaybackSide>) -> Bool {
    mayFeed && offline == nil && !items.isEmpty
      && side.pointee.ring.fill < max(targetFrames, primedFrames)
  }

  /// [inside the monitor] When to check the ring again; nil: when another thread signals.
  private var nextLook: UInt64? {
    guard state == .running, offline == nil, let side else { return nil }
    // Without a clock, frames are taken as fast as they come.
    if side.pointee.waits.load(ordering: .relaxed) { return rt_host_time() + 500_000 }
    let fill = Double(side.pointee.ring.fill)
    let seconds = max((fill - Double(targetFrames) / 2) / sampleRate, 0.001)
    // With nothing to decode, it only watches for gaps and the end.
    let least = items.isEmpty ? isEnding ? 0.002 : 0.02 : 0.001
    return rt_host_time() + UInt64(min(max(seconds, least), 0.25) * 1e9)
  }

  /// Decodes one call's worth of the first item. Only while `isBusy`.
  func feed() {
    let (side, item) = monitor.withLock { (self.side, items.first) }
    guard let side, let item else { return monitor.withLock { leaveItem() } }
    var finished: PlayedBuffer?
    var isUsedUp = true
    switch item {
    case .buffer(let played):
      isUsedUp = feed(played, side)
      if isUsedUp { finished = played }
    case .flush: isUsedUp = drain(side)
    case .end:
      let mark = PlaybackMark(
        .end, at: side.pointee.ring.written,
        generation: side.pointee.generation.load(ordering: .relaxed))
      isUsedUp = side.pointee.marks.push(mark.words)
    }
    monitor.withLock {
      if isUsedUp { items.removeFirst() }
      // The callback is counted before any thread can conclude that nothing follows.
      if finished != nil { callsUnderWay += 1 }
      leaveItem()
    }
    if let finished {
      returnBuffer(finished)
      monitor.withLock {
        callsUnderWay -= 1
        expectFrames()
      }
    }
  }

  /// [inside the monitor]
  private func leaveItem() {
    isBusy = false
    expectFrames()
    monitor.signal()
  }

  private func feed(_ played: PlayedBuffer, _ side: UnsafeMutablePointer<PlaybackSide>) -> Bool {
    if played.decoded == nil {
      guard begin(played, side) else { return false }
      monitor.withLock { played.decoded = 0 }
      decoder.begin(played)
    }
    let (count, isFinished, failure) = decoder.decode()
    if let failure {
      monitor.withLock { converterError = failure.status }
      Explanations.log("audio queue: a packet was skipped: \(failure.explanation)")
      notify(kAudioQueueProperty_ConverterError)
    }
    let first = played.decoded ?? 0
    monitor.withLock { played.decoded = first + count }
    let heard = played.heard(from: first, count: count)
    emit(heard, side)
    return isFinished
  }

  /// Marks where a buffer begins; false when there is no room for the marks, or frames before a gap
  /// in the sound must be written first.
  private func begin(_ played: PlayedBuffer, _ side: UnsafeMutablePointer<PlaybackSide>) -> Bool {
    let timePitch = currentTimePitch(side)
    if let frame = played.options.startFrame {
      // Frames before a gap are written before it.
      if let timePitch, !drain(timePitch, side) { return false }
      var mark = PlaybackMark(
        .start, at: side.pointee.ring.written,
        generation: side.pointee.generation.load(ordering: .relaxed))
      mark.time = frame
      guard side.pointee.marks.push(mark.words) else { return false }
    }
    for event in played.options.parameters {
      if let timePitch {
        heldEvents.append((timePitch.taken, event))
      } else {
        takeEffect(event, side)
      }
    }
    return true
  }

  /// A parameter event takes effect at the next frame of the ring.
  private func takeEffect(
    _ event: AudioQueueParameterEvent, _ side: UnsafeMutablePointer<PlaybackSide>
  ) {
    switch event.mID {
    // Settings of stages before the ring take effect here.
    case kAudioQueueParam_PlayRate, kAudioQueueParam_Pitch:
      _ = parameters.pointee.set(event.mID, event.mValue)
    default:
      var mark = PlaybackMark(
        .parameter, at: side.pointee.ring.written,
        generation: side.pointee.generation.load(ordering: .relaxed))
      (mark.id, mark.value) = (event.mID, event.mValue)
      // An event without room in the queue takes effect a little early.
      if !side.pointee.marks.push(mark.words) {
        _ = parameters.pointee.set(event.mID, event.mValue)
      }
    }
  }

  /// Writes all frames held by the codec and the time pitch; returns whether none is left.
  private func drain(_ side: UnsafeMutablePointer<PlaybackSide>) -> Bool {
    let (count, isFinished) = decoder.drain()
    emit(0..<count, side)
    guard isFinished else { return false }
    if let timePitch, !drain(timePitch, side) { return false }
    if let tap = monitor.withLock({ tap }) {
      // The last frames were passed on before the end was known.
      _ = tap.process(decoder.output, 0..<0, at: writtenFrame(side), isAtEnd: true)
      tap.streamEnded()
    }
    return true
  }

  /// Passes decoded frames on: tap, time pitch, tap, ring.
  private func emit(_ range: Range<Int>, _ side: UnsafeMutablePointer<PlaybackSide>) {
    guard !range.isEmpty else { return }
    var source = decoder.output
    var range = range
    if let tap = monitor.withLock({ tap }), tap.isBefore {
      source = tap.process(source, range, at: writtenFrame(side))
      range = 0..<range.count
    }
    guard let timePitch = currentTimePitch(side) else { return finish(source, range, side) }
    timePitch.consume(source.from(range.lowerBound), count: range.count)
    while true {
      set(timePitch)
      let made = timePitch.render(upTo: heldEvents.first?.frame)
      finish(timePitch.output, made, side)
      guard takeHeldEvents(timePitch.heard, side) || !made.isEmpty else { break }
    }
    monitor.withLock { heldFrames = timePitch.heldFrames }
  }

  private func finish(
    _ source: PlanarBuffer, _ range: Range<Int>, _ side: UnsafeMutablePointer<PlaybackSide>
  ) {
    guard !range.isEmpty else { return }
    var (source, range) = (source, range)
    if let tap = monitor.withLock({ tap }), !tap.isBefore {
      source = tap.process(source, range, at: writtenFrame(side))
      range = 0..<range.count
    }
    // There is room: the ring is larger than what is decoded ahead and one call.
    _ = side.pointee.ring.write(
      UnsafePointer(source.channels), from: range.lowerBound, count: range.count)
  }

  // MARK: Time pitch

  /// The stage that changes rate and pitch; nil when it is not enabled.
  private func currentTimePitch(_ side: UnsafeMutablePointer<PlaybackSide>) -> TimePitch? {
    let algorithm = monitor.withLock { timePitchEnabled ? timePitchAlgorithm : nil }
    if timePitch?.algorithm == algorithm { return timePitch }
    takeHeldEvents(.infinity, side)
    timePitch = algorithm.map {
      TimePitch(algorithm: $0, channelCount: channelCount, sampleRate: sampleRate)
    }
    return timePitch
  }

  private func set(_ timePitch: TimePitch) {
    timePitch.set(
      rate: parameters.pointee.limited(kAudioQueueParam_PlayRate),
      cents: parameters.pointee.limited(kAudioQueueParam_Pitch),
      isBypassed: monitor.withLock { timePitchBypassed })
  }

  /// Applies the events of the next output frame; returns whether there were any.
  @discardableResult
  private func takeHeldEvents(_ heard: Double, _ side: UnsafeMutablePointer<PlaybackSide>) -> Bool {
    var hasTaken = false
    while let (frame, event) = heldEvents.first, heard > Double(frame) - 1 {
      takeEffect(event, side)
      heldEvents.removeFirst()
      hasTaken = true
    }
    return hasTaken
  }

  /// Writes one call's worth of the frames that the time pitch holds; returns whether none is left.
  private func drain(_ timePitch: TimePitch, _ side: UnsafeMutablePointer<PlaybackSide>) -> Bool {
    set(timePitch)
    let made = timePitch.drain()
    finish(timePitch.output, made, side)
    takeHeldEvents(timePitch.heard, side)
    guard made.isEmpty else { return false }
    takeHeldEvents(.infinity, side)
    timePitch.reset()
    monitor.withLock { heldFrames = 0 }
    return true
  }

  /// The frame of the queue's time of the next frame written to the ring.
  private func writtenFrame(_ side: UnsafeMutablePointer<PlaybackSide>) -> Int {
    max(side.pointee.time.load().end, 0) + side.pointee.ring.fill
  }

  // MARK: The end

  /// Everything has been rendered: waits until it has been played, and stops.
  private func reachEnd() {
    let seconds = min(latency, 0.5)
    if seconds > 0 { usleep(UInt32(seconds * 1e6)) }
    control.withLock { stopAtEnd() }
  }
}
