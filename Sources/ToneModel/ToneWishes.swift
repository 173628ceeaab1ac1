// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What the control thread and the render thread of a tone tell each other.
struct ToneWishes: ~Copyable {
  /// In Hz.
  let frequency: Atomic<UInt64>
  /// Linear gain.
  let amplitude: Atomic<UInt64>
  /// The value of `kToneGeneratorParam_Waveform`.
  let waveform: Atomic<UInt32>
  /// Whether the tone shall end.
  let isClosed = Atomic(false)
  /// The frame at which it shall have ended.
  let endFrame = Atomic(Int.max)
  /// Silent frames after the tone before it counts as over, until which a device has played it.
  let silentFrames = Atomic(0)

  /// Frames rendered so far.
  let frameCount = Atomic(0)
  /// Whether the tone has ended: faded out, and played.
  let isOver = Atomic(false)
  /// The largest sample since somebody looked, as the bits of a Float.
  let peak = Atomic<UInt32>(0)

  init(_ tone: Tone) {
    frequency = Atomic(tone.frequency.bitPattern)
    amplitude = Atomic(tone.amplitude.bitPattern)
    waveform = Atomic(tone.waveform.parameterValue.bitPattern)
  }
}
