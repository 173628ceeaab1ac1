// SPDX-License-Identifier: Apache-2.0

/// Plays planar Float32 channels at any rate from 1/32 to 32 and at any pitch within two octaves
/// down and up; both may change from frame to frame.
///
/// A phase vocoder without phase unwrapping: each frame's phases are rotated so that it continues
/// the previous output. The rotation of a region around a peak is the phase between the previous
/// output's spectrum and that of the input one hop before the new frame, summed over all channels,
/// so that their phase relations stay. A steady sine is exact at any rate, and the read position
/// may jump. So onsets are read at rate 1: the signal before them is rotated, and the rest copied,
/// except for tones that continue, which are rotated too (`SteadyTones`). At rates above 1.5 the
/// beginning of each onset is copied to the output (`OnsetCopies`). The pitch is shifted by
/// resampling the output.
///
/// The work of a frame is spread over the calls of its hop. The output depends neither on the sizes
/// of the slices nor on the processor. Equal channels stay equal to the bit.
///
/// The regions around peaks are those of Laroche and Dolson, "Improved phase vocoder time-scale
/// modification of audio" (1999).
public struct SpectralStretcher: ~Copyable {
  /// The ranges of rates, and of pitches in cents.
  public static var rates: ClosedRange<Float> { StretchOptions.rates }
  public static var pitches: ClosedRange<Float> { StretchOptions.pitches }

  let channelCount: Int
  /// Samples of a transform, and bins of its spectrum.
  let size: Int
  let count: Int
  let maximumFrames: Int
  let memory = OwnedMemory()
  let transform: SteppedTransform
  let smallTransform: SteppedTransform
  var input: InputHistory
  var detector: OnsetDetector
  let modes: FrameModes
  var onsets: OnsetList
  var copies: OnsetCopies

  /// Spectra of the current frame, of the input one hop earlier, of the part before an onset, and
  /// of the last output.
  let frame: StretchSpectra
  let earlier: StretchSpectra
  let before: StretchSpectra
  let output: StretchSpectra
  /// The phase rotation of each bin; the power and products from which it is computed; and the
  /// peaks.
  let rotation: Spectrum
  let power: UnsafeMutablePointer<Float>
  let products: Spectrum
  let peaks: UnsafeMutablePointer<Int32>
  var peakCount = 0
  var regionEnd = 0
  /// The window up to an onset, and memory for measuring power around onsets.
  let onsetWindow: UnsafeMutablePointer<Float>
  let powers: UnsafeMutablePointer<Float>
  var tones: SteadyTones
  var envelope: SpectralEnvelope
  var work = FrameSchedule()
  /// Output frames during which the frame is computed.
  private var workFrames = 1

  /// Overlap-add buffers; each channel's has room for the part of a frame that is not output, then
  /// begins with its next output frame.
  let sums: UnsafeMutablePointer<Float>
  let sumStride: Int
  /// The sum of the windows of those frames after a change of mode, and the frames for which it is
  /// needed.
  let weights: UnsafeMutablePointer<Float>
  var mixedFrames = 0
  var resampler: PitchResampler

  /// The input position from the rates of all frames so far.
  var inputPosition = StretchPosition()
  /// First output frame of the next hop, in frames before the pitch shift.
  var time = 0
  var readPosition = 0
  var lastNominal = 0.0
  var isFirst = true
  /// The modes of the next frame and of the last one.
  var mode = FrameMode.usual
  var lastMode = FrameMode.usual
  public var options = StretchOptions()

  var bypass: BypassPath
  /// The rates and pitches of the next slice.
  var motion: StretchMotion

  /// Makes a stretcher. [control thread]
  ///
  /// `maximumFrames` is the maximum for one `render`.
  public init(channelCount: Int, sampleRate: Double, maximumFrames: Int) {
    self.channelCount = channelCount
    self.maximumFrames = maximumFrames
    size = Self.size(sampleRate)
    count = size / 2
    transform = SteppedTransform(size: size, in: memory)
    smallTransform = SteppedTransform(size: max(size / 8, 128), in: memory)
    input = InputHistory(
      channelCount: channelCount, frames: Self.historyFrames(size), in: memory)
    detector = OnsetDetector(minimumDistance: size / 4, in: memory)
    modes = FrameModes(size: size, in: memory)
    onsets = OnsetList(count: count, in: memory)
    copies = OnsetCopies(size: size, in: memory)
    frame = StretchSpectra(channelCount: channelCount, count: count, in: memory)
    earlier = StretchSpectra(channelCount: channelCount, count: count, in: memory)
    before = StretchSpectra(channelCount: channelCount, count: count, in: memory)
    output = StretchSpectra(channelCount: channelCount, count: count, in: memory)
    rotation = StretchSpectra(channelCount: 1, count: count, in: memory)[0]
    products = StretchSpectra(channelCount: 1, count: count, in: memory)[0]
    power = memory.array(count + 16, of: 0)
    peaks = memory.array(count + 16, of: 0)
    onsetWindow = memory.array(size, of: 0)
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
    resampler = PitchResampler(channelCount: channelCount, hop: size / 4, in: memory)
    motion = StretchMotion(maximumFrames: maximumFrames, in: memory)
    bypass = BypassPath(sampleRate: sampleRate)
    reset()
  }

