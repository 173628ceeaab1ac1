// SPDX-License-Identifier: Apache-2.0

/// A value that moves smoothly to its target within a number of frames, and then stays there.
///
/// `FadeShape` is its shape. Values are computed from the position in the fade, not accumulated:
/// they do not depend on the steps in which it advances.
public struct Fade: BitwiseCopyable, Sendable {
  /// Value held once the fade has ended.
  public private(set) var target: Float
  /// Frames until the target is reached; zero while the value holds.
  public private(set) var framesRemaining = 0
  private var frameCount = 1
  /// Value, speed and curvature at the beginning; the latter per whole fade.
  private var start: Float
  private var speed: Float = 0
  private var curvature: Float = 0

  /// Holds `value`. [any thread]
  @_noLocks
  public init(_ value: Float) {
    target = value
    start = value
  }

  /// Value at the next frame. [any thread]
  public var value: Float { @_noLocks get { value(at: 0) } }

  /// Value `frame` frames later; the result is the same from whichever frame it is computed.
  /// [any thread]
  @_noLocks
  public func value(at frame: Int) -> Float {
    guard frame < framesRemaining else { return target }
    return mix(FadeShape(at: part(frame)))
  }

  /// Jumps to `value` and holds it. [any thread]
  @_noLocks
  public mutating func set(_ value: Float) {
    (target, start) = (value, value)
    framesRemaining = 0
  }

  /// Moves from the current value to `value` within `frames` frames. [any thread]
  @_noLocks
  public mutating func move(to value: Float, within frames: Int) {
    guard frames > 0 else { return set(value) }
    let now = self.value
    if framesRemaining > 0 {
      let (scale, part) = (Float(frames) / Float(frameCount), part(0))
      let distance = target - start
      let slope = FadeShape(speedAt: part)
      let bend = FadeShape(curvatureAt: part)
      let newSpeed = distance * slope.target + speed * slope.speed + curvature * slope.curvature
      curvature = distance * bend.target + speed * bend.speed + curvature * bend.curvature
      speed = newSpeed * scale
      curvature *= scale * scale
    } else {
      (speed, curvature) = (0, 0)
    }
    start = now
    target = value
    frameCount = frames
    framesRemaining = frames
  }

  /// Moves on by `frames` frames. [any thread]
  @_noLocks
  public mutating func advance(by frames: Int) { framesRemaining -= min(frames, framesRemaining) }

  /// Writes the values of the next `count` frames, and moves on by them. [any thread]
  @_noLocks
  public mutating func write(into values: UnsafeMutablePointer<Float>, count: Int) {
    for frame in 0..<count { values[frame] = value(at: frame) }
    advance(by: count)
  }

  @_noLocks @inline(__always)
  private func part(_ frame: Int) -> Float {
    Float(frameCount - framesRemaining + frame) / Float(frameCount)
  }

  @_noLocks @inline(__always)
  private func mix(_ shape: FadeShape) -> Float {
    start + (target - start) * shape.target + speed * shape.speed + curvature * shape.curvature
  }
}
