// SPDX-License-Identifier: Apache-2.0

/// The frames and beats of a slice. [render thread]
struct SliceTime {
  private let plan: UnsafeMutablePointer<PlanHeader>
  private let state: UnsafeMutablePointer<PlayState>
  let frameCount: Int
  var startBeat = 0.0
  var endBeat = 0.0

  @_noLocks
  init(
    _ plan: UnsafeMutablePointer<PlanHeader>, _ state: UnsafeMutablePointer<PlayState>,
    _ frameCount: Int
  ) {
    (self.plan, self.state, self.frameCount) = (plan, state, frameCount)
  }

  /// The seconds of the sequence that one frame lasts.
  private var step: Double { @_noLocks get { plan.pointee.rate / plan.pointee.sampleRate } }

  /// The seconds at a frame of the slice.
  @_noLocks
  func seconds(_ frame: Double) -> Double {
    state.pointee.baseSeconds + (Double(state.pointee.frame) + frame) * step
  }

  /// The frame of the slice that is nearest to a beat.
  @_noLocks
  func frame(_ beat: Double) -> UInt32 {
    let frame =
      (plan.pointee.seconds(beat) - state.pointee.baseSeconds) / step - Double(state.pointee.frame)
    guard frame > 0, frameCount > 0 else { return 0 }
    return UInt32(min(frame + 0.5, Double(frameCount - 1)))
  }

  /// A frame as a unit counts it, whose rate may be another one.
  @_noLocks
  static func scaled(_ frame: UInt32, by scale: Double) -> UInt32 {
    UInt32(min(max(0, Double(frame) * scale + 0.5), 4e9))
  }
}