  deinit { memory.deallocate() }

  /// A frame lasts about 85 ms at any sample rate.
  private static func size(_ sampleRate: Double) -> Int {
    var size = 1024
    while Double(size) * 1.4 < sampleRate * 4096 / 48_000, size < 65_536 { size *= 2 }
    return size
  }

  private static func historyFrames(_ size: Int) -> Int { 16 * size }

  /// Bytes of memory that a stretcher uses. [any thread]
  public static func memory(channelCount: Int, sampleRate: Double) -> Int {
    let size = size(sampleRate)
    let history = InputHistory.capacity(historyFrames(size))
    return 4 * channelCount * (2 * history + 10 * size) + 200 * size
  }

  /// Clears the signal history. [render thread]
  @_noLocks
  public mutating func reset() {
    input.reset()
    detector.reset()
    onsets.reset()
    copies.reset()
    output.clear()
    for bin in 0..<count { (rotation.real[bin], rotation.imaginary[bin]) = (1, 0) }
    Samples.clear(power, count: count + 16)
    peakCount = 0
    Samples.clear(sums, count: channelCount * sumStride)
    mixedFrames = 0
    resampler.reset()
    motion.reset()
    bypass.reset()
    inputPosition = StretchPosition()
    (time, readPosition, lastNominal, isFirst) = (0, 0, 0, true)
    (work, workFrames) = (FrameSchedule(), 1)
    mode = FrameMode(options.smoothness)
    lastMode = mode
  }

  // MARK: Time

  /// Latency in output frames at a constant rate and pitch. [any thread]
  @_noLocks
  public borrowing func latency(
    rate: Float, cents: Float, _ smoothness: StretchOptions.Smoothness
  ) -> Double {
    let pitch = Elementary.exp2(Double(cents) / 1200)
    let shape = FrameMode(smoothness).shape(size)
    let lead = shape.lead(slope: Double(rate) / pitch)
    return lead / Double(rate) + Double(shape.delay + PitchResampler.delay) / pitch
  }

  /// Input frames that were consumed but not output yet, at a rate and pitch. [render thread]
  @_noLocks
  public borrowing func pendingFrames(rate: Float, cents: Float) -> Double {
    latency(rate: rate, cents: cents, options.smoothness) * Double(rate) + Double(input.end)
      - inputPosition.value
  }

  /// Maximum frames of one render, limited by the length of the input history. [render thread]
  @_noLocks
  public borrowing func longestSlice(rate: Float, slope: Float) -> Int {
    let room = Double(2 * size)
    let last = rate + slope * Float(maximumFrames)
    return max(1, Int(room / Double(max(max(rate, min(last, 32)), 1 / 32))))
  }

  /// Sets rate and pitch of the next `frames` outputs, both linear, and returns how many input
  /// frames must be consumed before they can be rendered. [render thread]
  @_noLocks
  public mutating func prepare(
    _ frames: Int, rate: Float, rateSlope: Float, cents: Float, centsSlope: Float
  ) -> Int {
    motion.set(
      frames, rate: rate, rateSlope: rateSlope, cents: cents, centsSlope: centsSlope)
    return max(0, motion.advanced(inputPosition, from: 0, count: frames).whole - input.end)
  }

  /// Consumes input frames, as many as `prepare` returned. [render thread]
  @_noLocks
  public mutating func consume(_ samples: UnsafePointer<UnsafePointer<Float>>, frames: Int) {
    // Input that the current frame still needs is read before it is overwritten.
    if input.end + frames - input.capacity > readPosition - 2 * size { runReading() }
    input.append(samples, frames: frames)
    while detector.end + OnsetDetector.blockFrames <= input.end {
      if let onset = detector.examineNextBlock(input) {
        onsets.add(onset, detectedAt: detector.end)
      }
    }
  }

  /// Renders the frames that were set in `prepare`, starting at frame `offset` of the output. If it
  /// is bypassed, at a rate of 1 and without a pitch shift, it outputs its input unchanged.
  /// [render thread]
  @_noLocks
  public mutating func render(
    to target: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, frames: Int,
    isBypassed: Bool = false
  ) {
    var done = 0
    while done < frames {
      let ready = resampler.framesReady(motion, from: done, to: frames)
      if ready > 0 {
        resampler.read(motion, from: done, count: ready, to: target, offset: offset + done)
        inputPosition = motion.advanced(inputPosition, from: done, count: ready)
        done += ready
        runWork(upTo: resampler.progress(of: workFrames))
      } else if resampler.isHolding {
        resampler.releaseFrames()
        plan(rate: motion.rate(at: done), pitch: motion.pitch(at: done))
      } else {
        finishHop()
      }
    }
    bypass.mix(
      input, isBypassed, end: inputPosition.whole,
      delay: Int(latency(rate: 1, cents: 0, options.smoothness)), into: target, offset: offset,
      frames: frames)
  }

  /// Ends the hop: outputs its result. The next frame is planned when only those outputs are left
  /// during which it is computed: what is planned later is late by less.
  @_noLocks
  private mutating func finishHop() {
    runWork(upTo: 1)
    let frames = mode.shape(size).hop
    deliver(frames)
    changeMode()
    workFrames = min(mode.shape(size).work, frames)
    resampler.holdFrames(workFrames)
  }
}
