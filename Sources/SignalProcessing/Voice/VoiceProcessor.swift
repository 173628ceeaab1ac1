// SPDX-License-Identifier: Apache-2.0

/// Processes the microphone signal of a telephone: cancels the echo of the loudspeaker, suppresses
/// the steady noise of the room, and controls the talker's level.
///
/// Playback and capture run on one clock. Played samples are stored. Captured samples are collected
/// until a step is full, aligned with the samples that were played one echo delay earlier, and pass
/// `EchoCanceller`, `EchoSuppressor` and `AutomaticGainControl`. The device reports the echo delay
/// (`reportedDelay`); `EchoDelayEstimator` measures it in case the device is wrong or does not know
/// it.
///
/// The owner frees the memory with `deallocate`. All calls come from one thread.
public struct VoiceProcessor: BitwiseCopyable, @unchecked Sendable {
  /// The longest echo delay that is searched, in seconds; and how much earlier the model begins:
  /// before a reported delay, and before a measured one, which is that of the room's early
  /// reflections.
  private static var longestDelay: Double { 0.7 }
  private static var reportedMargin: Double { 0.02 }
  private static var foundMargin: Double { 0.06 }
  /// The model moves to a measured delay when it begins less than this before it, because the first
  /// reflections are earlier, or this much too early, for this many seconds in a row.
  private static var leastMargin: Double { 0.025 }
  private static var slack: Double { 0.1 }
  private static var certainty: Double { 0.3 }
  private static var firstCertainty: Double { 0.1 }

  private let sampleRate: Double
  private let blockFrames: Int
  private let stepFrames: Int
  private var canceller: EchoCanceller
  private var delayEstimator: EchoDelayEstimator
  private var suppressor: EchoSuppressor
  private var gainControl: AutomaticGainControl
  private let memory = OwnedMemory()
  /// The latest played samples; index: frame modulo the length, a power of two.
  private let played: UnsafeMutablePointer<Float>
  private let playedMask: Int
  /// Number of played and of captured frames so far.
  private var playedFrames = 0
  private var capturedFrames = 0
  /// The step that is being captured, and the one that is being output meanwhile.
  private let captured: UnsafeMutablePointer<Float>
  private let processed: UnsafeMutablePointer<Float>
  private var stepPosition = 0
  private let reference: UnsafeMutablePointer<Float>
  /// The captured signal with the latency of the output, for a bypass.
  private let dry: UnsafeMutablePointer<Float>
  private var dryPosition = 0
  private let dryCount: Int

  /// Frames from a played sample to the beginning of the model, and their minimum.
  private var modelShift: Int
  private var minimumShift: Int
  /// Frames of the last measured delay, and steps for which it has disagreed with the model.
  private var foundFrames: Int?
  private var mismatchedSteps = 0
  private var hasMoved = false
  /// Gains at the end of the last step: of the processed signal, and of the output.
  private var wetGain: Float = 1
  private var outputGain: Float = 1

  /// Whether the captured signal passes unprocessed, with the same latency. The adaptation
  /// continues.
  public var isBypassed = false
  /// Whether the output is silent. The adaptation continues.
  public var isMuted = false
  /// Whether the gain control is on.
  public var followsLevel = true
  /// Seconds from playing to capturing as reported by the device; nil while unknown.
  public private(set) var reportedDelay: Double?

  /// Latency of the output after the captured signal, in frames.
  public let latencyFrames: Int
  /// Likelihood of near speech, 0 to 1.
  public var nearActivity: Float { @_noLocks get { suppressor.nearActivity } }
  /// Seconds from playing a sound to the beginning of the model.
  public var modelDelay: Double { @_noLocks get { Double(modelShift) / sampleRate } }

