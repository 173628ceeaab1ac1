// SPDX-License-Identifier: Apache-2.0

/// The processing of a telephone's microphone signal: it takes out the echo of the loudspeaker and
/// the steady noise of the room, and brings the talker to a level.
///
/// Both sides run on one clock. What is played is kept; what is heard waits until a step is full, is set
/// beside what was played as long ago as the echo takes, and passes `EchoCanceller`, `EchoSuppressor`
/// and `VoiceLevel`. How long the echo takes is reported by the device (`reportedDelay`) and looked for
/// (`EchoDelay`) where the device is wrong or does not know.
///
/// The memory is its owner's to free, by `deallocate`. All calls come from one thread.
public struct VoiceProcessor: BitwiseCopyable, @unchecked Sendable {
  /// The longest echo that is looked for, in seconds, and how much earlier than it the model begins:
  /// than a reported delay, and than one that was found, which lies in the room's first sounds.
  private static var longest: Double { 0.7 }
  private static var reportedMargin: Double { 0.02 }
  private static var foundMargin: Double { 0.06 }
  /// A delay that was found is taken when the model begins later than it, or so much earlier, for so
  /// many seconds on end.
  private static var slack: Double { 0.1 }
  private static var certainty: Double { 0.6 }
  private static var firstCertainty: Double { 0.1 }

  private let sampleRate: Double
  private let blockFrames: Int
  private let stepFrames: Int
  private var canceller: EchoCanceller
  private var delay: EchoDelay
  private var suppressor: EchoSuppressor
  private var level: VoiceLevel
  private let memory = OwnedMemory()
  /// The last of what was played, at its frame modulo the length, a power of two.
  private let played: UnsafeMutablePointer<Float>
  private let playedMask: Int
  /// Frames that were played and heard so far.
  private var playedFrames = 0
  private var heardFrames = 0
  /// The step that fills, and the one that is given out meanwhile.
  private let heard: UnsafeMutablePointer<Float>
  private let given: UnsafeMutablePointer<Float>
  private var stepPlace = 0
  private let reference: UnsafeMutablePointer<Float>
  /// What was heard, as late as what is given: for a bypass.
  private let dry: UnsafeMutablePointer<Float>
  private var dryPlace = 0
  private let dryCount: Int

  /// Frames from what was played to where the model begins, and the fewest that are possible.
  private var shift: Int
  private var leastShift: Int
  /// Frames of the delay that was found last, and steps for which it has been another one.
  private var foundFrames: Int?
  private var strangeSteps = 0
  private var hasMoved = false
  /// Gains that the last step ended with: of the processed sound, and of all.
  private var wetGain: Float = 1
  private var openGain: Float = 1

  /// Whether what is heard passes as it is, as late as if it were processed. Learning continues.
  public var isBypassed = false
  /// Whether silence is given instead. Learning continues.
  public var isMuted = false
  /// Whether the talker's level is followed.
  public var followsLevel = true
  /// Seconds from playing to hearing as the device tells them; nil while it does not know.
  public private(set) var reportedDelay: Double?

  /// Frames by which what is given is later than what was heard.
  public let latencyFrames: Int
  /// Whether someone near speaks, 0 to 1.
  public var nearActivity: Float { @_noLocks get { suppressor.nearActivity } }
  /// Seconds from playing to hearing: where the model begins.
  public var modelDelay: Double { @_noLocks get { Double(shift) / sampleRate } }

  /// [control thread] For one channel at `sampleRate`, and a way of the echo of `reach` seconds behind
  /// its delay.
  public init(sampleRate: Double, reach: Double = 0.28) {
    self.sampleRate = sampleRate
    // The power of two next below 5.9 ms: 256 frames at 44,100 and 48,000 Hz, 64 at 16,000 Hz.
    var block = 16
    while Double(2 * block) <= 0.0059 * sampleRate { block *= 2 }
    blockFrames = block
    stepFrames = 2 * block
    canceller = EchoCanceller(sampleRate: sampleRate, blockFrames: block, reach: reach)
    delay = EchoDelay(sampleRate: sampleRate, blockFrames: block, longest: Self.longest)
    suppressor = EchoSuppressor(sampleRate: sampleRate, stepFrames: stepFrames)
    level = VoiceLevel(sampleRate: sampleRate, stepFrames: stepFrames)
    latencyFrames = 2 * stepFrames + level.latencyFrames
    var length = 1
    while Double(length) < 2 * sampleRate { length *= 2 }
    played = memory.array(length, of: 0)
    playedMask = length - 1
    heard = memory.array(stepFrames, of: 0)
    given = memory.array(stepFrames, of: 0)
    reference = memory.array(stepFrames, of: 0)
    dryCount = latencyFrames - stepFrames
    dry = memory.array(dryCount, of: 0)
    leastShift = stepFrames
    shift = stepFrames
  }

  /// [control thread] Frees the memory.
  public func deallocate() {
    canceller.deallocate()
    delay.deallocate()
    suppressor.deallocate()
    level.deallocate()
    memory.deallocate()
  }

  /// [render thread] Clears signal history and learnt models, but not the reported delay.
  @_noLocks
  public mutating func reset() {
    canceller.reset()
    delay.reset()
    suppressor.reset()
    level.reset()
    Samples.clear(played, count: playedMask + 1)
    Samples.clear(heard, count: stepFrames)
    Samples.clear(given, count: stepFrames)
    Samples.clear(dry, count: dryCount)
    (playedFrames, heardFrames, stepPlace, dryPlace, strangeSteps) = (0, 0, 0, 0, 0)
    (foundFrames, hasMoved) = (nil, false)
    align()
  }

