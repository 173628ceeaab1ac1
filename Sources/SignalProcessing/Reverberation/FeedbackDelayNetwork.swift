// SPDX-License-Identifier: Apache-2.0

import CKernels

/// Late reverberation: sixteen delay lines that feed each other through a lossless matrix, each
/// followed by a filter that takes away what its length of time takes.
///
/// The network is Jot's ("Digital delay networks for designing artificial reverberators", AES 1991)
/// with a Hadamard matrix and, after it, slow rotations of neighbouring lines, so that no resonance
/// stays long enough to ring (Schlecht and Habets, "Time-varying feedback matrices in feedback delay
/// networks", 2015): the matrix stays lossless, and nothing is interpolated. The filter is Lindeberg's
/// discrete Gaussian kernel ("Scale-space for discrete signals", 1990); its response is exactly
/// exp(-L sin²(ω/2)). Loss in decibels is then proportional to a line's length at every frequency, so
/// that all lines agree on
///
///     1 / RT60(f) = 1 / RT60(0) + (1 / RT60(π) - 1 / RT60(0)) · sin²(π f / rate)
///
/// and as none of its taps looks at its own output, all of it runs in straight loops over time.
///
/// Memory by plain pointers: whoever made it deallocates it.
public struct FeedbackDelayNetwork: BitwiseCopyable, @unchecked Sendable {
  /// Delay lines.
  public static var lineCount: Int { @_noLocks get { 16 } }
  /// Frames of the longest run.
  static var runFrames: Int { @_noLocks get { 128 } }
  /// The kernel has this many taps on each side of its middle.
  static var reach: Int { @_noLocks get { 3 } }
  /// No line is shorter: a run must fit into it.
  public static var shortestLine: Int { @_noLocks get { 32 } }

  /// How long sound lasts.
  public struct Decay: BitwiseCopyable, Equatable, Sendable {
    /// Frames until sound has fallen by 60 dB, at 0 Hz and at half the sample rate.
    public var low: Double
    public var high: Double

    /// Both in frames.
    @_noLocks
    public init(low: Double, high: Double) {
      self.low = low
      self.high = high
    }
  }

  /// All lines are rings of one length with one place of writing, so that a run ends for all at once.
  private let rings: UnsafeMutablePointer<Float>
  private let stride: Int
  private var length = 0
  private var position = 0
  /// Lengths of the lines in frames.
  private let lengths: UnsafeMutablePointer<Int>
  /// Middle and one side of each line's kernel, now and before.
  private let taps: UnsafeMutablePointer<SIMD4<Float>>
  private let oldTaps: UnsafeMutablePointer<SIMD4<Float>>
  /// What comes out of each line, one after the other.
  private let heard: UnsafeMutablePointer<Float>
  private let scratch: UnsafeMutablePointer<Float>
  private var decay: Decay?
  /// What changes during a crossfade waits for its end.
  private var wantedDecay: Decay?
  private var crossfade: Crossfade
  private var shortest = 0
  private var rotation: MatrixRotation

  /// Room for lines of up to `longestLine` frames. [control thread]
  public init(longestLine: Int, sampleRate: Double) {
    let capacity = max(longestLine, Self.shortestLine) + Self.reach + Self.runFrames + 16
    // Not a multiple of a page: the places of writing would share a few lines of the cache.
    stride = (capacity + 15) / 16 * 16 + 48
    rings = .allocate(capacity: stride * Self.lineCount)
    rings.initialize(repeating: 0, count: stride * Self.lineCount)
    lengths = .allocate(capacity: Self.lineCount)
    lengths.initialize(repeating: Self.shortestLine, count: Self.lineCount)
    taps = .allocate(capacity: Self.lineCount)
    taps.initialize(repeating: .zero, count: Self.lineCount)
    oldTaps = .allocate(capacity: Self.lineCount)
    oldTaps.initialize(repeating: .zero, count: Self.lineCount)
    heard = .allocate(capacity: Self.lineCount * Self.runFrames)
    heard.initialize(repeating: 0, count: Self.lineCount * Self.runFrames)
    scratch = .allocate(capacity: 3 * Self.runFrames)
    scratch.initialize(repeating: 0, count: 3 * Self.runFrames)
    crossfade = Crossfade(length: Int(sampleRate * 0.01))
    rotation = MatrixRotation(sampleRate: sampleRate)
    layOut()
  }

  /// Frees the memory. [control thread]
  public func deallocate() {
    rings.deallocate()
    lengths.deallocate()
    taps.deallocate()
    oldTaps.deallocate()
    heard.deallocate()
    scratch.deallocate()
    rotation.deallocate()
  }

  // MARK: Settings

  /// Falls silent, and takes new lengths in frames: one for each line. [render thread]
  @_noLocks
  public mutating func setLengths(_ frames: UnsafePointer<Int>) {
    var line = 0
    while line < Self.lineCount {
      lengths[line] = min(
        max(frames[line], Self.shortestLine), stride - Self.reach - Self.runFrames - 16)
      line += 1
    }
    layOut()
    decay = nil
  }

  @_noLocks
  private mutating func layOut() {
    shortest = lengths[0]
    var longest = lengths[0]
    var line = 1
    while line < Self.lineCount {
      shortest = min(shortest, lengths[line])
      longest = max(longest, lengths[line])
      line += 1
    }
    // No longer than needed, so that it stays in the cache.
    length = longest + Self.reach + Self.runFrames
    clear()
  }

