// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

extension ParameterSpec {
  /// What volumes may be set to: programs amplify by them. Of a gain of a million no sum becomes
  /// infinite.
  static let anyGain: ClosedRange<Float> = -1e6...1e6
}

/// A parameter on its way into the sound: what a host sets at once is reached within a few
/// milliseconds, what it ramps is followed frame by frame.
struct Fader: BitwiseCopyable {
  private(set) var ramp = Ramp(0)
  /// Whether it has followed a value yet.
  private(set) var isSet = false

  /// The first value is taken at once.
  @_noLocks
  init() {}

  /// Seconds in which a value that was set at once is reached.
  static let fadeTime = 0.005

  /// [control thread] The same in frames.
  static func frames(at sampleRate: Double) -> Int {
    max(1, Int((fadeTime * sampleRate).rounded()))
  }

  /// Whether the value changes within the next frames.
  var isMoving: Bool { @_noLocks get { ramp.framesRemaining > 0 } }
  /// Value at the next frame, and change per frame until the ramp ends.
  var value: Float { @_noLocks get { ramp.value } }
  var step: Float { @_noLocks get { ramp.step } }
  /// Frames until it holds.
  var framesRemaining: Int { @_noLocks get { ramp.framesRemaining } }

  /// [render thread] The next value is taken at once.
  @_noLocks
  mutating func reset() { isSet = false }

  /// [render thread] Takes over what holds for a slice of `frames`; `fade` is the frames that a
  /// change at once takes.
  @_noLocks
  mutating func follow(_ value: Float, step: Float, frames: Int, fade: Int) {
    if step != 0 {
      ramp.set(value)
      ramp.move(to: value + step * Float(frames), within: frames)
    } else if !isSet {
      ramp.set(value)
    } else if value != ramp.target {
      ramp.move(to: value, within: fade)
    }
    isSet = true
  }

  /// [render thread] Passes frames.
  @_noLocks
  mutating func advance(_ frames: Int) {
    if isMoving { ramp.advance(by: frames) }
  }

  /// [render thread] Arrives: nobody hears how.
  @_noLocks
  mutating func arrive() { if isMoving { ramp.set(ramp.target) } }
}
