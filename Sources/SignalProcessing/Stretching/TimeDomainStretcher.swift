// SPDX-License-Identifier: Apache-2.0

/// Plays planar Float32 channels at any rate from 1/32 to 32 at the same pitch, with little work: pieces of
/// the input, joined where they are most alike.
///
/// Each piece begins where the normalised correlation with the natural continuation of the last one is
/// largest, near the line of the rate. A hit is neither repeated nor left out: reading jumps before or
/// behind it, or goes on until it is past; as far as it is known in time, a piece
/// begins so that it is played when it is due. All channels jump alike. The search is spread over the piece before,
/// and what comes out does not depend on how it is cut into calls, nor on the processor. At a rate of 1
/// frames pass as they are.
///
/// After Verhelst and Roelands, "An overlap-add technique based on waveform similarity (WSOLA) for high
/// quality time-scale modification of speech" (1993).
public struct TimeDomainStretcher: ~Copyable {
  public static var rates: ClosedRange<Float> { StretchOptions.rates }

  private let maximumFrames: Int
  private let memory = OwnedMemory()
  /// Frames of a piece without its fade, of the fade, and among which the next piece may begin.
  private let piece: Int
  private let fadeFrames: Int
  private let seek: Int
  /// By how much a hit may be out of its place where that joins better.
  private let tolerance: Int
  /// How much of a piece is made before the next one is looked for.
  private let planning: Int
  /// By how many input frames reading lags behind the newest.
  private let lead: Int
  private let fade: UnsafeMutablePointer<Float>
  private let sums: UnsafeMutablePointer<Float>
  private var input: InputHistory
  private var mix: InputHistory
  private var detector: OnsetDetector
  private var onsets: OnsetList
  private var motion: StretchMotion
  private var unprocessed: UnprocessedPath
  private var place = StretchPlace()

