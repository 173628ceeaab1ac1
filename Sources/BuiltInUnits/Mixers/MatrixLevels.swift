// SPDX-License-Identifier: Apache-2.0
import SignalProcessing

/// Gains that a host sets for an input instead of those of its pan
/// (`kAudioUnitProperty_MatrixLevels`), and the fades between both.
///
/// Lane 2 i + o is the gain from channel i of the input to channel o of the output.
struct MatrixLevels: BitwiseCopyable {
  /// The gains are its first four lanes.
  private var lanes = FadeLanes()
  /// Whether they replace the gains of the pan.
  private(set) var isOn = false
  /// Whether they are fading back to the gains of the pan.
  private var isReturning = false

  @_noLocks
  init() {}

  /// Whether the gains are changing.
  var isMoving: Bool { @_noLocks get { lanes.framesRemaining > 0 } }
  /// The gains at the next frame.
  var value: SIMD4<Float> { @_noLocks get { lanes.values.lowHalf.lowHalf } }
  private var target: SIMD4<Float> { @_noLocks get { lanes.target.lowHalf.lowHalf } }

  /// [render thread] Follows the host's gains `requested`, or unless `isRequested` the gains of the
  /// pan, `panned`. `fade` is the length of a fade in frames; 0 is immediate.
  @_noLocks
  mutating func follow(
    _ requested: SIMD4<Float>, isRequested: Bool, panned: SIMD4<Float>, fade: Int
  ) {
    if isRequested {
      if !isOn {
        move(to: panned, within: 0)
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
    lanes.advance(by: frames)
    if !isMoving { finish() }
  }

  /// [render thread] Jumps to the target.
  @_noLocks
  mutating func finish() {
    lanes.set(lanes.target)
    if isReturning { (isOn, isReturning) = (false, false) }
  }

  @_noLocks
  private mutating func move(to gains: SIMD4<Float>, within frames: Int) {
    let target = SIMD16(lowHalf: SIMD8(lowHalf: gains, highHalf: .zero), highHalf: .zero)
    if frames > 0 { lanes.move(to: target, within: frames) } else { lanes.set(target) }
  }
}
