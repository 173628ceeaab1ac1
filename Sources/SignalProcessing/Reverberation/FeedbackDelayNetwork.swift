// SPDX-License-Identifier: Apache-2.0

import CKernels

/// Late reverberation: sixteen delay lines that feed each other through a lossless matrix. A filter
/// after each line gives it the attenuation for its delay time.
///
/// The network is Jot's ("Digital delay networks for designing artificial reverberators", AES 1991)
/// with a Hadamard matrix. Slow rotations of adjacent lines follow the matrix, so that no resonance
/// lasts long enough to ring (Schlecht and Habets, "Time-varying feedback matrices in feedback
/// delay networks", 2015): the matrix stays lossless, and nothing is interpolated. The filter is
/// Lindeberg's discrete Gaussian kernel ("Scale-space for discrete signals", 1990); its response is
/// exactly exp(-L sin²(ω/2)). The loss in decibels is then proportional to a line's length at every
/// frequency, so that all lines have the same decay time:
///
///     1 / RT60(f) = 1 / RT60(0) + (1 / RT60(π) - 1 / RT60(0)) · sin²(π f / rate)
///
/// The taps do not depend on the filter's output, so that everything runs in straight loops over
/// time.
///
/// Uses plain pointers; the owner deallocates them.
public struct FeedbackDelayNetwork: BitwiseCopyable, @unchecked Sendable {
  /// Number of delay lines.
  public static var lineCount: Int { @_noLocks get { 16 } }
  /// Maximum frames of a run.
  static var runFrames: Int { @_noLocks get { 128 } }
  /// Taps of the kernel on each side of its centre.
  static var reach: Int { @_noLocks get { 3 } }
  /// Minimum length of a line in frames: a run must fit into it.
  public static var shortestLine: Int { @_noLocks get { 32 } }

  /// The decay time.
  public struct Decay: BitwiseCopyable, Equatable, Sendable {
    /// Frames until the sound has fallen by 60 dB, at 0 Hz and at half the sample rate.
    public var low: Double
    public var high: Double

    /// Makes a decay from both times in frames.
    @_noLocks
    public init(low: Double, high: Double) {
      self.low = low
      self.high = high
    }
  }

  private let memory = OwnedMemory()
  /// All lines are rings of the same length with one write position, so that a run ends for all
  /// together.
  private let history: HistoryMemory
  private var rings: UnsafeMutablePointer<Float> { @_noLocks get { history.samples } }
  /// How many frames at the beginning of each ring may not be silence.
  private var used = 0
  private let stride: Int
  private var length = 0
  private var position = 0
  /// Lengths of the lines in frames.
  private let lengths: UnsafeMutablePointer<Int>
  private let oldLengths: UnsafeMutablePointer<Int>
  /// Centre and one side of each line's kernel, new and old.
  private let taps: UnsafeMutablePointer<SIMD4<Float>>
  private let oldTaps: UnsafeMutablePointer<SIMD4<Float>>
  /// The filtered outputs of the lines, one after another.
  private let lineOutputs: UnsafeMutablePointer<Float>
  private let scratch: UnsafeMutablePointer<Float>
  private var isFresh = true
  private var crossfade: Crossfade
  /// Frames until the lines are full at their new lengths, so that the crossfade can begin.
  private var unfilled = 0
  /// Length of the shortest line in use.
  private var shortest = 0
  private var rotation: MatrixRotation

  /// Makes lines of up to `longestLine` frames; offline, their memory comes when it is used.
  /// [control thread]
  public init(longestLine: Int, sampleRate: Double, isOffline: Bool = false) {
    let capacity = max(longestLine, Self.shortestLine) + Self.reach + Self.runFrames + 16
    // Not a multiple of a page: the write positions would share a few cache lines.
    stride = (capacity + 15) / 16 * 16 + 48
    history = HistoryMemory(count: stride * Self.lineCount, isOffline: isOffline)
    lengths = memory.array(Self.lineCount, of: Self.shortestLine)
    oldLengths = memory.array(Self.lineCount, of: Self.shortestLine)
    taps = memory.array(Self.lineCount, of: .zero)
    oldTaps = memory.array(Self.lineCount, of: .zero)
    lineOutputs = memory.array(Self.lineCount * Self.runFrames, of: 0)
    scratch = memory.array(3 * Self.runFrames, of: 0)
    crossfade = Crossfade(length: Int(sampleRate * 0.01))
    rotation = MatrixRotation(sampleRate: sampleRate)
    length = Self.shortestLine + Self.reach + Self.runFrames
    reset()
  }

  /// Frees the memory. [control thread]
  public func deallocate() {
    rotation.deallocate()
    history.deallocate()
    memory.deallocate()
  }

  // MARK: Settings

  /// Clears the signal history; the next settings apply immediately, without a crossfade.
  /// [render thread]
  @_noLocks
  public mutating func reset() {
    var line = 0
    while line < Self.lineCount {
      Samples.clear(rings + line * stride, count: used)
      line += 1
    }
    used = 0
    position = 0
    isFresh = true
    crossfade.finish()
    unfilled = 0
    rotation.reset()
  }

  /// Sets the rate in Hz and the depth, from 0 to 1, of the matrix modulation. [render thread]
  @_noLocks
  public mutating func setMotion(rate: Double, depth: Double) {
    rotation.set(rate: rate, depth: depth)
  }

