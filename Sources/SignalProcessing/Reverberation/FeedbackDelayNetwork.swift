// SPDX-License-Identifier: Apache-2.0

import CKernels

/// Late reverberation: sixteen delay lines that feed each other through a lossless matrix, each
/// followed by a filter with the attenuation for its delay time.
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
/// Plain pointers: the creator deallocates them.
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

  private let memory = OwnedMemory()
  /// All lines are rings of one length with one place of writing, so that a run ends for all at once.
  private let rings: UnsafeMutablePointer<Float>
  private let stride: Int
  private var length = 0
  private var position = 0
  /// Lengths of the lines in frames.
  private let lengths: UnsafeMutablePointer<Int>
  private let oldLengths: UnsafeMutablePointer<Int>
  /// Middle and one side of each line's kernel, now and before.
  private let taps: UnsafeMutablePointer<SIMD4<Float>>
  private let oldTaps: UnsafeMutablePointer<SIMD4<Float>>
  /// The outputs of the lines, one after the other.
  private let heard: UnsafeMutablePointer<Float>
  private let scratch: UnsafeMutablePointer<Float>
  private var isFresh = true
  private var crossfade: Crossfade
  /// The shortest line that is read.
  private var shortest = 0
  private var rotation: MatrixRotation

  /// Room for lines of up to `longestLine` frames. [control thread]
  public init(longestLine: Int, sampleRate: Double) {
    let capacity = max(longestLine, Self.shortestLine) + Self.reach + Self.runFrames + 16
    // Not a multiple of a page: the places of writing would share a few lines of the cache.
    stride = (capacity + 15) / 16 * 16 + 48
    rings = memory.array(stride * Self.lineCount, of: 0)
    lengths = memory.array(Self.lineCount, of: Self.shortestLine)
    oldLengths = memory.array(Self.lineCount, of: Self.shortestLine)
    taps = memory.array(Self.lineCount, of: .zero)
    oldTaps = memory.array(Self.lineCount, of: .zero)
    heard = memory.array(Self.lineCount * Self.runFrames, of: 0)
    scratch = memory.array(3 * Self.runFrames, of: 0)
    crossfade = Crossfade(length: Int(sampleRate * 0.01))
    rotation = MatrixRotation(sampleRate: sampleRate)
    length = Self.shortestLine + Self.reach + Self.runFrames
    reset()
  }

  /// Frees the memory. [control thread]
  public func deallocate() {
    rotation.deallocate()
    memory.deallocate()
  }

  // MARK: Settings

  /// Falls silent; the next settings hold from the first frame on. [render thread]
  @_noLocks
  public mutating func reset() {
    var line = 0
    while line < Self.lineCount {
      Samples.clear(rings + line * stride, count: length)
      line += 1
    }
    position = 0
    isFresh = true
    crossfade.finish()
    rotation.reset()
  }

  /// Sets how fast, in Hz, and how far, from 0 to 1, the matrix moves. [render thread]
  @_noLocks
  public mutating func setMotion(rate: Double, depth: Double) {
    rotation.set(rate: rate, depth: depth)
  }

  /// Frames until other settings can be taken: they are faded over to, one after another.
  public var framesUntilReady: Int {
    @_noLocks get { crossfade.isRunning ? crossfade.framesRemaining : 0 }
  }

  /// Sets how long each line is, in frames, and how long sound lasts, from the next frame on, without a
  /// click or a break. Only when it is ready. [render thread]
  @_noLocks
  public mutating func set(_ frames: UnsafePointer<Int>, _ decay: Decay) {
    var longest = 0
    shortest = Int.max
    var line = 0
    while line < Self.lineCount {
      oldLengths[line] = lengths[line]
      oldTaps[line] = taps[line]
      lengths[line] = min(
        max(frames[line], Self.shortestLine), stride - Self.reach - Self.runFrames - 16)
      taps[line] = Self.taps(length: Double(lengths[line]), decay)
      if isFresh { oldLengths[line] = lengths[line] }
      longest = max(longest, max(lengths[line], oldLengths[line]))
      shortest = min(shortest, min(lengths[line], oldLengths[line]))
      line += 1
    }
    resize(to: longest + Self.reach + Self.runFrames)
    if !isFresh { crossfade.begin() }
    isFresh = false
  }

  /// Makes the rings as long as they need be, so that they stay in the cache, and keeps what is in them.
  @_noLocks
  private mutating func resize(to wanted: Int) {
    guard wanted != length else { return }
    var line = 0
    while line < Self.lineCount {
      let ring = rings + line * stride
      if wanted > length {
        // What is old stays behind what comes next.
        let old = length - position
        Samples.move(ring + position, to: ring + wanted - old, count: old)
        Samples.clear(ring + position, count: wanted - length)
      } else if position >= wanted {
        Samples.move(ring + position - wanted, to: ring, count: wanted)
      } else {
        let old = wanted - position
        Samples.move(ring + length - old, to: ring + position, count: old)
      }
      line += 1
    }
    if wanted < length, position >= wanted { position = 0 }
    length = wanted
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
        if !crossfade.isRunning { settle() }
      }
      rotation.advance(by: run)
      done += run
    }
  }

  /// Releases the lengths that were faded from. The rings wait for the next change, or a reset.
  @_noLocks
  private mutating func settle() {
    shortest = lengths[0]
    var line = 1
    while line < Self.lineCount {
      shortest = min(shortest, lengths[line])
      line += 1
    }
  }

  @_noLocks @inline(__always)
  private static func floats(_ taps: UnsafeMutablePointer<SIMD4<Float>>) -> UnsafePointer<Float> {
    UnsafeRawPointer(taps).assumingMemoryBound(to: Float.self)
  }

  /// Reads what comes out of every line, through its kernel.
  @_noLocks
  private func listen(_ count: Int) {
    var line = 0
    while line < Self.lineCount {
      let output = heard + line * Self.runFrames
      ReverbKernel.filter(
        past(line, lengths[line], count), Self.floats(taps + line), into: output, count: count)
      if crossfade.isRunning {
        let old = scratch + Self.runFrames + 2 * Self.reach
        ReverbKernel.filter(
          past(line, oldLengths[line], count), Self.floats(oldTaps + line), into: old, count: count)
        crossfade.mix(from: old, to: output, into: output, count: count)
      }
      line += 1
    }
  }

  /// What a line of a length holds for the next frames, and as much around them as the kernel reaches.
  @_noLocks @inline(__always)
  private func past(_ line: Int, _ lineLength: Int, _ count: Int) -> UnsafePointer<Float> {
    let ring = rings + line * stride
    let window = count + 2 * Self.reach
    var start = position - lineLength - Self.reach
    if start < 0 { start += length }
    let first = length - start
    guard first < window else { return UnsafePointer(ring + start) }
    Samples.copy(ring + start, to: scratch, count: first)
    Samples.copy(ring, to: scratch + first, count: window - first)
    return UnsafePointer(scratch)
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
