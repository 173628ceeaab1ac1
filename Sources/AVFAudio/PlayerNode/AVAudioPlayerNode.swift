// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
public import AudioValues
import FilePlayback

/// A source that plays buffers and files one after the other, or at times. [any thread but a render
/// thread]
///
/// The frames of buffers are not copied, and are taken as frames of the player's output whatever
/// their rate. Files are read ahead, and converted to the output's rate and channels; parts without
/// times that follow each other as one sound. A time with a sample time counts frames from the start
/// of the player. What plays at a time that is over, or in which something else plays, begins as soon
/// as it can, whole.
///
/// A call that breaks a rule ends the program with a sentence that says so.
open class AVAudioPlayerNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
  private let player: PlayerNodeFeed
  /// Held while it follows a change of the engine, so that the last of several counts. As that of
  /// `EngineCore`, it is not one of the library's.
  private let following = NSRecursiveLock()

  /// A player without anything to play.
  public init() {
    let unit = NodeUnit(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter)
    player = PlayerNodeFeed(unit.format(kAudioUnitScope_Output, 0) ?? .standard(44_100, 2))
    super.init(unit, inputs: 0, outputs: 1, feed: player)
  }

  // MARK: Buffers

  /// Schedules a buffer after everything that was scheduled before.
  @preconcurrency
  open func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, completionHandler: AVAudioNodeCompletionHandler? = nil
  ) { schedule(buffer, nil, [], .dataConsumed, handler(completionHandler)) }

  /// As above, and returns when the buffer has been consumed.
  nonisolated(nonsending) open func scheduleBuffer(_ buffer: AVAudioPCMBuffer) async {
    await withCheckedContinuation { done in
      scheduleBuffer(buffer, completionHandler: { done.resume() })
    }
  }

  /// As above, with a handler for the given event.
  @preconcurrency
  open func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, completionCallbackType: AVAudioPlayerNodeCompletionCallbackType,
    completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
  ) { schedule(buffer, nil, [], completionCallbackType, completionHandler) }

  /// As above, and returns after the given event.
  @discardableResult
  nonisolated(nonsending) open func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, completionCallbackType: AVAudioPlayerNodeCompletionCallbackType
  ) async -> AVAudioPlayerNodeCompletionCallbackType {
    await withCheckedContinuation { done in
      scheduleBuffer(
        buffer, completionCallbackType: completionCallbackType,
        completionHandler: { done.resume(returning: $0) })
    }
  }

  /// Schedules a buffer at a time; nil means after everything that was scheduled before.
  @preconcurrency
  open func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?,
    options: AVAudioPlayerNodeBufferOptions = [],
    completionHandler: AVAudioNodeCompletionHandler? = nil
  ) { schedule(buffer, when, options, .dataConsumed, handler(completionHandler)) }

  /// Schedules a buffer at a time, and returns when it has been consumed.
  nonisolated(nonsending) open func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = []
  ) async {
    await withCheckedContinuation { done in
      scheduleBuffer(buffer, at: when, options: options, completionHandler: { done.resume() })
    }
  }

  /// Schedules a buffer at a time, with a handler for the given event.
  @preconcurrency
  open func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?,
    options: AVAudioPlayerNodeBufferOptions = [],
    completionCallbackType: AVAudioPlayerNodeCompletionCallbackType,
    completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
  ) { schedule(buffer, when, options, completionCallbackType, completionHandler) }

  /// Schedules a buffer at a time, and returns after the given event.
  @discardableResult
  nonisolated(nonsending) open func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?,
    options: AVAudioPlayerNodeBufferOptions = [],
    completionCallbackType: AVAudioPlayerNodeCompletionCallbackType
  ) async -> AVAudioPlayerNodeCompletionCallbackType {
    await withCheckedContinuation { done in
      scheduleBuffer(
        buffer, at: when, options: options, completionCallbackType: completionCallbackType,
        completionHandler: { done.resume(returning: $0) })
    }
  }

  /// Schedules a buffer, with a handler for an event.
  final func schedule(
    _ buffer: AVAudioPCMBuffer, _ when: AVAudioTime?, _ options: AVAudioPlayerNodeBufferOptions,
    _ type: AVAudioPlayerNodeCompletionCallbackType, _ handler: AVAudioPlayerNodeCompletionHandler?
  ) {
    orEnd {
      try player.withCurrent { player in
        let request = PlayerNodeRequest("scheduleBuffer(_:…)", player.format)
        let start = try request.start(when)
        let (content, owner) = try request.samples(buffer)
        try player.schedule.schedule(
          SoundRequest(
            content, owner: owner, at: start,
            options: SoundRequest.Options(rawValue: UInt8(truncatingIfNeeded: options.rawValue)),
            completion: type.completion, handler: self.handler(handler, type)))
      }
    }
  }

  /// A handler that ignores the event.
  final func handler(
    _ handler: AVAudioNodeCompletionHandler?
  ) -> AVAudioPlayerNodeCompletionHandler? {
    guard let handler else { return nil }
    return { _ in handler() }
  }

  private func handler(
    _ handler: AVAudioPlayerNodeCompletionHandler?, _ type: AVAudioPlayerNodeCompletionCallbackType
  ) -> (@Sendable () -> Void)? {
    guard let handler else { return nil }
    return { handler(type) }
  }

  // MARK: Files

  /// Schedules a whole file, from its first frame on, at a time; nil means after everything that was
  /// scheduled before.
  @preconcurrency
  open func scheduleFile(
    _ file: AVAudioFile, at when: AVAudioTime?,
    completionHandler: AVAudioNodeCompletionHandler? = nil
  ) { schedule(file, nil, when, .dataConsumed, handler(completionHandler)) }

  /// Schedules a whole file, and returns when it has been consumed.
  nonisolated(nonsending) open func scheduleFile(_ file: AVAudioFile, at when: AVAudioTime?) async {
    await withCheckedContinuation { done in
      scheduleFile(file, at: when, completionHandler: { done.resume() })
    }
  }

  /// Schedules a whole file, with a handler for the given event.
  @preconcurrency
  open func scheduleFile(
    _ file: AVAudioFile, at when: AVAudioTime?,
    completionCallbackType: AVAudioPlayerNodeCompletionCallbackType,
    completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
  ) { schedule(file, nil, when, completionCallbackType, completionHandler) }

  /// Schedules a whole file, and returns after the given event.
  @discardableResult
  nonisolated(nonsending) open func scheduleFile(
    _ file: AVAudioFile, at when: AVAudioTime?,
    completionCallbackType: AVAudioPlayerNodeCompletionCallbackType
  ) async -> AVAudioPlayerNodeCompletionCallbackType {
    await withCheckedContinuation { done in
      scheduleFile(
        file, at: when, completionCallbackType: completionCallbackType,
        completionHandler: { done.resume(returning: $0) })
    }
  }

  /// Schedules frames of a file at a time; nil means after everything that was scheduled before. If
  /// the file ends earlier, so does the segment.
  @preconcurrency
  open func scheduleSegment(
    _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition,
    frameCount numberFrames: AVAudioFrameCount, at when: AVAudioTime?,
    completionHandler: AVAudioNodeCompletionHandler? = nil
  ) {
    schedule(
      file, (startFrame, numberFrames), when, .dataConsumed, handler(completionHandler))
  }

  /// Schedules frames of a file, and returns when they have been consumed.
  nonisolated(nonsending) open func scheduleSegment(
    _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition,
    frameCount numberFrames: AVAudioFrameCount, at when: AVAudioTime?
  ) async {
    await withCheckedContinuation { done in
      scheduleSegment(
        file, startingFrame: startFrame, frameCount: numberFrames, at: when,
        completionHandler: { done.resume() })
    }
  }

  /// Schedules frames of a file, with a handler for the given event.
  @preconcurrency
  open func scheduleSegment(
    _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition,
    frameCount numberFrames: AVAudioFrameCount, at when: AVAudioTime?,
    completionCallbackType: AVAudioPlayerNodeCompletionCallbackType,
    completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
  ) {
    schedule(
      file, (startFrame, numberFrames), when, completionCallbackType, completionHandler)
  }

  /// Schedules frames of a file, and returns after the given event.
  @discardableResult
  nonisolated(nonsending) open func scheduleSegment(
    _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition,
    frameCount numberFrames: AVAudioFrameCount, at when: AVAudioTime?,
    completionCallbackType: AVAudioPlayerNodeCompletionCallbackType
  ) async -> AVAudioPlayerNodeCompletionCallbackType {
    await withCheckedContinuation { done in
      scheduleSegment(
        file, startingFrame: startFrame, frameCount: numberFrames, at: when,
        completionCallbackType: completionCallbackType,
        completionHandler: { done.resume(returning: $0) })
    }
  }

  private func schedule(
    _ file: AVAudioFile, _ range: (start: AVAudioFramePosition, count: AVAudioFrameCount)?,
    _ when: AVAudioTime?, _ type: AVAudioPlayerNodeCompletionCallbackType,
    _ handler: AVAudioPlayerNodeCompletionHandler?
  ) {
    while !scheduleOnce(file, range, when, type, handler) {}
  }

  /// Schedules a file; false if it must be opened again, because the format changes meanwhile, or what
  /// it was to follow ends.
  private func scheduleOnce(
    _ file: AVAudioFile, _ range: (start: AVAudioFramePosition, count: AVAudioFrameCount)?,
    _ when: AVAudioTime?, _ type: AVAudioPlayerNodeCompletionCallbackType,
    _ handler: AVAudioPlayerNodeCompletionHandler?
  ) -> Bool {
    let opener = player.current
    let request = PlayerNodeRequest(
      range == nil ? "scheduleFile(_:…)" : "scheduleSegment(_:…)", opener.format)
    let sound = orEnd {
      SoundRequest(
        try request.part(file, range), owner: file, at: try request.start(when),
        completion: type.completion, handler: self.handler(handler, type))
    }
    var ready: SoundSchedule.ReadySound?
    do throws(AudioError) { ready = try opener.schedule.ready(sound) } catch {
      Explanations.log("AVAudioPlayerNode: \(file.url.path) is skipped: \(error.text)")
    }
    return player.withCurrent { player in
      guard player.schedule === opener.schedule else { return false }
      if let ready { return player.schedule.schedule(ready) }
      player.schedule.end(sound)
      return true
    }
  }

  /// Reads scheduled files ahead, until this many frames are ready or as many as there is room for,
  /// so that `play()` starts without delay.
  open func prepare(withFrameCount frameCount: AVAudioFrameCount) {
    player.current.schedule.prepare(frameCount: Int(frameCount))
  }

  // MARK: Playing

  /// Plays, or continues after a pause. Ends the program where `playAudio()` throws.
  open func play() { orEnd { try start(nil, "play()") } }

  /// Plays, or continues after a pause, at a time of the node: its sample time counts as those of
  /// `lastRenderTime`. A time that is over, and nil, mean at once. Ends the program where
  /// `playAudio(at:)` throws.
  open func play(at when: AVAudioTime?) { orEnd { try start(when, "play(at:)") } }

  /// Plays, or continues after a pause. Throws unless the player is attached to an engine that runs,
  /// and connected.
  open func playAudio() throws { try start(nil, "playAudio()") }

  /// Plays at a time, as `play(at:)`. Throws unless the player is attached to an engine that runs,
  /// and connected, and if the time is not valid.
  open func playAudio(at when: AVAudioTime?) throws { try start(when, "playAudio(at:)") }

  private func start(_ when: AVAudioTime?, _ name: String) throws {
    let call = "AVAudioPlayerNode.\(name)"
    guard let engine else {
      throw EngineError.refusal(
        call, "the player is attached to no engine",
        mend: "attach it, connect it, and start the engine")
    }
    guard !engine.outputConnectionPoints(for: self, outputBus: 0).isEmpty else {
      throw EngineError.refusal(
        call, "the output of the player is not connected", mend: "connect it to a mixer first")
    }
    guard engine.isRunning else {
      throw EngineError.refusal(call, "the engine does not run", mend: "start it first")
    }
    try player.withCurrent { player in
      player.schedule.play(at: try PlayerNodeRequest(name, player.format).stamp(when))
    }
  }

  /// Pauses: everything stays scheduled, and the player's time stands still.
  open func pause() { player.withCurrent { $0.schedule.pause() } }

  /// Stops: nothing is scheduled any more, and the player's time is 0 again. Handlers of what was
  /// scheduled are called soon.
  open func stop() { player.withCurrent { $0.schedule.stop() } }

  /// Unschedules everything, and sets the player's time to 0. A player that plays continues.
  open override func reset() {
    player.withCurrent { $0.schedule.reset() }
    super.reset()
  }

  /// Whether it was started, and neither paused nor stopped since; also while nothing is scheduled.
  open var isPlaying: Bool { player.current.schedule.isPlaying }

  // MARK: Time

  /// The time of the node at a time of the player, which counts frames from its start; nil while it
  /// does not play.
  @discardableResult
  open func nodeTime(forPlayerTime playerTime: AVAudioTime) -> AVAudioTime? {
    guard let origin = player.current.schedule.origin else { return nil }
    // The host time is the same on both time lines.
    guard playerTime.isSampleTimeValid else { return withSampleTime(playerTime) }
    return shifted(playerTime, by: origin)
  }

  /// The time of the player, which counts frames from its start, at a time of the node; negative
  /// before the start. Nil while it does not play.
  @discardableResult
  open func playerTime(forNodeTime nodeTime: AVAudioTime) -> AVAudioTime? {
    guard let origin = player.current.schedule.origin,
      let nodeTime = withSampleTime(nodeTime)
    else { return nil }
    return shifted(nodeTime, by: -origin)
  }

  /// A time of the node with a sample time; nil if that is unknown.
  private func withSampleTime(_ time: AVAudioTime) -> AVAudioTime? {
    if time.isSampleTimeValid { return time }
    return lastRenderTime.flatMap { time.extrapolateTime(fromAnchor: $0) }
  }

  private func shifted(_ time: AVAudioTime, by frames: Int) -> AVAudioTime {
    PlayerNodeRequest("", player.current.format).shifted(time, by: frames)
  }

  // MARK: As a source

  /// The gain at the mixers that it reaches.
  open var volume: Float {
    get { mixing.values.volume }
    set { mixing.set(\.volume, toNumber: newValue) }
  }

  /// The position at the mixers that it reaches.
  open var pan: Float {
    get { mixing.values.pan }
    set { mixing.set(\.pan, toNumber: newValue) }
  }

  /// The values at one input of a mixer; nil if the node does not reach it.
  @discardableResult
  open func destination(
    forMixer mixer: AVAudioNode, bus: AVAudioNodeBus
  ) -> AVAudioMixingDestination? { mixing.destination(mixer, bus) }

  // MARK: For the engine

  override var formatRule: FormatRule { .generates }

  /// The format in which the unit asks for frames.
  override func unitInputFormat(for output: AVAudioFormat) -> AVAudioFormat {
    .standard(output.sampleRate, output.channelCount)
  }

  override func engineChanged(_ event: EngineEvent) {
    switch event {
    case .detached:
      stop()
      following.withLock { player.setFormat(outputFormat(forBus: 0)) }
    case .started, .connectionsChanged:
      following.withLock {
        player.setFormat(outputFormat(forBus: 0))
        player.current.schedule.setPace(renderPace)
        player.current.schedule.setLatency(outputPresentationLatency)
      }
    case .paused, .stopped, .reset: break
    }
  }

  /// What the engine says of its renders.
  private var renderPace: RenderPace {
    guard let engine, engine.isInManualRenderingMode else { return .unknown }
    return engine.manualRenderingMode == .offline ? .offline : .realTime
  }
}
