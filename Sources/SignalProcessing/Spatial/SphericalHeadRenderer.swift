// SPDX-License-Identifier: Apache-2.0

/// Renders a moving sound for both ears of a spherical head: delays and shadows move linearly.
///
/// Uses plain memory; the owner deallocates it.
public struct SphericalHeadRenderer: BitwiseCopyable, @unchecked Sendable {
  /// Maximum frames per render.
  public static var pieceFrames: Int { @_noLocks get { 64 } }

  private let head: SphericalHead
  private let delay: EarDelay
  private let delayed: UnsafeMutablePointer<Float>
  private var left = SphericalHead.State()
  private var right = SphericalHead.State()
  /// Alpha of the left ear and of the right ear, then their delays.
  private var target = SIMD4<Float>.zero
  private var step = SIMD4<Float>.zero
  private var framesRemaining = 0

  /// Makes a renderer with a silent history. [control thread]
  public init(_ head: SphericalHead, delay: EarDelay) {
    self.head = head
    self.delay = delay
    delayed = .allocate(capacity: Self.pieceFrames)
    delayed.initialize(repeating: 0, count: Self.pieceFrames)
  }

  /// Frees the memory; nothing may use it afterwards. [control thread]
  public func deallocate() { delayed.deallocate() }

  /// Earlier frames that are read when a sound starts; later renders need fewer. [any thread]
  public static func reach(_ head: SphericalHead) -> Int {
    head.longestDelay + EarDelay.reach + pieceFrames
  }

  /// Starts at a direction as if the sound had been there for a while. `now` is the next frame,
  /// after `reach` earlier frames. [render thread]
  @_noLocks
  public mutating func begin(
    toward direction: SIMD3<Float>, delaysEars: Bool, after now: UnsafePointer<Float>
  ) {
    (target, step, framesRemaining) = (lanes(direction, delaysEars), .zero, 0)
    (left, right) = (.init(), .init())
    filter(now - Self.pieceFrames, to: nil, Self.pieceFrames, gain: 0, gainStep: 0)
  }

  /// Moves to a direction within `frames`. [render thread]
  @_noLocks
  public mutating func move(toward direction: SIMD3<Float>, delaysEars: Bool, within frames: Int) {
    let before = target - step * Float(framesRemaining)
    target = lanes(direction, delaysEars)
    step = (target - before) / Float(frames)
    framesRemaining = frames
  }

  /// How many of the next `count` frames can be rendered together. [render thread]
  @_noLocks
  public func run(of count: Int) -> Int {
    let run = min(count, Self.pieceFrames)
    return framesRemaining > 0 ? min(run, framesRemaining) : run
  }

  @_noLocks
  private func lanes(_ direction: SIMD3<Float>, _ delaysEars: Bool) -> SIMD4<Float> {
    let ears = head.ears(toward: direction)
    let delays: SIMD2 = delaysEars ? SIMD2(ears.left.delay, ears.right.delay) : .zero
    return SIMD4(ears.left.alpha, ears.right.alpha, delays.x, delays.y)
  }

  /// Adds the output of both ears for as many frames as `run(of:)` allows, at a gain that changes
  /// by `gainStep` per frame. `now` is the first frame, after `reach` earlier frames.
  /// [render thread]
  @_noLocks
  public mutating func render(
    _ now: UnsafePointer<Float>, to left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>, count: Int, gain: Float, gainStep: Float
  ) {
    filter(now, to: (left, right), count, gain: gain, gainStep: gainStep)
    framesRemaining -= min(count, framesRemaining)
    if framesRemaining == 0 { step = .zero }
  }

  @_noLocks
  private mutating func filter(
    _ now: UnsafePointer<Float>,
    to outputs: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)?, _ count: Int,
    gain: Float, gainStep: Float
  ) {
    let value = target - step * Float(framesRemaining)
    let longest = head.longestDelay
    delay.read(
      now, into: delayed, count: count, delay: value.z, step: step.z, longest: longest)
    left.shadow(head, delayed, count: count, alpha: value.x, alphaStep: step.x)
    if let outputs {
      MixKernel.add(delayed, to: outputs.0, count: count, gain: gain, step: gainStep)
    }
    delay.read(
      now, into: delayed, count: count, delay: value.w, step: step.w, longest: longest)
    right.shadow(head, delayed, count: count, alpha: value.y, alphaStep: step.y)
    if let outputs {
      MixKernel.add(delayed, to: outputs.1, count: count, gain: gain, step: gainStep)
    }
  }
}
