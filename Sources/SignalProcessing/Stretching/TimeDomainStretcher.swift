// SPDX-License-Identifier: Apache-2.0

/// Plays planar Float32 channels at any rate from 1/32 to 32 at the same pitch, with little
/// computation: pieces of the input, joined where they are most similar.
///
/// Each piece begins where the normalized correlation with the natural continuation of the last one
/// is largest, near the nominal position. Onsets are neither repeated nor skipped, and are played
/// on time: if a piece would reach an onset too early or too late, it ends before it, and the next
/// piece begins so that the onset is on time. All channels jump together. The search is spread over
/// the previous piece, and the output depends neither on the processor nor on the sizes of the
/// slices. At a rate of 1 frames pass unchanged.
///
/// After Verhelst and Roelands, "An overlap-add technique based on waveform similarity (WSOLA) for
/// high quality time-scale modification of speech" (1993).
public struct TimeDomainStretcher: ~Copyable {
  public static var rates: ClosedRange<Float> { StretchOptions.rates }

  private let maximumFrames: Int
  private let memory = OwnedMemory()
  /// Frames of a piece without its crossfade, of the crossfade, and of the range in which the next
  /// piece may begin.
  let pieceFrames: Int
  let fadeFrames: Int
  let searchFrames: Int
  /// Frames by which an onset may be off its position if that joins better, and off its time
  /// without a correction.
  let tolerance: Int
  let slack: Int
  /// Frames of a piece before the search for the next one starts, and frames between two updates of
  /// the plan.
  let searchDelay: Int
  let decisionFrames: Int
  /// Input frames by which reading lags behind the newest frame.
  let lead: Int
  private let fade: UnsafeMutablePointer<Float>
  var input: InputHistory
  private var detector: OnsetDetector
  var onsets: OnsetList
  var motion: StretchMotion
  private var bypass: BypassPath
  var inputPosition = StretchPosition()

  /// Start of the piece in the input, frames of it rendered so far, and frames after which its
  /// crossfade begins.
  var start = 0
  var done = 0
  var end = 0
  /// Start of the next piece.
  private var next = 0
  var search: SimilaritySearch
  /// Frame of the piece at which the search started; whether it has started; and whether an onset
  /// caused it.
  var searchStart = 0
  var isPlanned = false
  var endsBeforeOnset = false
  /// Whether nothing has been rendered yet.
  private var isFresh = true

  /// Makes a stretcher. [control thread]
  ///
  /// `maximumFrames` is the maximum for one `render`.
  public init(channelCount: Int, sampleRate: Double, maximumFrames: Int) {
    self.maximumFrames = maximumFrames
    pieceFrames = Self.frames(0.045, sampleRate)
    fadeFrames = Self.frames(0.008, sampleRate)
    searchFrames = Self.frames(0.015, sampleRate)
    slack = Self.frames(0.001, sampleRate)
    tolerance = slack * 5 / 6
    searchDelay = pieceFrames / 8 * 5
    decisionFrames = max(16, pieceFrames / 256 * 16)
    lead = pieceFrames + fadeFrames + searchFrames
    let frames = Self.historyFrames(sampleRate)
    input = InputHistory(channelCount: channelCount, frames: frames, in: memory)
    search = SimilaritySearch(
      channelCount: channelCount, length: fadeFrames, historyFrames: frames, in: memory)
    detector = OnsetDetector(minimumDistance: Self.frames(0.01, sampleRate), in: memory)
    onsets = OnsetList(count: 0, in: memory)
    motion = StretchMotion(maximumFrames: maximumFrames, in: memory)
    bypass = BypassPath(sampleRate: sampleRate)
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
    // Onsets can make a piece begin up to 0.22 s behind the newest input, after a search over 17 ms
    // of output and a crossfade over 8 ms; the longest slice consumes an eighth.
    max(4096, Int(sampleRate * 1.2))
  }

  /// Bytes of memory that a stretcher uses. [any thread]
  public static func memory(channelCount: Int, sampleRate: Double) -> Int {
    4 * (2 * channelCount + 1) * InputHistory.capacity(historyFrames(sampleRate))
  }

  /// Clears the signal history. [render thread]
  @_noLocks
  public mutating func reset() {
    input.reset()
    search.reset()
    detector.reset()
    onsets.reset()
    motion.reset()
    bypass.reset()
    inputPosition = StretchPosition()
    (start, done, end) = (-lead, 0, pieceFrames)
    (isPlanned, endsBeforeOnset, isFresh) = (false, false, true)
  }

  /// Approximate latency in output frames at a constant rate; pieces make it vary. [any thread]
  @_noLocks
  public borrowing func latency(rate: Float) -> Double { Double(lead) / Double(rate) }

  /// Input frames that were consumed but not output yet. [render thread]
  public var pendingFrames: Double {
    @_noLocks get { Double(lead) + Double(input.end) - inputPosition.value }
  }

  /// Maximum frames of one render, limited by the length of the input history. [render thread]
  @_noLocks
  public borrowing func longestSlice(rate: Float, slope: Float) -> Int {
    let room = Double(maximumInputFrames)
    let last = rate + slope * Float(maximumFrames)
    return max(1, Int(room / Double(max(max(rate, min(last, 32)), 1 / 32))))
  }

  /// Maximum input frames that one call consumes.
  private var maximumInputFrames: Int { @_noLocks get { input.capacity / 8 } }

  /// How far behind the input a piece may begin when the plan is updated, so that its input lasts
  /// until the next update and through the crossfade after that, at any rate.
  var reach: Int {
    @_noLocks get {
      let highest = Int(StretchOptions.rates.upperBound)
      return input.capacity - maximumInputFrames - highest * (decisionFrames + fadeFrames)
    }
  }

  /// Sets the rate of the next `frames` outputs, which is linear, and returns how many input frames
  /// must be consumed before they can be rendered. [render thread]
  @_noLocks
  public mutating func prepare(_ frames: Int, rate: Float, slope: Float) -> Int {
    motion.set(frames, rate: rate, rateSlope: slope, cents: 0, centsSlope: 0)
    return max(0, motion.advanced(inputPosition, from: 0, count: frames).whole - input.end)
  }

  /// Consumes input frames. [render thread]
  @_noLocks
  public mutating func consume(_ samples: UnsafePointer<UnsafePointer<Float>>, frames: Int) {
    input.append(samples, frames: frames)
    search.update(input)
    while detector.end + OnsetDetector.blockFrames <= input.end {
      if let onset = detector.examineNextBlock(input) {
        onsets.add(onset, detectedAt: detector.end)
      }
    }
  }

  /// Renders the frames that were set in `prepare`, starting at frame `offset` of the output. If it
  /// is bypassed, at a rate of 1, it outputs its input unchanged. [render thread]
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
        // The plan is updated at fixed frames of a piece, whatever the sizes of the slices.
        if done % decisionFrames == 0 { updatePlan(frame) }
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
          (start, done, end) = (next + fadeFrames, 0, pieceFrames)
          (isPlanned, endsBeforeOnset) = (false, false)
        }
      }
      frame += count
    }
    bypass.mix(
      input, isBypassed, end: inputPosition.whole, delay: lead, into: target, offset: offset,
      frames: frames)
  }

  /// Places the first piece so that the input begins to sound after the latency.
  @_noLocks
  private mutating func begin() {
    isFresh = false
    let rate = motion.rate(at: 0)
    if rate > 1 { start = -Int(Elementary.floor(Double(lead) / rate + 0.5)) }
  }

  @_noLocks
  private mutating func advance(_ count: Int, _ frame: Int) {
    inputPosition = motion.advanced(inputPosition, from: frame, count: count)
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
