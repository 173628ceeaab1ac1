// SPDX-License-Identifier: Apache-2.0

/// Plays planar Float32 channels at any rate from 1/32 to 32 and at any pitch from two octaves below to two
/// above, both changing from frame to frame.
///
/// A phase vocoder without unwrapped phases: each frame is turned so that it continues the last
/// output. The turn of a region around a peak is the phase between the last output's spectrum and
/// that of the input one hop before the new frame, summed over all channels, so that what lies
/// between channels stays; a steady sine is exact at any rate, and the place where frames are read
/// may jump. So hits are read at rate 1, in place: what lies before them is turned, and the rest
/// copied, but for tones that continue, which are turned too (`SteadyTones`). Pitch is the output
/// resampled.
///
/// The work of a frame is spread over the calls of its hop. The output depends neither on the size
/// of the calls nor on the processor. Equal channels stay equal to the bit.
///
/// After Laroche and Dolson, "Improved phase vocoder time-scale modification of audio" (1999), for the regions
/// of peaks.
public struct SpectralStretcher: ~Copyable {
  /// The rates, and the pitches in cents, that are possible.
  public static var rates: ClosedRange<Float> { StretchOptions.rates }
  public static var pitches: ClosedRange<Float> { StretchOptions.pitches }

  let channelCount: Int
  /// Samples of a frame, numbers of its spectrum, and frames between most of them.
  let size: Int
  let count: Int
  let hop: Int
  /// By how many input frames reading lags behind the newest.
  let lead: Int
  let maximumFrames: Int
  let memory = OwnedMemory()
  let transform: SteppedTransform
  let smallTransform: SteppedTransform
  var input: InputHistory
  var detector: OnsetDetector
  let modes: FrameModes
  var onsets: OnsetList

  /// The frame under way: its spectrum, that of the input one hop earlier, what of it lies before an onset,
  /// and the last output.
  let frame: StretchSpectra
  let earlier: StretchSpectra
  let before: StretchSpectra
  let output: StretchSpectra
  /// How each bin is turned; power and products that this follows from, and the peaks.
  let turn: StretchSpectrum
  let power: UnsafeMutablePointer<Float>
  let products: StretchSpectrum
  let peaks: UnsafeMutablePointer<Int32>
  var peakCount = 0
  var regionEnd = 0
  /// The window up to an onset, and what classifying onsets takes.
  let cutWindow: UnsafeMutablePointer<Float>
  let powers: UnsafeMutablePointer<Float>
  var tones: SteadyTones
  var envelope: SpectralEnvelope
  var work = FrameWork()

  /// Sums of frames: for each channel what is heard next comes first.
  let sums: UnsafeMutablePointer<Float>
  let sumStride: Int
  /// What the windows of those frames add up to, where modes change; for how many more frames.
  let weights: UnsafeMutablePointer<Float>
  var mixedFrames = 0
  var reader: StretchReader

  /// Where the input is by the rates of all frames so far.
  var place = StretchPlace()
  /// The first output frame of the next hop in work, counted in frames before the pitch is moved.
  var time = 0
  var readPlace = 0
  var lastNominal = 0.0
  var isFirst = true
  var mode = FrameMode.usual
  public var options = StretchOptions()

  var unprocessed: UnprocessedPath
  /// The rates and pitches of the slice that comes.
  var motion: StretchMotion

  /// Makes one. [control thread]
  ///
  /// `maximumFrames` is the most that one `render` makes.
  public init(channelCount: Int, sampleRate: Double, maximumFrames: Int) {
    self.channelCount = channelCount
    self.maximumFrames = maximumFrames
    size = Self.size(sampleRate)
    count = size / 2
    hop = size / 4
    lead = size / 2 + size / 4
    transform = SteppedTransform(size: size, in: memory)
    smallTransform = SteppedTransform(size: max(size / 8, 128), in: memory)
    input = InputHistory(
      channelCount: channelCount, frames: Self.historyFrames(size), in: memory)
    detector = OnsetDetector(minimumDistance: hop, in: memory)
    modes = FrameModes(size: size, in: memory)
    onsets = OnsetList(count: count, in: memory)
    frame = StretchSpectra(channelCount: channelCount, count: count, in: memory)
    earlier = StretchSpectra(channelCount: channelCount, count: count, in: memory)
    before = StretchSpectra(channelCount: channelCount, count: count, in: memory)
    output = StretchSpectra(channelCount: channelCount, count: count, in: memory)
    turn = StretchSpectra(channelCount: 1, count: count, in: memory)[0]
    products = StretchSpectra(channelCount: 1, count: count, in: memory)[0]
    power = memory.array(count + 16, of: 0)
    peaks = memory.array(count + 16, of: 0)
    cutWindow = memory.array(size, of: 0)
    // Powers before and after, a short spectrum, and its window.
    let small = smallTransform.size
    powers = memory.array(4 * small + 64, of: 0)
    for frame in 0..<small {
      let hann = 0.5 - 0.5 * SteppedTransform.cosine(turns: Double(frame) / Double(small))
      powers[3 * small + frame % 2 * (small / 2) + frame / 2] = Float(hann)
    }
    tones = SteadyTones(channelCount: channelCount, size: size, in: memory)
    envelope = SpectralEnvelope(count: count, sampleRate: sampleRate, in: memory)
    sumStride = 2 * size
    sums = memory.array(channelCount * sumStride, of: 0)
    weights = memory.array(sumStride, of: 0)
    reader = StretchReader(channelCount: channelCount, hop: hop, in: memory)
    motion = StretchMotion(maximumFrames: maximumFrames, in: memory)
    unprocessed = UnprocessedPath(
      delay: lead + size / 2 + hop + StretchReader.delay, sampleRate: sampleRate)
    reset()
  }

