// SPDX-License-Identifier: Apache-2.0

/// Plays planar Float32 channels at any rate from 1/32 to 32 at the same pitch, with little work: pieces of
/// the input, joined where they are most alike.
///
/// Each piece begins where the normalised correlation with the natural continuation of the last one is
/// largest, near the line of the rate. A hit is neither repeated nor left out, and is played when it is due: where
/// the piece would reach it too early or too late, it ends before it, and the next one begins so that
/// the hit is in time. All channels jump alike. The search is spread over the piece before, and what comes
/// out depends neither on the processor nor on how it is cut into calls. At a rate of 1 frames pass as they
/// are.
///
/// After Verhelst and Roelands, "An overlap-add technique based on waveform similarity (WSOLA) for high
/// quality time-scale modification of speech" (1993).
public struct TimeDomainStretcher: ~Copyable {
  public static var rates: ClosedRange<Float> { StretchOptions.rates }

  private let maximumFrames: Int
  private let memory = OwnedMemory()
  /// Frames of a piece without its fade, of the fade, and among which the next piece may begin.
  let piece: Int
  let fadeFrames: Int
  let seek: Int
  /// By how much a hit may be out of its place where that joins better, and where nothing is done about it.
  let tolerance: Int
  let slack: Int
  /// How much of a piece is made before the next one is looked for, and between two looks at what is known.
  let planning: Int
  let decisionFrames: Int
  /// By how many input frames reading lags behind the newest.
  let lead: Int
  private let fade: UnsafeMutablePointer<Float>
  var input: InputHistory
  private var detector: OnsetDetector
  var onsets: OnsetList
  var motion: StretchMotion
  private var unprocessed: UnprocessedPath
  var place = StretchPlace()

  /// Where the piece begins in the input, how many of its frames were made, and after how many it fades.
  var start = 0
  var done = 0
  var end = 0
  /// Where the next piece begins.
  private var next = 0
  var search: PieceSearch
  /// After how many frames of the piece the search began; whether it did, and did for the sake of a hit.
  var searchStart = 0
  var isPlanned = false
  var isCut = false
  /// Whether nothing was made yet.
  private var isFresh = true

  /// Makes one. [control thread]
  ///
  /// `maximumFrames` is the most that one `render` makes.
  public init(channelCount: Int, sampleRate: Double, maximumFrames: Int) {
    self.maximumFrames = maximumFrames
    piece = Self.frames(0.045, sampleRate)
    fadeFrames = Self.frames(0.008, sampleRate)
    seek = Self.frames(0.015, sampleRate)
    slack = Self.frames(0.001, sampleRate)
    tolerance = slack * 5 / 6
    planning = piece / 8 * 5
    decisionFrames = max(16, piece / 256 * 16)
    lead = piece + fadeFrames + seek
    let frames = Self.historyFrames(sampleRate)
    input = InputHistory(channelCount: channelCount, frames: frames, in: memory)
    search = PieceSearch(
      channelCount: channelCount, length: fadeFrames, historyFrames: frames, in: memory)
    detector = OnsetDetector(minimumDistance: Self.frames(0.01, sampleRate), in: memory)
    onsets = OnsetList(count: 0, in: memory)
    motion = StretchMotion(maximumFrames: maximumFrames, in: memory)
    unprocessed = UnprocessedPath(delay: lead, sampleRate: sampleRate)
    fade = memory.array(fadeFrames, of: 0)
    for frame in 0..<fadeFrames {
      let turns = (Double(frame) + 0.5) / Double(2 * fadeFrames)
      fade[frame] = Float(0.5 - 0.5 * SteppedTransform.cosine(turns: turns))
    }
    reset()
  }

  deinit { memory.deallocate() }

  private static func frames(_ seconds: Double, _ sampleRate: Double) -> Int {
    max(16, Int(sampleRate * seconds) / 16 * 16)
  }

  private static func historyFrames(_ sampleRate: Double) -> Int {
    // A piece begins up to 0.22 s behind the newest input, as hits demand, after a search over 17 ms of
    // output and a fade over 8 ms; the longest slice takes an eighth.
    max(4096, Int(sampleRate * 1.2))
  }

  /// Bytes that one takes. [any thread]
  public static func memory(channelCount: Int, sampleRate: Double) -> Int {
    4 * (2 * channelCount + 1) * InputHistory.capacity(historyFrames(sampleRate))
  }

