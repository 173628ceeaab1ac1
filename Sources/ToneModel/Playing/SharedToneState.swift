// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The values shared by the control and the render thread of a tone: targets and results.
struct SharedToneState: ~Copyable {
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
  /// The initial phase in degrees.
  let startPhase: Atomic<UInt64>
  /// The plan of the noise band; nil until there is a band.
  let band: Atomic<UnsafePointer<BandPlan>?>
  /// Periods on and off, as `ToneBurst.bits`.
  let burst: Atomic<UInt64>
  /// The plan of the sweep; nil without one.
  let sweep: Atomic<UnsafePointer<SweepPlan>?>
  /// The plan of the timing; nil until there is a timing.
  let timing: Atomic<UnsafePointer<TimingPlan>?>
  /// The sound of a file; nil for other waveforms.
  let sound: Atomic<UnsafePointer<SoundPlan>?>
  /// The sound that the render thread has adopted last; it reads no earlier one any more.
  let adoptedSound: Atomic<UnsafePointer<SoundPlan>?>
  /// Whether the tone is to end.
  let isClosed = Atomic(false)
  /// The frame at which it is to have ended.
  let endFrame = Atomic(Int.max)
  /// The frames of silence until a device has played the tone's end, and it counts as over.
  let silentFrames = Atomic(0)

  /// Frames rendered so far.
  let frameCount = Atomic(0)
  /// Whether the tone has ended: faded out, and played.
  let isOver = Atomic(false)
  /// The largest sample since the last query, as the bits of a Float.
  let peak = Atomic<UInt32>(0)
  /// The current frequency, in Hz.
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
    timing = Atomic(nil)
    sound = Atomic(nil)
    adoptedSound = Atomic(nil)
    reachedFrequency = Atomic(tone.firstFrequency.bitPattern)
  }

  /// [control thread] Sets the targets of another tone, except its sweep and band.
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
    tone.waveform.crossesZero ? tone.burst?.bits ?? 0 : 0
  }
}