  /// [control thread] Makes a processor for one channel at `sampleRate`, with an echo path of
  /// `reach` seconds after its delay.
  public init(sampleRate: Double, reach: Double = 0.4) {
    self.sampleRate = sampleRate
    // The power of two next below 5.9 ms: 256 frames at 44,100 and 48,000 Hz, 64 at 16,000 Hz.
    var block = 16
    while Double(2 * block) <= 0.0059 * sampleRate { block *= 2 }
    blockFrames = block
    stepFrames = 2 * block
    canceller = EchoCanceller(sampleRate: sampleRate, blockFrames: block, reach: reach)
    delayEstimator = EchoDelayEstimator(
      sampleRate: sampleRate, blockFrames: block, longestDelay: Self.longestDelay)
    suppressor = EchoSuppressor(sampleRate: sampleRate, stepFrames: stepFrames)
    gainControl = AutomaticGainControl(sampleRate: sampleRate, stepFrames: stepFrames)
    latencyFrames = 2 * stepFrames + gainControl.latencyFrames
    var length = 1
    while Double(length) < 2 * sampleRate { length *= 2 }
    played = memory.array(length, of: 0)
    playedMask = length - 1
    captured = memory.array(stepFrames, of: 0)
    processed = memory.array(stepFrames, of: 0)
    reference = memory.array(stepFrames, of: 0)
    dryCount = latencyFrames - stepFrames
    dry = memory.array(dryCount, of: 0)
    minimumShift = stepFrames
    modelShift = stepFrames
  }

  /// [control thread] Frees the memory.
  public func deallocate() {
    canceller.deallocate()
    delayEstimator.deallocate()
    suppressor.deallocate()
    gainControl.deallocate()
    memory.deallocate()
  }

  /// [render thread] Clears signal history and learnt models, but not the reported delay.
  @_noLocks
  public mutating func reset() {
    canceller.reset()
    delayEstimator.reset()
    suppressor.reset()
    gainControl.reset()
    Samples.clear(played, count: playedMask + 1)
    Samples.clear(captured, count: stepFrames)
    Samples.clear(processed, count: stepFrames)
    Samples.clear(dry, count: dryCount)
    (playedFrames, capturedFrames, stepPosition, dryPosition, mismatchedSteps) = (0, 0, 0, 0, 0)
    (foundFrames, hasMoved) = (nil, false)
    align()
  }

  /// [render thread] Sets the seconds from playing a sound to capturing it, as the device reports
  /// them.
  @_noLocks
  public mutating func setReportedDelay(_ seconds: Double) {
    // Reported delays vary slightly; a model that begins elsewhere has to be learnt again.
    if let reportedDelay, (reportedDelay - seconds).magnitude < 0.01 { return }
    reportedDelay = seconds
    if foundFrames == nil { align() }
  }

  /// [render thread] Stores the played samples; call it after `process` for the same frames.
  @_noLocks
  public mutating func play(_ samples: UnsafePointer<Float>, frames: Int) {
    for index in 0..<frames {
      let sample = samples[index]
      played[(playedFrames &+ index) & playedMask] =
        sample.magnitude <= Samples.loudest ? sample : 0
    }
    playedFrames &+= frames
  }

  /// [render thread] Replaces the captured samples by the near sound, `latencyFrames` later.
  @_noLocks
  public mutating func process(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
    // The frames that are played at the same time arrive afterwards.
    if frames > minimumShift {
      minimumShift = frames
      if modelShift < minimumShift { align() }
    }
    synchronize()
    var offset = 0
    while offset < frames {
      let count = min(frames - offset, stepFrames - stepPosition)
      Samples.copy(samples + offset, to: captured + stepPosition, count: count)
      Samples.copy(processed + stepPosition, to: samples + offset, count: count)
      stepPosition += count
      offset += count
      capturedFrames &+= count
      if stepPosition == stepFrames {
        stepPosition = 0
        step()
      }
    }
  }

  /// Advances both signals to the same frame: a unit that does not play has played silence.
  @_noLocks
  private mutating func synchronize() {
    if playedFrames > capturedFrames { capturedFrames = playedFrames }
    playedFrames = max(playedFrames, capturedFrames &- playedMask)
    while playedFrames < capturedFrames {
      played[playedFrames & playedMask] = 0
      playedFrames &+= 1
    }
  }