  /// Where the piece begins in the input, and how many of its frames were made.
  private var start = 0
  private var done = 0
  /// Where the next piece may begin first, where it does, and how far the search is: none before it began.
  private var candidate = 0
  private var next = 0
  private var searchStart = 0
  private var lag: Int?
  private var best = 0
  private var likeness: Float = 0
  private var energy = 0.0
  /// Whether the piece before began without a jump, for the sake of a hit.
  private var wentOn = false
  /// Lags at which no hit is repeated or left out.
  private var freeLags = 0..<0
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
    tolerance = Self.frames(0.0005, sampleRate)
    planning = piece / 8 * 5
    lead = piece + fadeFrames + seek
    let frames = Self.historyFrames(sampleRate)
    input = InputHistory(channelCount: channelCount, frames: frames, in: memory)
    mix = InputHistory(channelCount: 1, frames: frames, in: memory)
    detector = OnsetDetector(minimumDistance: Self.frames(0.01, sampleRate), in: memory)
    onsets = OnsetList(count: 0, in: memory)
    motion = StretchMotion(maximumFrames: maximumFrames, in: memory)
    unprocessed = UnprocessedPath(delay: lead, sampleRate: sampleRate)
    sums = memory.array(8, of: 0)
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
    max(4096, Int(sampleRate * 0.5))
  }

  /// Bytes that one takes. [any thread]
  public static func memory(channelCount: Int, sampleRate: Double) -> Int {
    8 * (channelCount + 1) * InputHistory.capacity(historyFrames(sampleRate))
  }

  /// Forgets the signal. [render thread]
  @_noLocks
  public mutating func reset() {
    input.reset()
    mix.reset()
    detector.reset()
    onsets.reset()
    motion.hold()
    unprocessed.reset()
    place = StretchPlace()
    (start, done, lag, wentOn, isFresh) = (-lead, 0, nil, false, true)
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
    let room = Double(input.capacity / 4)
    let last = rate + slope * Float(maximumFrames)
    return max(1, Int(room / Double(max(max(rate, min(last, 32)), 1 / 32))))
  }

  /// Sets the rate of the next `frames` outputs, in a straight line, and returns how many input frames must
  /// be taken before they can be rendered. [render thread]
  @_noLocks
  public mutating func prepare(_ frames: Int, rate: Float, slope: Float) -> Int {
    motion.set(frames, rate: rate, rateSlope: slope, cents: 0, centsSlope: 0)
    return max(0, motion.moved(place, from: 0, count: frames).whole - input.end)
  }

  /// Takes input frames. [render thread]
  @_noLocks
  public mutating func take(_ samples: UnsafePointer<UnsafePointer<Float>>, frames: Int) {
    input.take(samples, frames: frames)
    mix.takeMix(of: input, frames: frames)
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
      var count = min(frames - frame, 64)
      if done < piece {
        count = min(count, piece - done)
        if lag == nil {
          // Until the candidates have arrived; when that is does not depend on calls.
          if canPlan(frame) { plan(frame) } else { count = max(1, min(count, planning - done)) }
        }
        for channel in 0..<input.channelCount {
          Samples.copy(
            input.at(start + done, channel), to: target[channel] + (offset + frame),
            count: count)
        }
        advance(count, frame)
        search()
        if done == piece { choose() }
      } else {
        count = min(count, piece + fadeFrames - done)
        crossfade(target, offset + frame, count)
        advance(count, frame)
        if done == piece + fadeFrames { (start, done, lag) = (next + fadeFrames, 0, nil) }
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
    let faded = done - piece
    for channel in 0..<input.channelCount {
      let old = input.at(start + done, channel)
      let new = input.at(next + faded, channel)
      let samples = target[channel] + offset
      for index in 0..<count {
        samples[index] = old[index] + fade[faded + index] * (new[index] - old[index])
      }
    }
  }

  // MARK: Where the next piece begins

  @_noLocks
  private func canPlan(_ frame: Int) -> Bool {
    // The later, the more hits are known; what is left is enough to search at an even pace.
    guard done >= planning else { return false }
    let rate = motion.rate(at: frame)
    let ahead = rate * Double(piece - done) + offset(rate)
    return ahead <= Double(piece + seek / 2) || done == piece - 1
  }

  /// How far from the line of the rate a piece begins, so that its middle is there.
  @_noLocks
  private func offset(_ rate: Double) -> Double {
    let ideal = (rate - 1) * Double(piece + fadeFrames) / 2
    return min(max(ideal, Double(-piece) / 3), Double(piece) / 3)
  }

  /// Lays the candidates around the line of the rate, where the fade will be; before a hit that is due in the
  /// piece so that it is played when it is due.
  @_noLocks
  private mutating func plan(_ frame: Int) {
    let known = place.whole
    let rate = motion.rate(at: frame)
    let line = place.value - Double(lead) + rate * Double(piece - done)
    (searchStart, lag, likeness, energy) = (done, 0, 0, 0)
    onsets.removeFirst(passed(known))
    let place = hitPlace(known, line, rate)
    candidate = Int(Elementary.floor((place ?? line + offset(rate)) + 0.5)) - seek / 2
    candidate = min(candidate, known - fadeFrames - seek - 8)
    candidate = max(candidate, known - input.capacity / 2)
    best = seek / 2
    let samples = mix.at(candidate, 0)
    for index in 0..<fadeFrames { energy += Double(samples[index] * samples[index]) }
    keepHits(known, isPlaced: place != nil)
  }

  /// How many hits lie so far back that nothing would repeat them.
  @_noLocks
  private func passed(_ known: Int) -> Int {
    var count = 0
    for index in 0..<onsets.count(known: known) where onsets[index].place < start + piece - lead {
      count += 1
    }
    return count
  }

  /// Where the next piece begins so that the first hit that has not been played is when it is due; nil where
  /// none is due in that piece, nor would be reached by it too early.
  @_noLocks
  private func hitPlace(_ known: Int, _ line: Double, _ rate: Double) -> Double? {
    let natural = start + piece
    for index in 0..<onsets.count(known: known) {
      let hit = onsets[index].place
      guard hit > natural else { continue }
      // Output frames from the beginning of the fade on.
      let due = (Double(hit) - line) / rate
      let length = Double(piece + 2 * fadeFrames)
      if due > length {
        return min(line + offset(rate), Double(hit - 16 - tolerance) - length)
      }
      return Double(hit) - max(due, Double(fadeFrames + 8))
    }
    return nil
  }

  /// Finds the lags at which no hit is played twice, or not at all; near the middle where a hit decides the
  /// place.
  @_noLocks
  private mutating func keepHits(_ known: Int, isPlaced: Bool) {
    let natural = start + piece
    var (low, high) = isPlaced ? (seek / 2 - tolerance, seek / 2 + tolerance + 1) : (0, seek)
    for index in 0..<onsets.count(known: known) {
      let hit = onsets[index].place
      if hit + 8 < natural {
        low = max(low, hit + 8 - candidate)
      } else if hit - 8 > natural + fadeFrames {
        high = min(high, hit - 8 - fadeFrames - candidate)
      } else {
        (low, high) = (0, 0)
        break
      }
    }
    freeLags = low < high ? low..<high : 0..<0
    if freeLags.contains(seek / 2) { return }
    best = freeLags.isEmpty ? seek / 2 : min(max(seek / 2, low), high - 1)
  }

  /// Tries as many lags as are due by now.
  @_noLocks
  private mutating func search() {
    guard var lag else { return }
    let span = max(1, piece - searchStart)
    let due = done >= piece ? seek : seek * (done - searchStart) / span
    let from = mix.at(start + piece, 0)
    while lag < due {
      let to = mix.at(candidate + lag, 0)
      StretchKernel.correlate(sums, from, to, count: fadeFrames)
      for index in 0..<8 {
        // A mild preference for the line of the rate.
        let away = Float(lag + index - seek / 2) * (2 / Float(seek))
        let likeness =
          sums[index] / Math.squareRoot(Float(energy + 1e-9)) * (1 - 0.1 * away * away)
        if likeness > self.likeness, freeLags.isEmpty || freeLags.contains(lag + index) {
          (self.likeness, best) = (likeness, lag + index)
        }
        let (gone, come) = (Double(to[index]), Double(to[index + fadeFrames]))
        energy = max(0, energy + come * come - gone * gone)
      }
      lag += 8
    }
    self.lag = lag
  }

  /// Decides where the next piece begins: where it is most alike, or, where every jump would repeat or leave
  /// out a hit, without a jump as long as the input allows.
  @_noLocks
  private mutating func choose() {
    next = candidate + best
    let mayGoOn = freeLags.isEmpty && !wentOn
    wentOn = false
    guard mayGoOn else { return }
    let natural = start + piece
    let line = place.whole - lead
    if natural - line < lead - piece / 2, line - natural < input.capacity / 8 {
      (next, wentOn) = (natural, true)
    }
  }
}
