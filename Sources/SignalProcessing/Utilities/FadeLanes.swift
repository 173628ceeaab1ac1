// SPDX-License-Identifier: Apache-2.0

/// Sixteen values that move to their targets together, smoothly (`FadeShape`) or linearly, in short
/// linear pieces.
///
/// The pieces are counted from the beginning of the motion, so that the values do not depend on the
/// steps in which it advances. With 120 pieces a change by 6 dB leaves less than -100 dB of the sound
/// where the lines meet.
public struct FadeLanes: BitwiseCopyable, Sendable {
  private let pieceCount: Int
  /// Values held once the motion has ended.
  public private(set) var target = SIMD16<Float>.zero
  /// Change per frame in this piece; zero while the values hold.
  public private(set) var steps = SIMD16<Float>.zero
  /// Frames until the target is reached; zero while the values hold.
  public private(set) var framesRemaining = 0
  private var frameCount = 1
  private var isStraight = true
  /// Values, speed and curvature at the beginning; the latter per whole motion.
  private var start = SIMD16<Float>.zero
  private var speed = SIMD16<Float>.zero
  private var curvature = SIMD16<Float>.zero
  /// The values at the end of this piece, and the frames until then.
  private var pieceEnd = SIMD16<Float>.zero
  private var pieceRemaining = 0

  /// Holds zeros; smooth motions have `pieces` lines. [any thread]
  @_noLocks
  public init(pieces: Int = 120) { pieceCount = max(1, pieces) }

  /// The values at the next frame. [any thread]
  public var values: SIMD16<Float> {
    @_noLocks get { framesRemaining == 0 ? target : pieceEnd - steps * Float(pieceRemaining) }
  }

  /// How many of the next `count` frames have the same `steps`. [any thread]
  @_noLocks
  public func run(of count: Int) -> Int {
    framesRemaining == 0 ? count : min(count, pieceRemaining)
  }

  /// Jumps to `values` and holds them. [any thread]
  @_noLocks
  public mutating func set(_ values: SIMD16<Float>) {
    target = values
    steps = .zero
    framesRemaining = 0
  }

  /// Moves smoothly from the current values, plus `offset`, to `values`. [any thread]
  @_noLocks
  public mutating func move(
    to values: SIMD16<Float>, within frames: Int, displacedBy offset: SIMD16<Float> = .zero
  ) {
    let now = self.values + offset
    if framesRemaining > 0, !isStraight {
      let part = Float(frameCount - framesRemaining) / Float(frameCount)
      let scale = Float(frames) / Float(frameCount)
      let slope = mix(FadeShape(speedAt: part))
      curvature = mix(FadeShape(curvatureAt: part)) * (scale * scale)
      speed = slope * scale
    } else {
      speed = steps * Float(frames)
      curvature = .zero
    }
    isStraight = false
    begin(from: now, to: values, frames)
  }

  /// Moves linearly from the current values to `values`. [any thread]
  @_noLocks
  public mutating func ramp(to values: SIMD16<Float>, within frames: Int) {
    isStraight = true
    begin(from: self.values, to: values, frames)
  }

  @_noLocks
  private mutating func begin(
    from now: SIMD16<Float>, to values: SIMD16<Float>, _ frames: Int
  ) {
    start = now
    target = values
    frameCount = max(frames, 1)
    framesRemaining = frameCount
    beginPiece(at: now)
  }

  /// Moves on by `frames` frames. [any thread]
  @_noLocks
  public mutating func advance(by frames: Int) {
    var left = min(frames, framesRemaining)
    while left > 0 {
      let run = min(left, pieceRemaining)
      pieceRemaining -= run
      framesRemaining -= run
      left -= run
      if framesRemaining == 0 {
        steps = .zero
      } else if pieceRemaining == 0 {
        beginPiece(at: pieceEnd)
      }
    }
  }

  @_noLocks
  private mutating func beginPiece(at now: SIMD16<Float>) {
    pieceRemaining =
      isStraight ? framesRemaining : min(max(1, frameCount / pieceCount), framesRemaining)
    let done = frameCount - framesRemaining + pieceRemaining
    pieceEnd =
      done == frameCount
      ? target : start + mix(FadeShape(at: Float(done) / Float(frameCount)))
    steps = (pieceEnd - now) / Float(pieceRemaining)
  }

  @_noLocks @inline(__always)
  private func mix(_ shape: FadeShape) -> SIMD16<Float> {
    (target - start) * shape.target + speed * shape.speed + curvature * shape.curvature
  }
}