  deinit { memory.deallocate() }

  /// A frame lasts about 85 ms at any sample rate.
  private static func size(_ sampleRate: Double) -> Int {
    var size = 1024
    while Double(size) * 1.4 < sampleRate * 4096 / 48_000, size < 65_536 { size *= 2 }
    return size
  }

  private static func historyFrames(_ size: Int) -> Int { 8 * size }

  /// Bytes that one takes. [any thread]
  public static func memory(channelCount: Int, sampleRate: Double) -> Int {
    let size = size(sampleRate)
    let history = InputHistory.capacity(historyFrames(size))
    return 4 * channelCount * (2 * history + 10 * size) + 200 * size
  }

  /// Forgets the signal. [render thread]
  @_noLocks
  public mutating func reset() {
    input.reset()
    detector.reset()
    onsets.reset()
    output.clear()
    for bin in 0..<count { (turn.real[bin], turn.imaginary[bin]) = (1, 0) }
    Samples.clear(power, count: count + 16)
    peakCount = 0
    Samples.clear(sums, count: channelCount * sumStride)
    mixedFrames = 0
    reader.reset()
    motion.hold()
    unprocessed.reset()
    place = StretchPlace()
    (time, readPlace, lastNominal, isFirst) = (0, 0, 0, true)
    work = FrameWork()
    mode = FrameMode(options)
  }

  // MARK: Time

  /// Frames of the output by which it lags at a rate and pitch that stand still. [any thread]
  @_noLocks
  public borrowing func latency(rate: Float, cents: Float) -> Double {
    let pitch = Elementary.exp2(Double(cents) / 1200)
    return Double(lead) / Double(rate) + Double(size / 2 + hop + StretchReader.delay) / pitch
  }

  /// Input frames that were taken and not heard yet, at a rate and pitch. [render thread]
  @_noLocks
  public borrowing func pendingFrames(rate: Float, cents: Float) -> Double {
    latency(rate: rate, cents: cents) * Double(rate) + Double(input.end) - place.value
  }

  /// The most frames that can be rendered at once, as the input that is kept allows. [render thread]
  @_noLocks
  public borrowing func longestSlice(rate: Float, slope: Float) -> Int {
    let room = Double(2 * size)
    let last = rate + slope * Float(maximumFrames)
    return max(1, Int(room / Double(max(max(rate, min(last, 32)), 1 / 32))))
  }

  /// Sets rate and pitch of the next `frames` outputs, both in straight lines, and returns how many input
  /// frames must be taken before they can be rendered. [render thread]
  @_noLocks
  public mutating func prepare(
    _ frames: Int, rate: Float, rateSlope: Float, cents: Float, centsSlope: Float
  ) -> Int {
    motion.set(
      frames, rate: rate, rateSlope: rateSlope, cents: cents, centsSlope: centsSlope)
    return max(0, motion.moved(place, from: 0, count: frames).whole - input.end)
  }

  /// Consumes input frames, as many as `prepare` asks for. [render thread]
  @_noLocks
  public mutating func consume(_ samples: UnsafePointer<UnsafePointer<Float>>, frames: Int) {
    // What the frame under way still reads is read before it is overwritten.
    if input.end + frames - input.capacity > readPlace - size / 2 - size / 4 { runReading() }
    input.append(samples, frames: frames)
    while detector.end + OnsetDetector.blockFrames <= input.end {
      if let onset = detector.next(input) { onsets.add(onset, known: detector.end) }
    }
  }

  /// Makes the frames that `prepare` was told, from frame `offset` of the output on. Bypassed, at a rate of
  /// 1 and no pitch, it gives its input as it is. [render thread]
  @_noLocks
  public mutating func render(
    to target: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, frames: Int,
    isBypassed: Bool = false
  ) {
    var done = 0
    while done < frames {
      let ready = reader.framesReady(motion, from: done, to: frames)
      if ready > 0 {
        reader.read(motion, from: done, count: ready, to: target, offset: offset + done)
        place = motion.moved(place, from: done, count: ready)
        done += ready
        runWork(upTo: reader.progress(hop: mode.hop(size)))
      } else {
        finishHop(rate: motion.rate(at: done), pitch: motion.pitch(at: done))
      }
    }
    unprocessed.mix(
      input, isBypassed, end: place.whole, into: target, offset: offset, frames: frames)
  }

  /// Ends the hop: what it made can be heard, and the next frame is planned.
  @_noLocks
  private mutating func finishHop(rate: Double, pitch: Double) {
    runWork(upTo: 1)
    changeMode()
    deliver(mode.hop(size))
    plan(rate: rate, pitch: pitch)
  }
}
