// SPDX-License-Identifier: Apache-2.0

/// A sound as both ears of a measured head receive it, while it moves.
///
/// Its delays go from place to place in straight lines. Its filters cannot: while it moves two of each
/// ear run, and the sound fades from one to the other. As both are of minimum phase, nothing combs.
///
/// Plain memory; its owner deallocates it.
public struct MeasuredEars: BitwiseCopyable, @unchecked Sendable {
  /// Frames that are rendered at once.
  public static var pieceFrames: Int { @_noLocks get { 64 } }

  private let taps: Int
  private let longestDelay: Int
  private let delay: EarDelay
  private let memory = OwnedMemory()
  /// Both ears' filters where the sound was, and where it goes: left, right, left, right.
  private let filters: UnsafeMutablePointer<Float>
  /// The delayed sound of the left ear and then of the right one: what the filters remember, and a
  /// piece.
  private let delayed: UnsafeMutablePointer<Float>
  /// Room for what two filters give.
  private let heard: UnsafeMutablePointer<Float>
  /// Which filters are those where it goes, and how many taps each pair has.
  private var isSecond = false
  private var lengths = (0, 0)
  private var target = SIMD2<Float>.zero
  private var step = SIMD2<Float>.zero
  private var framesRemaining = 0
  private var length = 1

  /// Silent ears for heads of a sample rate. [control thread]
  public init(sampleRate: Double, delay: EarDelay) {
    taps = HeadResponses.taps(at: sampleRate)
    longestDelay = HeadResponses.longestDelay(at: sampleRate)
    self.delay = delay
    filters = memory.array(4 * taps, of: 0)
    delayed = memory.array(2 * (taps + Self.pieceFrames), of: 0)
    heard = memory.array(2 * Self.pieceFrames, of: 0)
  }

  /// Frees the memory; nothing may use it any more. [control thread]
  public func deallocate() { memory.deallocate() }

  /// Frames of the past that are read when a sound appears, which is more than later. [any thread]
  public static func reach(at sampleRate: Double) -> Int {
    HeadResponses.longestDelay(at: sampleRate) + EarDelay.reach + HeadResponses.taps(at: sampleRate)
  }

  /// Where a sound comes from, and how it is to be met.
  public struct Aim: BitwiseCopyable, Sendable {
    /// The head; it stays alive as long as it is used.
    public var head: HeadResponses
    /// A vector of length 1 to the right, the front and the top.
    public var place: SIMD3<Float>
    public var quality: HeadResponses.Quality
    /// Whether the ears hear at different times.
    public var delaysEars: Bool

    /// All of it.
    @_noLocks
    public init(
      head: HeadResponses, place: SIMD3<Float>, quality: HeadResponses.Quality, delaysEars: Bool
    ) {
      self.head = head
      self.place = place
      self.quality = quality
      self.delaysEars = delaysEars
    }
  }

  /// Appears at a place, as if it had always been there; `now` is the next frame, before which `reach`
  /// frames of the past lie. [render thread]
  @_noLocks
  public mutating func begin(_ aim: Aim, after now: UnsafePointer<Float>) {
    isSecond = false
    target = design(aim)
    step = .zero
    framesRemaining = 0
    let room = taps + Self.pieceFrames
    let runs = (taps + Self.pieceFrames - 1) / Self.pieceFrames
    // Piece by piece, as a read may go beyond its end by what the past has room for.
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

  /// Goes to a place within some frames. [render thread]
  @_noLocks
  public mutating func move(to aim: Aim, within frames: Int) {
    if framesRemaining > 0 {
      // From where it is now: between both filters.
      let part = 1 - Float(framesRemaining) / Float(length)
      let (from, to) = (origin, goal)
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

  /// Makes the filters where it goes.
  @_noLocks
  private mutating func design(_ aim: Aim) -> SIMD2<Float> {
    // A head of another rate would have filters of another length.
    guard aim.head.taps == taps else { return .zero }
    let delays = aim.head.design(toward: aim.place, aim.quality, left: goal, right: goal + taps)
    let length = aim.head.length(aim.quality)
    if isSecond { lengths.1 = length } else { lengths.0 = length }
    return aim.delaysEars ? delays : SIMD2(repeating: aim.head.middleDelay)
  }

  /// The filters where it goes, and those where it was.
  private var goal: UnsafeMutablePointer<Float> {
    @_noLocks get { filters + (isSecond ? 2 * taps : 0) }
  }
  private var origin: UnsafeMutablePointer<Float> {
    @_noLocks get { filters + (isSecond ? 0 : 2 * taps) }
  }

  /// Frames of the `count` next ones that can be rendered at once. [render thread]
  @_noLocks
  public func run(of count: Int) -> Int {
    let run = min(count, Self.pieceFrames)
    return framesRemaining > 0 ? min(run, framesRemaining) : run
  }

  /// Adds what both ears receive of as many frames as `run(of:)` allows, at a gain that changes by a
  /// step with every frame. `now` is the first frame, before which `reach` frames of the past lie.
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
      convolve(sound, goal + ear * taps, isSecond ? lengths.1 : lengths.0, into: heard, count)
      if framesRemaining > 0 {
        let old = heard + Self.pieceFrames
        convolve(sound, origin + ear * taps, isSecond ? lengths.0 : lengths.1, into: old, count)
        let slope = 1 / Float(length)
        let first = 1 - Float(framesRemaining) * slope
        for index in 0..<count {
          heard[index] = old[index] + (heard[index] - old[index]) * (first + slope * Float(index))
        }
      }
      MixKernel.add(heard, to: ear == 0 ? left : right, count: count, gain: gain, step: gainStep)
      Samples.move(sound + count, to: sound, count: taps)
    }
    framesRemaining -= min(count, framesRemaining)
    if framesRemaining == 0 { step = .zero }
  }

  /// What a filter whose last `length` taps are not zero gives.
  @_noLocks
  private func convolve(
    _ sound: UnsafePointer<Float>, _ filter: UnsafePointer<Float>, _ length: Int,
    into output: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let zeros = taps - length
    ConvolutionKernel.convolve(
      sound + 1 + zeros, filter + zeros, taps: length, into: output, count: count)
  }
}
