// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The values exchanged by the control and the render thread of a tone.
struct ToneWishes: ~Copyable {
  /// In Hz.
  let frequency: Atomic<UInt64>
  /// Linear gain.
  let amplitude: Atomic<UInt64>
  /// The value of `kToneGeneratorParam_Waveform`.
  let waveform: Atomic<UInt32>
  /// Percent.
  let dutyCycle: Atomic<UInt64>
  /// Degrees between the channels.
  let phase: Atomic<UInt64>
  /// Degrees at which the wave begins.
  let startPhase: Atomic<UInt64>
  /// What is left of noise, once there was something.
  let band: Atomic<UnsafePointer<BandPlan>?>
  /// Periods on and off, as `ToneBurst.bits`.
  let burst: Atomic<UInt64>
  /// What leads the frequency, when there is something.
  let sweep: Atomic<UnsafePointer<SweepPlan>?>
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
  /// The largest sample since the last query, as the bits of a Float.
  let peak = Atomic<UInt32>(0)
  /// The frequency that has been reached, in Hz.
  let reachedFrequency: Atomic<UInt64>

  init(_ tone: Tone, isMuted: Bool) {
    frequency = Atomic(tone.frequency.bitPattern)
    amplitude = Atomic(isMuted ? 0 : tone.amplitude.bitPattern)
    waveform = Atomic(tone.waveform.parameterValue.bitPattern)
    dutyCycle = Atomic(tone.dutyCycle.bitPattern)
    phase = Atomic(tone.phase.bitPattern)
    startPhase = Atomic(tone.startPhase.bitPattern)
    band = Atomic(nil)
    burst = Atomic(Self.burst(of: tone))
    sweep = Atomic(nil)
    reachedFrequency = Atomic(tone.firstFrequency.bitPattern)
  }

  /// [control thread] Wishes for another tone, but for its sweep.
  borrowing func set(_ tone: Tone, isMuted: Bool) {
    frequency.store(tone.frequency.bitPattern, ordering: .relaxed)
    amplitude.store(isMuted ? 0 : tone.amplitude.bitPattern, ordering: .relaxed)
    waveform.store(tone.waveform.parameterValue.bitPattern, ordering: .relaxed)
    dutyCycle.store(tone.dutyCycle.bitPattern, ordering: .relaxed)
    phase.store(tone.phase.bitPattern, ordering: .relaxed)
    startPhase.store(tone.startPhase.bitPattern, ordering: .relaxed)
    burst.store(Self.burst(of: tone), ordering: .relaxed)
  }

  private static func burst(of tone: Tone) -> UInt64 {
    tone.waveform.isPeriodic ? tone.burst?.bits ?? 0 : 0
  }
}
