// SPDX-License-Identifier: Apache-2.0

import CKernels

/// Renders a moving sound for both ears of a measured head (HRTF).
///
/// The delays move linearly. The filters cannot: while the sound moves, two filters per ear run,
/// and the output crossfades from one to the other. Both are minimum-phase, so that there is no
/// comb filtering.
///
/// Uses plain memory; the owner deallocates it.
public struct MeasuredHeadRenderer: BitwiseCopyable, @unchecked Sendable {
  /// Maximum frames per render.
  public static var pieceFrames: Int { @_noLocks get { 64 } }

  private let taps: Int
  private let longestDelay: Int
  private let delay: EarDelay
  private let memory = OwnedMemory()
  /// Both ears' filters at the start and at the end of the motion: left, right, left, right.
  private let filters: UnsafeMutablePointer<Float>
  /// The delayed signal of the left ear and then of the right ear: the filters' history, and a
  /// piece.
  private let delayed: UnsafeMutablePointer<Float>
  /// Room for the outputs of two filters.
  private let filtered: UnsafeMutablePointer<Float>
  /// Whether the second pair of filters is the target, and the taps of each pair.
  private var isSecond = false
  private var lengths = (0, 0)
  private var target = SIMD2<Float>.zero
  private var step = SIMD2<Float>.zero
  private var framesRemaining = 0
  private var length = 1

  /// Makes a renderer with a silent history, for heads at a sample rate. [control thread]
  public init(sampleRate: Double, delay: EarDelay) {
    taps = HeadResponses.taps(at: sampleRate)
    longestDelay = HeadResponses.longestDelay(at: sampleRate)
    self.delay = delay
    filters = memory.array(4 * taps, of: 0)
    delayed = memory.array(2 * (taps + Self.pieceFrames), of: 0)
    filtered = memory.array(2 * Self.pieceFrames, of: 0)
  }

  /// Frees the memory; nothing may use it afterwards. [control thread]
  public func deallocate() { memory.deallocate() }

  /// Earlier frames that are read when a sound starts; later renders need fewer. [any thread]
  public static func reach(at sampleRate: Double) -> Int {
    HeadResponses.longestDelay(at: sampleRate) + EarDelay.reach + HeadResponses.taps(at: sampleRate)
  }

  /// The direction of a sound, and how to render it.
  public struct Aim: BitwiseCopyable, Sendable {
    /// The head's filters, which stay allocated while they are in use.
    public var head: HeadResponses
    /// A vector of length 1 to the right, the front and the top.
    public var direction: SIMD3<Float>
    public var quality: HeadResponses.Quality
    /// Whether the ears have different delays.
    public var delaysEars: Bool

    /// Makes an aim from all values.
    @_noLocks
    public init(
      head: HeadResponses, direction: SIMD3<Float>, quality: HeadResponses.Quality, delaysEars: Bool
    ) {
      self.head = head
      self.direction = direction
      self.quality = quality
      self.delaysEars = delaysEars
    }
  }

  /// Starts at a direction as if the sound had always been there. `now` is the next frame, after
  /// `reach` earlier frames. [render thread]
  @_noLocks
  public mutating func begin(_ aim: Aim, after now: UnsafePointer<Float>) {
    isSecond = false
    target = design(aim)
    step = .zero
    framesRemaining = 0
    let room = taps + Self.pieceFrames
    let runs = (taps + Self.pieceFrames - 1) / Self.pieceFrames
    // In pieces, because a read may exceed its end by as much as the history has room for.
    for run in 0..<runs {
      let first = run * Self.pieceFrames
      let count = min(taps - first, Self.pieceFrames)
      for ear in 0..<2 {
        delay.read(
          now - (taps - first), into: delayed + ear * room + first, count: count,
          delay: target[ear], step: 0, longest: longestDelay)
      }
    }
  }

  /// Moves to a direction within `frames`. [render thread]
  @_noLocks
  public mutating func move(to aim: Aim, within frames: Int) {
    if framesRemaining > 0 {
      // Starts at the current mix of both filters.
      let part = 1 - Float(framesRemaining) / Float(length)
      let (from, to) = (oldFilters, targetFilters)
      for tap in 0..<2 * taps { from[tap] += (to[tap] - from[tap]) * part }
      let longest = max(lengths.0, lengths.1)
      if isSecond { lengths.0 = longest } else { lengths.1 = longest }
    } else {
      isSecond.toggle()
    }
    let before = target - step * Float(framesRemaining)
    target = design(aim)
    step = (target - before) / Float(frames)
    framesRemaining = frames
    length = frames
  }

  /// Computes the target filters.
  @_noLocks
  private mutating func design(_ aim: Aim) -> SIMD2<Float> {
    // The filters of a head at another rate have another length.
    guard aim.head.taps == taps else { return .zero }
    let delays = aim.head.design(
      toward: aim.direction, aim.quality, left: targetFilters, right: targetFilters + taps)
    let length = aim.head.length(aim.quality)
    if isSecond { lengths.1 = length } else { lengths.0 = length }
    return aim.delaysEars ? delays : SIMD2(repeating: aim.head.middleDelay)
  }

  /// The target filters, and those at the start of the motion.
  private var targetFilters: UnsafeMutablePointer<Float> {
    @_noLocks get { filters + (isSecond ? 2 * taps : 0) }
  }
  private var oldFilters: UnsafeMutablePointer<Float> {
    @_noLocks get { filters + (isSecond ? 0 : 2 * taps) }
  }

  /// How many of the next `count` frames can be rendered together. [render thread]
  @_noLocks
  public func run(of count: Int) -> Int {
    let run = min(count, Self.pieceFrames)
    return framesRemaining > 0 ? min(run, framesRemaining) : run
  }

  /// Adds the output of both ears for as many frames as `run(of:)` allows, at a gain that changes
  /// by `gainStep` per frame. `now` is the first frame, after `reach` earlier frames.
  /// [render thread]
  @_noLocks
  public mutating func render(
    _ now: UnsafePointer<Float>, to left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>, count: Int, gain: Float, gainStep: Float
  ) {
    let delays = target - step * Float(framesRemaining)
    let room = taps + Self.pieceFrames
    for ear in 0..<2 {
      let sound = delayed + ear * room
      delay.read(
        now, into: sound + taps, count: count, delay: delays[ear], step: step[ear],
        longest: longestDelay)
      convolve(
        sound, targetFilters + ear * taps, isSecond ? lengths.1 : lengths.0, into: filtered, count)
      if framesRemaining > 0 {
        let old = filtered + Self.pieceFrames
        convolve(sound, oldFilters + ear * taps, isSecond ? lengths.0 : lengths.1, into: old, count)
        let slope = 1 / Float(length)
        let first = 1 - Float(framesRemaining) * slope
        for index in 0..<count {
          filtered[index] =
            old[index] + (filtered[index] - old[index]) * (first + slope * Float(index))
        }
      }
      MixKernel.add(filtered, to: ear == 0 ? left : right, count: count, gain: gain, step: gainStep)
      Samples.move(sound + count, to: sound, count: taps)
    }
    framesRemaining -= min(count, framesRemaining)
    if framesRemaining == 0 { step = .zero }
  }

  /// Applies a filter of which only the last `length` taps are not zero.
  @_noLocks
  private func convolve(
    _ sound: UnsafePointer<Float>, _ filter: UnsafePointer<Float>, _ length: Int,
    into output: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let zeros = taps - length
    kernel_convolution(output, sound + 1 + zeros, filter + zeros, length, count)
  }
}
