// SPDX-License-Identifier: Apache-2.0
import SignalProcessing

/// Gains that a host sets for an input in the place of those of its pan, and the way to them and
/// back: a straight line.
///
/// Lane 2 i + o is from channel i of the input to channel o of the output.
struct OwnLevels: BitwiseCopyable {
  private var target = SIMD4<Float>.zero
  private var step = SIMD4<Float>.zero
  /// Frames until they hold.
  private(set) var framesRemaining = 0
  /// Whether they stand in the place of the pan's.
  private(set) var isOn = false
  /// Whether they are on the way back to the pan's.
  private var isLeaving = false

  @_noLocks
  init() {}

  /// Whether they change within the next frames.
  var isMoving: Bool { @_noLocks get { framesRemaining > 0 } }
  /// The gains at the next frame.
  var value: SIMD4<Float> { @_noLocks get { target - step * Float(framesRemaining) } }

  /// [render thread] Takes over what the host wants: `wanted`, or the pan's gains, which are
  /// `panned` now. `fade` is the frames that a change takes; 0: at once.
  @_noLocks
  mutating func follow(
    _ wanted: SIMD4<Float>, isWanted: Bool, panned: SIMD4<Float>, fade: Int
  ) {
    if isWanted {
      if !isOn {
        jump(to: panned)
        isOn = true
        move(to: wanted, within: fade)
      } else if isLeaving || target != wanted {
        move(to: wanted, within: fade)
      }
      isLeaving = false
    } else if isOn, !isLeaving || target != panned {
      isLeaving = true
      move(to: panned, within: fade)
    }
  }

  /// [render thread] Passes frames.
  @_noLocks
  mutating func advance(_ frames: Int) {
    framesRemaining -= min(frames, framesRemaining)
    if framesRemaining == 0 { arrive() }
  }

  /// [render thread] Arrives.
  @_noLocks
  mutating func arrive() {
    jump(to: target)
    if isLeaving { (isOn, isLeaving) = (false, false) }
  }

  @_noLocks
  private mutating func jump(to gains: SIMD4<Float>) {
    (target, step, framesRemaining) = (gains, .zero, 0)
  }

  @_noLocks
  private mutating func move(to gains: SIMD4<Float>, within frames: Int) {
    guard frames > 0 else { return jump(to: gains) }
    step = (gains - value) / Float(frames)
    (target, framesRemaining) = (gains, frames)
  }
}
