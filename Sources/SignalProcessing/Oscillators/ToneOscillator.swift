// SPDX-License-Identifier: Apache-2.0

/// A generator of test tones and noise: sample accurate, continuous in phase, free of aliases.
///
/// Frequency, level, duty and phase offset may each change linearly within a run of frames. The
/// sound does not depend on how it is cut into runs.
///
/// Levels: a periodic waveform of amplitude 1 has its ideal peak at 1 (the sine exactly; see
/// `BandLimitedWaves` for the others). White noise lies within ±1, at an RMS of 0.577 (-4.8 dB).
/// Pink noise has an RMS of 0.2 (-14 dB); about one sample in a million lies beyond ±1.
public struct ToneOscillator: Sendable {
  /// RMS of pink noise of amplitude 1.
  public static let pinkLevel = 0.2

  /// Sample rate in Hz.
  public let sampleRate: Double
  /// Position in the cycle, before the phase offset; it goes on through every waveform.
  public private(set) var phase = PhaseAccumulator()

  private let waves = BandLimitedWaves()
  private var seed: UInt64
  private var random: Xoshiro256
  private var pinkFilter: PinkFilter
  private let pinkGain: Float

  /// Makes an oscillator for a sample rate in Hz; equal seeds give equal noise. [control thread]
  public init(sampleRate: Double, seed: UInt64 = 1) {
    self.sampleRate = sampleRate
    self.seed = seed
    random = Xoshiro256(seed: seed)
    pinkFilter = PinkFilter(sampleRate: sampleRate)
    // White samples have an RMS of 1 / √3.
    pinkGain = Float(Self.pinkLevel * 3.0.squareRoot())
  }

  /// Goes back to phase zero and to the beginning of the noise. [render thread]
  @_noLocks
  public mutating func reset() {
    phase = PhaseAccumulator()
    random = Xoshiro256(seed: seed)
    pinkFilter.reset()
  }

  /// Takes the noise of another seed from its beginning; goes on where the seed is the same. [render
  /// thread]
  @_noLocks
  public mutating func setSeed(_ seed: UInt64) {
    guard seed != self.seed else { return }
    self.seed = seed
    random = Xoshiro256(seed: seed)
  }

  /// Passes `count` frames of a tone without making its sound. [any thread]
  ///
  /// The phase ends where rendering those frames would have left it.
  @_noLocks
  public mutating func skip(_ count: Int, frequency: Double, frequencyStep: Double = 0) {
    phase.advance(
      by: count, increment: increment(frequency), incrementStep: increment(frequencyStep))
  }

  /// Writes `count` samples. [render thread]
  ///
  /// - Parameters:
  ///   - output: Memory for `count` samples.
  ///   - count: Number of frames.
  ///   - waveform: What to write; a change of it keeps the phase.
  ///   - frequency: Frequency at the first frame, in Hz.
  ///   - frequencyStep: Change of frequency per frame, in Hz.
  ///   - amplitude: Level at the first frame, linear.
  ///   - amplitudeStep: Change of level per frame.
  ///   - duty: Share of the period at which a square is high, 0.01 to 0.99.
  ///   - dutyStep: Change of duty per frame.
  ///   - phaseOffset: What is added to the phase, in cycles of any number and sign.
  ///   - phaseOffsetStep: Change of the offset per frame, in cycles.
  @_noLocks
  public mutating func render(
    into output: UnsafeMutablePointer<Float>, count: Int, waveform: Waveform, frequency: Double,
    frequencyStep: Double = 0, amplitude: Float, amplitudeStep: Float = 0, duty: Float = 0.5,
    dutyStep: Float = 0, phaseOffset: Double = 0, phaseOffsetStep: Double = 0
  ) {
    guard count > 0 else { return }
    let increment = increment(frequency)
    let incrementStep = self.increment(frequencyStep)
    var run = Run(
      count: count, phase: phase.phase &+ PhaseAccumulator.fixedPoint(cycles: phaseOffset),
      increment: increment &+ PhaseAccumulator.fixedPoint(cycles: phaseOffsetStep),
      incrementStep: incrementStep, frequency: frequency / sampleRate,
      frequencyStep: frequencyStep / sampleRate, amplitude: amplitude, amplitudeStep: amplitudeStep)
    let waves = waves
    switch waveform {
    case .sine:
      SineKernel.render(
        into: output, count: count, phase: run.phase, increment: run.increment,
        incrementStep: incrementStep, amplitude: amplitude, amplitudeStep: amplitudeStep)
    case .square:
      var duty = Double(duty)
      run.render(into: output) { phase, period in
        let limited = min(max(duty, 0.01), 0.99)
        duty += Double(dutyStep)
        return waves.square(phase: phase, period: period, duty: limited)
      }
    case .triangle:
      run.render(into: output) { waves.triangle(phase: $0, period: $1) }
    case .saw:
      run.render(into: output) { waves.saw(phase: $0, period: $1) }
    case .whiteNoise:
      for index in 0..<count {
        output[index] = random.nextSample() * (amplitude + amplitudeStep * Float(index))
      }
    case .pinkNoise:
      for index in 0..<count {
        let sample = Float(pinkFilter.filter(Double(random.nextSample())))
        output[index] = sample * pinkGain * (amplitude + amplitudeStep * Float(index))
      }
    }
    phase.advance(by: count, increment: increment, incrementStep: incrementStep)
  }

  /// Fixed-point form of a frequency in Hz.
  @inline(__always) @_noLocks
  private func increment(_ frequency: Double) -> UInt64 {
    frequency == 0 ? 0 : PhaseAccumulator.fixedPoint(cycles: frequency / sampleRate)
  }
}

extension ToneOscillator {
  /// The frames of one call, for the waveforms that are computed one sample at a time.
  private struct Run {
    let count: Int
    var phase: UInt64
    var increment: UInt64
    let incrementStep: UInt64
    /// Cycles per frame at the first frame, and their change per frame.
    let frequency: Double
    let frequencyStep: Double
    let amplitude: Float
    let amplitudeStep: Float

    /// Writes `wave` of each frame's phase, in cycles, and period, in frames.
    @inline(__always) @_noLocks
    mutating func render(
      into output: UnsafeMutablePointer<Float>,
      wave: (_ phase: Double, _ period: Double) -> Float
    ) {
      // Slower than a cycle in thirty years, a period is no longer a finite number of frames.
      let lowest = 1e-14
      for index in 0..<count {
        let present = max((frequency + Double(index) * frequencyStep).magnitude, lowest)
        let sample = wave(PhaseAccumulator(phase: phase).cycles, 1 / present)
        output[index] = sample * (amplitude + amplitudeStep * Float(index))
        phase &+= increment
        increment &+= incrementStep
      }
    }
  }
}