  /// [render thread] How many seconds after it was played a sound is captured, as the device reports.
  @_noLocks
  public mutating func setReportedDelay(_ seconds: Double) {
    // What devices say wavers; a model that begins elsewhere has to be learnt anew.
    if let reportedDelay, (reportedDelay - seconds).magnitude < 0.01 { return }
    reportedDelay = seconds
    if foundFrames == nil { align() }
  }

  /// [render thread] Takes what is played, after what is heard in the same frames.
  @_noLocks
  public mutating func play(_ samples: UnsafePointer<Float>, frames: Int) {
    for index in 0..<frames {
      let sample = samples[index]
      played[(playedFrames &+ index) & playedMask] =
        sample.magnitude <= Samples.loudest ? sample : 0
    }
    playedFrames &+= frames
  }

  /// [render thread] Replaces what was captured by what is near, `latencyFrames` later.
  @_noLocks
  public mutating func process(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
    // What is played in these frames comes afterwards.
    if frames > leastShift {
      leastShift = frames
      if shift < leastShift { align() }
    }
    meet()
    var place = 0
    while place < frames {
      let count = min(frames - place, stepFrames - stepPlace)
      Samples.copy(samples + place, to: heard + stepPlace, count: count)
      Samples.copy(given + stepPlace, to: samples + place, count: count)
      stepPlace += count
      place += count
      heardFrames &+= count
      if stepPlace == stepFrames {
        stepPlace = 0
        step()
      }
    }
  }

  /// Brings both sides to the same frame: a unit that does not play has played silence.
  @_noLocks
  private mutating func meet() {
    if playedFrames > heardFrames { heardFrames = playedFrames }
    playedFrames = max(playedFrames, heardFrames &- playedMask)
    while playedFrames < heardFrames {
      played[playedFrames & playedMask] = 0
      playedFrames &+= 1
    }
  }

  // MARK: A step

  @_noLocks
  private mutating func step() {
    Samples.discardUnusable(heard, count: stepFrames)
    let first = heardFrames &- stepFrames
    findEcho(first)
    copyPlayed(first &- shift, to: reference)
    Samples.copy(heard, to: given, count: stepFrames)
    let restarts = canceller.restartCount
    for block in 0..<2 {
      let place = block * blockFrames
      canceller.process(
        played: reference + place, heard: heard + place, left: given + place)
    }
    if canceller.restartCount != restarts { suppressor.doubt() }
    suppressor.process(played: reference, left: given)
    level.process(
      given, frames: stepFrames, activity: suppressor.nearActivity, follows: followsLevel)
    finish()
  }

  /// `stepFrames` of what was played from a frame on; silence where nothing was.
  @_noLocks
  private func copyPlayed(_ frame: Int, to target: UnsafeMutablePointer<Float>) {
    for index in 0..<stepFrames {
      let place = frame &+ index
      let isKept = place >= 0 && place < playedFrames && place > playedFrames &- playedMask
      target[index] = isKept ? played[place & playedMask] : 0
    }
  }

  /// Looks for the echo, and begins the model elsewhere when it is not where the model is.
  @_noLocks
  private mutating func findEcho(_ first: Int) {
    copyPlayed(first &- leastShift, to: reference)
    var found: Int?
    let isTone = suppressor.toneAmount > 0
    for block in 0..<2 {
      let place = block * blockFrames
      found = delay.find(played: reference + place, heard: heard + place, isTone: isTone)
    }
    guard let found else { return }
    let frames = leastShift + found * blockFrames
    foundFrames = frames
    let isInside =
      frames >= shift && Double(frames - shift) < (Self.foundMargin + Self.slack) * sampleRate
    strangeSteps = isInside ? 0 : strangeSteps + 1
    // Where nothing was reported or found before, anything is better.
    let isFirst = reportedDelay == nil && !hasMoved
    let certainty = isFirst ? Self.firstCertainty : Self.certainty
    guard Double(strangeSteps * stepFrames) > certainty * sampleRate else { return }
    hasMoved = true
    strangeSteps = 0
    let before = shift
    align()
    if shift != before {
      canceller.reset()
      suppressor.doubt()
    }
  }

  /// Moves the model to the found or reported delay of the echo.
  @_noLocks
  private mutating func align() {
    var frames = leastShift
    if let foundFrames {
      frames = foundFrames - Elementary.whole(Self.foundMargin * sampleRate)
    } else if let reportedDelay {
      let longest = Double(playedMask) / 2
      frames = Elementary.whole(min((reportedDelay - Self.reportedMargin) * sampleRate, longest))
    }
    shift = max(frames, leastShift)
  }

  /// Sets what was heard beside it for a bypass, and fades where a switch was turned.
  @_noLocks
  private mutating func finish() {
    let (wet, open): (Float, Float) = (isBypassed ? 0 : 1, isMuted ? 0 : 1)
    let scale = 1 / Float(stepFrames)
    let (wetStep, openStep) = ((wet - wetGain) * scale, (open - openGain) * scale)
    for index in 0..<stepFrames {
      let late = dry[dryPlace]
      dry[dryPlace] = heard[index]
      dryPlace = dryPlace + 1 == dryCount ? 0 : dryPlace + 1
      let (wet, open) =
        (wetGain + wetStep * Float(index + 1), openGain + openStep * Float(index + 1))
      let mixed = wet == 1 ? given[index] : late + wet * (given[index] - late)
      given[index] = open == 1 ? mixed : open * mixed
    }
    (wetGain, openGain) = (wet, open)
  }
}
