// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

extension ParameterSpec {
  /// The accepted volumes: programs may amplify. With gains up to a million no sum becomes
  /// infinite.
  static let anyGain: ClosedRange<Float> = -1e6...1e6
}

/// Smooths a parameter: an immediate change fades within a few milliseconds (`Fade`), and a ramp is
/// followed frame by frame.
struct Fader: BitwiseCopyable {
  private var fade = Fade(0)
  private var ramp = Ramp(0)
  /// Whether the value is that of the ramp.
  private var isRamping = false
  /// Whether it has a value.
  private(set) var isSet = false

  /// Makes a fader without a value: the first one takes effect immediately.
  @_noLocks
  init() {}

  /// The time in seconds of the fade after an immediate change.
  static let fadeTime = 0.005

  /// [control thread] The fade time in frames.
  static func frames(at sampleRate: Double) -> Int {
    max(1, Int((fadeTime * sampleRate).rounded()))
  }

  /// Whether the value changes within the next frames.
  var isMoving: Bool { @_noLocks get { framesRemaining > 0 } }
  /// Whether it changes along the curve of a fade; a ramp is linear.
  var isFading: Bool { @_noLocks get { !isRamping && fade.framesRemaining > 0 } }
  /// The value at the next frame.
  var value: Float { @_noLocks get { isRamping ? ramp.value : fade.value } }
  /// Frames until the value is constant.
  var framesRemaining: Int {
    @_noLocks get { isRamping ? ramp.framesRemaining : fade.framesRemaining }
  }

  /// [render thread] Clears the value: the next one takes effect immediately.
  @_noLocks
  mutating func reset() { isSet = false }

  /// [render thread] Follows the parameter's value for a slice of `frames`; `fade` is the length of
  /// the fade after an immediate change, in frames.
  @_noLocks
  mutating func follow(_ value: Float, step: Float, frames: Int, fade: Int) {
    if step != 0 {
      ramp.set(value)
      ramp.move(to: value + step * Float(frames), within: frames)
      isRamping = true
    } else {
      if isRamping {
        self.fade.set(ramp.value)
        isRamping = false
      }
      if !isSet {
        self.fade.set(value)
      } else if value != self.fade.target {
        self.fade.move(to: value, within: fade)
      }
    }
    isSet = true
  }

  /// [render thread] Advances by some frames.
  @_noLocks
  mutating func advance(_ frames: Int) {
    if isRamping { ramp.advance(by: frames) } else { fade.advance(by: frames) }
  }

  /// [render thread] Writes the values of the next frames, and advances by them.
  @_noLocks
  mutating func write(into values: UnsafeMutablePointer<Float>, _ frames: Int) {
    guard isRamping else { return fade.write(into: values, count: frames) }
    for frame in 0..<frames { values[frame] = ramp.value(at: frame) }
    ramp.advance(by: frames)
  }

  /// [render thread] Jumps to the target, while nothing is audible.
  @_noLocks
  mutating func finish() {
    if isRamping { ramp.set(ramp.target) } else { fade.set(fade.target) }
  }
}