  /// Forgets the signal. [render thread]
  @_noLocks
  public mutating func reset() {
    input.reset()
    search.reset()
    detector.reset()
    onsets.reset()
    motion.hold()
    unprocessed.reset()
    place = StretchPlace()
    (start, done, end) = (-lead, 0, piece)
    (isPlanned, isCut, isFresh) = (false, false, true)
  }

  /// Frames of the output by which it lags at a rate that stands still, as closely as pieces allow.
  /// [any thread]
  @_noLocks
  public borrowing func latency(rate: Float) -> Double { Double(lead) / Double(rate) }

  /// Input frames that were taken and not heard yet. [render thread]
  public var pendingFrames: Double {
    @_noLocks get { Double(lead) + Double(input.end) - place.value }
  }

  /// The most frames that can be rendered at once, as the input that is kept allows. [render thread]
  @_noLocks
  public borrowing func longestSlice(rate: Float, slope: Float) -> Int {
    let room = Double(longestTake)
    let last = rate + slope * Float(maximumFrames)
    return max(1, Int(room / Double(max(max(rate, min(last, 32)), 1 / 32))))
  }

  /// The most input that is taken at once.
  private var longestTake: Int { @_noLocks get { input.capacity / 8 } }

  /// How far behind the input a piece may begin when it is looked at: it is kept until the next look and
  /// through the fade after that, whatever becomes of the rate.
  var reach: Int {
    @_noLocks get {
      let highest = Int(StretchOptions.rates.upperBound)
      return input.capacity - longestTake - highest * (decisionFrames + fadeFrames)
    }
  }

  /// Sets the rate of the next `frames` outputs, in a straight line, and returns how many input frames must
  /// be taken before they can be rendered. [render thread]
  @_noLocks
  public mutating func prepare(_ frames: Int, rate: Float, slope: Float) -> Int {
    motion.set(frames, rate: rate, rateSlope: slope, cents: 0, centsSlope: 0)
    return max(0, motion.moved(place, from: 0, count: frames).whole - input.end)
  }

  /// Consumes input frames. [render thread]
  @_noLocks
  public mutating func consume(_ samples: UnsafePointer<UnsafePointer<Float>>, frames: Int) {
    input.append(samples, frames: frames)
    search.update(input)
    while detector.end + OnsetDetector.blockFrames <= input.end {
      if let onset = detector.next(input) { onsets.add(onset, known: detector.end) }
    }
  }

  /// Makes the frames that `prepare` was told, from frame `offset` of the output on. Bypassed, at a rate of
  /// 1, it gives its input as it is. [render thread]
  @_noLocks
  public mutating func render(
    to target: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, frames: Int,
    isBypassed: Bool = false
  ) {
    if isFresh, frames > 0 { begin() }
    var frame = 0
    while frame < frames {
      var count = frames - frame
      if done < end {
        // What is known is looked at after so many frames of a piece, however it is cut into calls.
        if done % decisionFrames == 0 { decide(frame) }
        count = min(count, min(decisionFrames - done % decisionFrames, end - done))
        for channel in 0..<input.channelCount {
          Samples.copy(
            input.at(start + done, channel), to: target[channel] + (offset + frame),
            count: count)
        }
        advance(count, frame)
        if isPlanned { search.advance(done - searchStart, of: end - searchStart) }
        if done == end { next = search.finish(input) }
      } else {
        count = min(count, end + fadeFrames - done)
        crossfade(target, offset + frame, count)
        advance(count, frame)
        if done == end + fadeFrames {
          (start, done, end) = (next + fadeFrames, 0, piece)
          (isPlanned, isCut) = (false, false)
        }
      }
      frame += count
    }
    unprocessed.mix(
      input, isBypassed, end: place.whole, into: target, offset: offset, frames: frames)
  }

  /// Lays the first piece so that the input begins when the latency says, where it begins in it.
  @_noLocks
  private mutating func begin() {
    isFresh = false
    let rate = motion.rate(at: 0)
    if rate > 1 { start = -Int(Elementary.floor(Double(lead) / rate + 0.5)) }
  }

  @_noLocks
  private mutating func advance(_ count: Int, _ frame: Int) {
    place = motion.moved(place, from: frame, count: count)
    done += count
  }

  @_noLocks
  private func crossfade(
    _ target: UnsafePointer<UnsafeMutablePointer<Float>>, _ offset: Int, _ count: Int
  ) {
    let faded = done - end
    for channel in 0..<input.channelCount {
      let old = input.at(start + done, channel)
      let new = input.at(next + faded, channel)
      let samples = target[channel] + offset
      for index in 0..<count {
        samples[index] = old[index] + fade[faded + index] * (new[index] - old[index])
      }
    }
  }
}
