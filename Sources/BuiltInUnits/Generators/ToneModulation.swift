// SPDX-License-Identifier: Apache-2.0
import SignalProcessing

/// The modulation of a tone's amplitude and frequency by sines.
///
/// Both sines begin at zero and rise. The modulated tone peaks at its amplitude: without the
/// modulation it would be lower by one plus the depth. The frequency is computed for each frame, so
/// that the sidebands of a sine are those of Bessel functions at any modulation frequency.
struct ToneModulation: BitwiseCopyable {
  private let sampleRate: Double
  private var amplitudePhase = PhaseAccumulator()
  private var frequencyPhase = PhaseAccumulator()
  private var amplitudeIncrement: UInt64 = 0
  private var frequencyIncrement: UInt64 = 0
  /// What makes the deviation of a sum over frames that of an integral.
  private var correction = 1.0
  /// The depth in percent and the deviation in Hz.
  private var settings: ParameterSmoother

  /// [control thread] No modulation; immediate changes of depth and deviation take some frames.
  init(sampleRate: Double, frames: Int) {
    self.sampleRate = sampleRate
    settings = ParameterSmoother(frames: frames)
  }

  /// [render thread] Both sines begin again; the next values take effect immediately.
  @_noLocks
  mutating func reset() {
    amplitudePhase = PhaseAccumulator()
    frequencyPhase = PhaseAccumulator()
    settings.reset()
  }

  /// [render thread] Sets the values that apply from the next frame on: a frequency in Hz, and depth
  /// or deviation with its change per frame.
  @_noLocks
  mutating func follow(
    am: (frequency: Double, depth: Float, step: Float),
    fm: (frequency: Double, deviation: Float, step: Float)
  ) {
    settings.follow(SIMD4(am.depth, fm.deviation, 0, 0), steps: SIMD4(am.step, fm.step, 0, 0))
    amplitudeIncrement = PhaseAccumulator.fixedPoint(cycles: am.frequency / sampleRate)
    let increment = PhaseAccumulator.fixedPoint(cycles: fm.frequency / sampleRate)
    guard increment != frequencyIncrement else { return }
    frequencyIncrement = increment
    let angle = Double.pi * min(fm.frequency / sampleRate, 0.5)
    correction = angle > 0 ? Math.sine(angle) / angle : 1
  }

  /// [render thread] How many of the next `count` frames depend linearly on depth and deviation.
  @_noLocks
  func run(of count: Int) -> Int { settings.run(of: count) }

  /// [render thread] Whether the amplitude changes in this run.
  var movesAmplitude: Bool {
    @_noLocks get { settings.values[0] != 0 || settings.steps[0] != 0 }
  }

  /// [render thread] Whether the frequency changes in this run.
  var movesFrequency: Bool {
    @_noLocks get { settings.values[1] != 0 || settings.steps[1] != 0 }
  }

  /// [render thread] Writes the modulated frequency of each frame of this run, in Hz. Without the
  /// modulation it begins at `frequency` and changes by `step` per frame.
  @_noLocks
  func findFrequencies(
    _ frequencies: UnsafeMutablePointer<Double>, _ count: Int, around frequency: Double,
    step: Double
  ) {
    let (deviation, deviationStep) = (settings.values[1], settings.steps[1])
    for frame in 0..<count {
      // In the middle between this frame and the next, between which the phase moves.
      let place = UInt64(truncatingIfNeeded: 2 * frame + 1) &* (frequencyIncrement / 2)
      let sine = SineKernel.sine(ofPhase: frequencyPhase.phase &+ place)
      let peak = Double(deviation + deviationStep * Float(frame)) * correction
      frequencies[frame] = frequency + step * Double(frame) + Double(sine) * peak
    }
  }

  /// [render thread] Modulates the amplitude of this run.
  @_noLocks
  func apply(to samples: UnsafeMutablePointer<Float>, _ count: Int) {
    var phase = amplitudePhase.phase
    for frame in 0..<count {
      let depth = (settings.values[0] + settings.steps[0] * Float(frame)) / 100
      samples[frame] *= (1 + depth * SineKernel.sine(ofPhase: phase)) / (1 + depth)
      phase &+= amplitudeIncrement
    }
  }

  /// [render thread] Moves on by at most the frames that `run(of:)` returned.
  @_noLocks
  mutating func advance(by frameCount: Int) {
    settings.advance(by: frameCount)
    amplitudePhase.advance(by: frameCount, increment: amplitudeIncrement)
    frequencyPhase.advance(by: frameCount, increment: frequencyIncrement)
  }
}