  // MARK: A step

  @_noLocks
  private mutating func step() {
    Samples.discardUnusable(captured, count: stepFrames)
    let first = capturedFrames &- stepFrames
    findEcho(first)
    copyPlayed(first &- modelShift, to: reference)
    Samples.copy(captured, to: processed, count: stepFrames)
    let restarts = canceller.restartCount
    for block in 0..<2 {
      let offset = block * blockFrames
      canceller.process(
        played: reference + offset, captured: captured + offset, residual: processed + offset)
    }
    if canceller.restartCount != restarts { suppressor.raiseCoupling() }
    suppressor.process(played: reference, residual: processed)
    gainControl.process(
      processed, frames: stepFrames, activity: suppressor.nearActivity, follows: followsLevel)
    mixOutput()
  }

  /// Copies `stepFrames` played samples from a frame on; silence where nothing was played.
  @_noLocks
  private func copyPlayed(_ frame: Int, to target: UnsafeMutablePointer<Float>) {
    for index in 0..<stepFrames {
      let position = frame &+ index
      let isStored =
        position >= 0 && position < playedFrames && position > playedFrames &- playedMask
      target[index] = isStored ? played[position & playedMask] : 0
    }
  }

  /// Measures the echo delay, and moves the model if the echo is elsewhere.
  @_noLocks
  private mutating func findEcho(_ first: Int) {
    copyPlayed(first &- minimumShift, to: reference)
    var found: Int?
    let isTone = suppressor.toneAmount > 0
    for block in 0..<2 {
      let offset = block * blockFrames
      found = delayEstimator.find(
        played: reference + offset, captured: captured + offset, isTone: isTone)
    }
    guard let found else { return }
    let frames = minimumShift + found * blockFrames
    foundFrames = frames
    let isInside =
      Double(frames - modelShift) >= Self.leastMargin * sampleRate
      && Double(frames - modelShift) < (Self.foundMargin + Self.slack) * sampleRate
    mismatchedSteps = isInside ? 0 : mismatchedSteps + 1
    // If nothing was reported or found before, any result is better.
    let isFirst = reportedDelay == nil && !hasMoved
    let certainty = isFirst ? Self.firstCertainty : Self.certainty
    guard Double(mismatchedSteps * stepFrames) > certainty * sampleRate else { return }
    hasMoved = true
    mismatchedSteps = 0
    let before = modelShift
    align()
    if modelShift != before {
      canceller.reset()
      suppressor.raiseCoupling()
    }
  }

  /// Moves the model to the found or reported delay of the echo.
  @_noLocks
  private mutating func align() {
    var frames = minimumShift
    if let foundFrames {
      frames = foundFrames - Elementary.whole(Self.foundMargin * sampleRate)
    } else if let reportedDelay {
      let longestDelay = Double(playedMask) / 2
      frames = Elementary.whole(
        min((reportedDelay - Self.reportedMargin) * sampleRate, longestDelay))
    }
    modelShift = max(frames, minimumShift)
  }

  /// Mixes the output with the bypass signal, and fades after a switch has changed.
  @_noLocks
  private mutating func mixOutput() {
    let (wet, unmuted): (Float, Float) = (isBypassed ? 0 : 1, isMuted ? 0 : 1)
    let scale = 1 / Float(stepFrames)
    let (wetStep, unmutedStep) = ((wet - wetGain) * scale, (unmuted - outputGain) * scale)
    for index in 0..<stepFrames {
      let late = dry[dryPosition]
      dry[dryPosition] = captured[index]
      dryPosition = dryPosition + 1 == dryCount ? 0 : dryPosition + 1
      let (wet, unmuted) =
        (wetGain + wetStep * Float(index + 1), outputGain + unmutedStep * Float(index + 1))
      let mixed = wet == 1 ? processed[index] : late + wet * (processed[index] - late)
      processed[index] = unmuted == 1 ? mixed : unmuted * mixed
    }
    (wetGain, outputGain) = (wet, unmuted)
  }
}