  /// Falls silent. [render thread]
  @_noLocks
  public mutating func clear() {
    var line = 0
    while line < Self.lineCount {
      Samples.clear(rings + line * stride, count: length)
      line += 1
    }
    position = 0
    crossfade.finish()
    rotation.reset()
  }

  /// Sets how fast, in Hz, and how far, from 0 to 1, the matrix moves. [render thread]
  @_noLocks
  public mutating func setMotion(rate: Double, depth: Double) {
    rotation.set(rate: rate, depth: depth)
  }

  /// Sets how long sound lasts from the next frame on, without a click. [render thread]
  @_noLocks
  public mutating func set(_ new: Decay) {
    wantedDecay = new
    if decay == nil {
      take(new)
    } else if !crossfade.isRunning {
      beginCrossfade()
    }
  }

  /// Begins with the way to what is wanted, if there is one.
  @_noLocks
  private mutating func beginCrossfade() {
    guard let wantedDecay, wantedDecay != decay else { return }
    take(wantedDecay)
    crossfade.begin()
  }

  @_noLocks
  private mutating func take(_ new: Decay) {
    decay = new
    var line = 0
    while line < Self.lineCount {
      oldTaps[line] = taps[line]
      taps[line] = Self.taps(length: Double(lengths[line]), new)
      line += 1
    }
  }

  /// The kernel for a line: e^(-L/2) I_k(L/2) by the power series of the Bessel functions, made to
  /// lose nothing where it loses least, then as loud as the line is long.
  @_noLocks
  private static func taps(length: Double, _ decay: Decay) -> SIMD4<Float> {
    // Losses of one pass in powers of two: 60 dB are a factor of 1000.
    let low = -9.965784284662087 * length / max(decay.low, 1)
    let high = -9.965784284662087 * length / max(decay.high, 1)
    // Beyond 60 dB in one pass nothing is left to be shaped.
    let difference = min(max((low - high) * 0.693147180559945, -7), 7)
    let quarter = difference * difference / 16
    var kernel = SIMD4<Double>.zero
    var factor = 1.0
    var side = 0
    while side <= reach {
      // I_k(x) = (x/2)^k / k! · Σ (x²/4)^j / (j! (k+1)…(k+j))
      var term = factor
      var sum = 0.0
      var order = 1.0
      while order < 40 {
        sum += term
        term *= quarter / (order * (order + Double(side)))
        order += 1
      }
      kernel[side] = sum
      side += 1
      factor *= difference / 4 / Double(side)
    }
    let absolute = kernel.replacing(with: -kernel, where: kernel .< 0)
    let gain = Elementary.exp2(max(low, high))
    // A quarter makes the matrix lossless.
    let scale = gain * 0.25 / (absolute[0] + 2 * (absolute[1] + absolute[2] + absolute[3]))
    return SIMD4<Float>(kernel * scale)
  }

  // MARK: Rendering

  /// Takes two signals in and gives two out, `count` frames. The places may be the same.
  /// [render thread]
  @_noLocks
  public mutating func render(
    _ leftInput: UnsafePointer<Float>, _ rightInput: UnsafePointer<Float>,
    into left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int
  ) {
    var done = 0
    while done < count {
      var run = min(min(count - done, Self.runFrames), shortest - Self.reach)
      run = min(min(run, length - position), rotation.room)
      if crossfade.isRunning { run = min(run, crossfade.framesRemaining) }
      listen(run)
      mix(leftInput + done, rightInput + done, into: left + done, right + done, run)
      position += run
      if position == length { position = 0 }
      if crossfade.isRunning {
        crossfade.advance(by: run)
        if !crossfade.isRunning { beginCrossfade() }
      }
      rotation.advance(by: run)
      done += run
    }
  }

  @_noLocks @inline(__always)
  private static func floats(_ taps: UnsafeMutablePointer<SIMD4<Float>>) -> UnsafePointer<Float> {
    UnsafeRawPointer(taps).assumingMemoryBound(to: Float.self)
  }

  /// Reads what comes out of every line, through its kernel.
  @_noLocks
  private func listen(_ count: Int) {
    let window = count + 2 * Self.reach
    var line = 0
    while line < Self.lineCount {
      let ring = rings + line * stride
      var start = position - lengths[line] - Self.reach
      if start < 0 { start += length }
      var past = UnsafePointer(ring + start)
      let first = length - start
      if first < window {
        Samples.copy(past, to: scratch, count: first)
        Samples.copy(ring, to: scratch + first, count: window - first)
        past = UnsafePointer(scratch)
      }
      let output = heard + line * Self.runFrames
      ReverbKernel.filter(past, Self.floats(taps + line), into: output, count: count)
      if crossfade.isRunning {
        let old = scratch + Self.runFrames + 2 * Self.reach
        ReverbKernel.filter(past, Self.floats(oldTaps + line), into: old, count: count)
        crossfade.mix(from: old, to: output, into: output, count: count)
      }
      line += 1
    }
  }

  /// Sends what was heard through the matrix and, with the input, into the lines again.
  @_noLocks
  private func mix(
    _ leftInput: UnsafePointer<Float>, _ rightInput: UnsafePointer<Float>,
    into left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let angle = rotation.place
    var run = NetworkRun(
      count: count, heard: UnsafePointer(heard), row: Self.runFrames, lines: rings + position,
      distance: stride,
      cosines: (rotation.table(0) + angle, rotation.table(1) + angle),
      sines: (rotation.table(2) + angle, rotation.table(3) + angle),
      input: (leftInput, rightInput), output: (left, right))
    ReverbKernel.mix(&run)
  }
}
