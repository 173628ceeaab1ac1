// SPDX-License-Identifier: Apache-2.0
import SignalProcessing

/// Gains that a host sets for an input instead of those of its pan
/// (`kAudioUnitProperty_MatrixLevels`), and the linear fades between both.
///
/// Lane 2 i + o is the gain from channel i of the input to channel o of the output.
struct MatrixLevels: BitwiseCopyable {
  private var target = SIMD4<Float>.zero
  private var step = SIMD4<Float>.zero
  /// Frames until the gains are constant.
  private(set) var framesRemaining = 0
  /// Whether they replace the gains of the pan.
  private(set) var isOn = false
  /// Whether they are fading back to the gains of the pan.
  private var isReturning = false

  @_noLocks
  init() {}

  /// Whether the gains are changing.
  var isMoving: Bool { @_noLocks get { framesRemaining > 0 } }
  /// The gains at the next frame.
  var value: SIMD4<Float> { @_noLocks get { target - step * Float(framesRemaining) } }

  /// [render thread] Follows the host's gains `requested`, or unless `isRequested` the gains of the
  /// pan, `panned`. `fade` is the length of a fade in frames; 0 is immediate.
  @_noLocks
  mutating func follow(
    _ requested: SIMD4<Float>, isRequested: Bool, panned: SIMD4<Float>, fade: Int
  ) {
    if isRequested {
      if !isOn {
        jump(to: panned)
        isOn = true
        move(to: requested, within: fade)
      } else if isReturning || target != requested {
        move(to: requested, within: fade)
      }
      isReturning = false
    } else if isOn, !isReturning || target != panned {
      isReturning = true
      move(to: panned, within: fade)
    }
  }

  /// [render thread] Advances by some frames.
  @_noLocks
  mutating func advance(_ frames: Int) {
    framesRemaining -= min(frames, framesRemaining)
    if framesRemaining == 0 { finish() }
  }

  /// [render thread] Jumps to the target.
  @_noLocks
  mutating func finish() {
    jump(to: target)
    if isReturning { (isOn, isReturning) = (false, false) }
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
