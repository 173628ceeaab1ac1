// SPDX-License-Identifier: Apache-2.0

/// A linear change over a number of frames, after which the target is held.
///
/// Values are computed from the target, not accumulated, so that a long ramp does not drift and
/// reaches its target exactly.
public struct Ramp: BitwiseCopyable, Sendable {
  /// Value held once the ramp has ended.
  public private(set) var target: Float
  /// Frames until the target is reached; zero while the value holds.
  public private(set) var framesRemaining = 0
  /// Change per frame; zero while the value holds.
  public private(set) var step: Float = 0

  /// Holds `value`. [any thread]
  @_noLocks
  public init(_ value: Float) { target = value }

  /// Value at the next frame. [any thread]
  public var value: Float {
    @_noLocks get { target - step * Float(framesRemaining) }
  }

  /// Value `frame` frames later; the result is the same from whichever frame it is computed.
  /// [any thread]
  @_noLocks
  public func value(at frame: Int) -> Float {
    target - step * Float(max(framesRemaining - frame, 0))
  }

  /// Jumps to `value` and holds it. [any thread]
  @_noLocks
  public mutating func set(_ value: Float) {
    target = value
    framesRemaining = 0
    step = 0
  }

  /// Ramps from the current value to `value` within `frameCount` frames. [any thread]
  @_noLocks
  public mutating func move(to value: Float, within frameCount: Int) {
    guard frameCount > 0 else { return set(value) }
    step = (value - self.value) / Float(frameCount)
    target = value
    framesRemaining = frameCount
  }

  /// Moves on by `frameCount` frames. [any thread]
  @_noLocks
  public mutating func advance(by frameCount: Int) {
    framesRemaining -= min(frameCount, framesRemaining)
    if framesRemaining == 0 { step = 0 }
  }
}