  /// Frames until the network accepts other settings: it crossfades to one set after another.
  public var framesUntilReady: Int {
    @_noLocks get { crossfade.isRunning ? unfilled + crossfade.framesRemaining : 0 }
  }

  /// Frames until a crossfade begins: longer lines are read once they are full.
  var framesUntilFade: Int { @_noLocks get { unfilled } }

  /// Sets the lengths of the lines in frames, and the decay, from the next frame on, without a
  /// click or a gap; longer lines from when they are full on. Only when `framesUntilReady` is zero. [render thread]
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
    let newLength = longest + Self.reach + Self.runFrames
    unfilled = isFresh ? 0 : max(newLength - length, 0)
    resize(to: newLength)
    if !isFresh { crossfade.begin() }
    isFresh = false
  }

  /// Shortens or lengthens the rings to the required length, so that they stay in the cache; keeps
  /// their contents.
  @_noLocks
  private mutating func resize(to newLength: Int) {
    // Before the first settings, the rings are silent everywhere.
    if isFresh { length = newLength }
    guard newLength != length else { return }
    var line = 0
    while line < Self.lineCount {
      let ring = rings + line * stride
      if newLength > length {
        // The oldest frames stay after the write position.
        let old = length - position
        Samples.move(ring + position, to: ring + newLength - old, count: old)
        Samples.clear(ring + position, count: newLength - length)
      } else if position >= newLength {
        Samples.move(ring + position - newLength, to: ring, count: newLength)
      } else {
        let old = newLength - position
        Samples.move(ring + length - old, to: ring + position, count: old)
      }
      line += 1
    }
    if newLength < length, position >= newLength { position = 0 }
    length = newLength
  }

  /// The kernel of a line: e^(-L/2) I_k(L/2) by the power series of the Bessel functions,
  /// normalized to a maximum gain of one and scaled to the loss for the line's length.
  @_noLocks
  private static func taps(length: Double, _ decay: Decay) -> SIMD4<Float> {
    // Losses of one pass as powers of two: 60 dB are a factor of 1000.
    let low = -9.965784284662087 * length / max(decay.low, 1)
    let high = -9.965784284662087 * length / max(decay.high, 1)
    // Beyond 60 dB in one pass the shape does not matter.
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
        // From the second term on they fall: one that is too small to count is the last.
        guard sum + term != sum else { break }
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
    // The factor of a quarter makes the matrix lossless.
    let scale = gain * 0.25 / (absolute[0] + 2 * (absolute[1] + absolute[2] + absolute[3]))
    return SIMD4<Float>(kernel * scale)
  }

  // MARK: Rendering

  /// Processes two channels, `count` frames. Input and output may be the same memory.
  /// [render thread]
  @_noLocks
  public mutating func render(
    _ leftInput: UnsafePointer<Float>, _ rightInput: UnsafePointer<Float>,
    into left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int
  ) {
    used = max(used, length)
    var done = 0
    while done < count {
      var run = min(min(count - done, Self.runFrames), shortest - Self.reach)
      run = min(min(run, length - position), rotation.room)
      if unfilled > 0 {
        run = min(run, unfilled)
      } else if crossfade.isRunning {
        run = min(run, crossfade.framesRemaining)
      }
      readLines(run)
      mix(leftInput + done, rightInput + done, into: left + done, right + done, run)
      position += run
      if position == length { position = 0 }
      if unfilled > 0 {
        unfilled -= run
      } else if crossfade.isRunning {
        crossfade.advance(by: run)
        if !crossfade.isRunning { settle() }
      }
      rotation.advance(by: run)
      done += run
    }
  }

  /// Updates `shortest` after a crossfade. The rings are resized at the next change or reset.
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

  /// Computes the output of every line through its kernel.
  @_noLocks
  private func readLines(_ count: Int) {
    var line = 0
    while line < Self.lineCount {
      let output = lineOutputs + line * Self.runFrames
      // Lines that are not full would play silence, and then the edge of the sound.
      let (now, kernel) = unfilled > 0 ? (oldLengths, oldTaps) : (lengths, taps)
      kernel_symmetric_filter(
        output, count, past(line, now[line], count), Self.floats(kernel + line))
      if crossfade.isRunning, unfilled == 0 {
        let old = scratch + Self.runFrames + 2 * Self.reach
        kernel_symmetric_filter(
          old, count, past(line, oldLengths[line], count), Self.floats(oldTaps + line))
        crossfade.mix(from: old, to: output, into: output, count: count)
      }
      line += 1
    }
  }

  /// The frames of a line at a delay of `lineLength`, and the kernel's reach on both sides.
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

  /// Writes the outputs of the lines, through the matrix and with the input added, back into the
  /// lines.
  @_noLocks
  private func mix(
    _ leftInput: UnsafePointer<Float>, _ rightInput: UnsafePointer<Float>,
    into left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let angle = rotation.position
    var run = NetworkRun(
      count: count, lineOutputs: UnsafePointer(lineOutputs), row: Self.runFrames,
      lines: rings + position,
      distance: stride,
      cosines: (rotation.table(0) + angle, rotation.table(1) + angle),
      sines: (rotation.table(2) + angle, rotation.table(3) + angle),
      input: (leftInput, rightInput), output: (left, right))
    kernel_network(&run)
  }
}
