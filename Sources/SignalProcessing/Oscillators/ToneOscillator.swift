// SPDX-License-Identifier: Apache-2.0

/// A generator of test tones and noise: sample accurate, continuous in phase, free of aliases.
///
/// Frequency, level, duty and phase offset may each change linearly within a run of frames. The
/// output does not depend on the lengths of the runs.
///
/// Levels: the amplitude is the peak. It is exact for a sine, and within 0.05 dB for the other
/// periodic waveforms (`BandLimitedPeaks`), at every frequency and duty at which enough of their
/// partials are below half the sample rate. White noise stays within ±1, at an RMS of 0.577 (-4.8
/// dB). Pink noise has an RMS of 0.2 (-14 dB); the one sample in a million that would exceed ±1 is
/// clipped. Periodic pink noise has that RMS, too, and is never clipped; a maximum-length sequence
/// has an RMS of 1.
///
/// Frequencies are limited to half the sample rate, also while they change: the cost of a run does
/// not depend on its values.
public struct ToneOscillator: BitwiseCopyable, Sendable {
  /// RMS of pink noise of amplitude 1.
  public static let pinkLevel = 0.2

  /// Sample rate in Hz.
  public let sampleRate: Double
  /// Position in the cycle, before the phase offset; it continues through every change of waveform.
  public var phase = PhaseAccumulator()
  /// Frames since the last reset: the position in the waveforms that repeat without a frequency.
  public var frame: UInt64 = 0

  let waves = BandLimitedWaves()
  let peaks = BandLimitedPeaks.shared
  private var seed: UInt64
  private var white: Xoshiro256
  // Has its own generator, so that one noise can be crossfaded to the other.
  private var pink: Xoshiro256
  private var pinkFilter: PinkFilter
  private let pinkGain: Float
  private let periodicNoise: PeriodicNoise

  /// Makes an oscillator for a sample rate in Hz; equal seeds give equal noise, and periodic noise
  /// repeats after about two to the power of `noiseOrder` frames. Periodic noise is silent until it is
  /// prepared, here or later. [control thread]
  public init(
    sampleRate: Double, seed: UInt64 = 1, noiseOrder: Int = PeriodicNoise.standardOrder,
    preparesNoise: Bool = true
  ) {
    self.sampleRate = sampleRate
    self.seed = seed
    periodicNoise = PeriodicNoise.ofOrder(noiseOrder)
    if preparesNoise { periodicNoise.prepare() }
    white = Xoshiro256(seed: seed)
    pink = white
    pinkFilter = PinkFilter(sampleRate: sampleRate)
    // White samples have an RMS of 1 / √3.
    pinkGain = Float(Self.pinkLevel * 3.0.squareRoot())
  }

  /// Whether a waveform can be rendered now: periodic noise has to be prepared. [any thread]
  @_noLocks
  public func isReady(for waveform: Waveform) -> Bool {
    !waveform.needsNoiseTables || periodicNoise.isReady
  }

  /// Returns to phase zero and to the beginning of the noise. [render thread]
  @_noLocks
  public mutating func reset() {
    phase = PhaseAccumulator()
    frame = 0
    white = Xoshiro256(seed: seed)
    pink = white
    pinkFilter.reset()
  }

  /// Restarts the noise with another seed; does nothing if the seed is the same. [render thread]
  @_noLocks
  public mutating func setSeed(_ seed: UInt64) {
    guard seed != self.seed else { return }
    self.seed = seed
    white = Xoshiro256(seed: seed)
    pink = white
  }

  /// Skips `count` frames of a tone without rendering them. [any thread]
  ///
  /// The phase ends where rendering those frames would have left it.
  @_noLocks
  public mutating func skip(_ count: Int, frequency: Double, frequencyStep: Double = 0) {
    var done = 0
    while done < count {
      let line = FrequencyLine(
        from: done, to: count, frequency, step: frequencyStep, limit: sampleRate / 2)
      advance(line)
      done += line.count
    }
  }

  /// Writes `count` samples. [render thread]
  ///
  /// - Parameters:
  ///   - output: Memory for `count` samples.
  ///   - count: Number of frames.
  ///   - waveform: What to write; a change of it keeps the phase.
  ///   - frequency: Frequency at the first frame, in Hz. Below zero the phase runs backwards.
  ///   - frequencyStep: Change of frequency per frame, in Hz.
  ///   - amplitude: Level at the first frame, linear.
  ///   - amplitudeStep: Change of level per frame.
  ///   - duty: Share of the period at which a square is high, 0.01 to 0.99.
  ///   - dutyStep: Change of duty per frame.
  ///   - phaseOffset: What is added to the phase, in cycles of any number and sign.
  ///   - phaseOffsetStep: Change of the offset per frame, in cycles.
  ///   - bits: For the J-test, the bits of a sample, 8 to 24.
  @_noLocks
  public mutating func render(
    into output: UnsafeMutablePointer<Float>, count: Int, waveform: Waveform, frequency: Double,
    frequencyStep: Double = 0, amplitude: Float, amplitudeStep: Float = 0, duty: Float = 0.5,
    dutyStep: Float = 0, phaseOffset: Double = 0, phaseOffsetStep: Double = 0, bits: Int = 24
  ) {
    var done = 0
    while done < count {
      let line = FrequencyLine(
        from: done, to: count, frequency, step: frequencyStep, limit: sampleRate / 2)
      let offset = phaseOffset + phaseOffsetStep * Double(done)
      let run = Run(
        count: line.count, frame: frame,
        phase: phase.phase &+ PhaseAccumulator.fixedPoint(cycles: offset), phaseOffset: offset,
        phaseOffsetStep: phaseOffsetStep, bits: min(max(bits, 8), 24),
        increment: increment(line.start) &+ PhaseAccumulator.fixedPoint(cycles: phaseOffsetStep),
        incrementStep: increment(line.step), frequency: line.start / sampleRate,
        frequencyStep: line.step / sampleRate,
        amplitude: amplitude + amplitudeStep * Float(done), amplitudeStep: amplitudeStep)
      render(
        run, into: output + done, waveform, duty: Double(duty) + Double(dutyStep) * Double(done),
        dutyStep: Double(dutyStep))
      advance(line)
      done += line.count
    }
  }

  @_noLocks
  private mutating func render(
    _ run: Run, into output: UnsafeMutablePointer<Float>, _ waveform: Waveform, duty: Double,
    dutyStep: Double
  ) {
    var run = run
    let (waves, peaks) = (waves, peaks)
    let isConstant = run.frequencyStep == 0 && dutyStep == 0
    var isNearEdge = BandLimitedWaves.isNearEdge(period: run.period(at: 0))
    switch waveform {
    case .sine:
      SineKernel.render(
        into: output, count: run.count, phase: run.phase, increment: run.increment,
        incrementStep: run.incrementStep, amplitude: run.amplitude,
        amplitudeStep: run.amplitudeStep)
    case .square:
      var duty = duty
      var gain = peaks.squareGain(period: run.period(at: 0), duty: min(max(duty, 0.01), 0.99))
      run.render(into: output) { phase, period in
        let limited = min(max(duty, 0.01), 0.99)
        duty += dutyStep
        if !isConstant {
          gain = peaks.squareGain(period: period, duty: limited)
          isNearEdge = BandLimitedWaves.isNearEdge(period: period)
        }
        return waves.square(
          phase: phase, period: period, duty: limited, isNearEdge: isNearEdge) * gain
      }
    case .triangle:
      var gain = peaks.triangleGain(period: run.period(at: 0))
      run.render(into: output) { phase, period in
        if !isConstant {
          gain = peaks.triangleGain(period: period)
          isNearEdge = BandLimitedWaves.isNearEdge(period: period)
        }
        return waves.triangle(phase: phase, period: period, isNearEdge: isNearEdge) * gain
      }
    case .saw:
      var gain = peaks.sawGain(period: run.period(at: 0))
      run.render(into: output) { phase, period in
        if !isConstant {
          gain = peaks.sawGain(period: period)
          isNearEdge = BandLimitedWaves.isNearEdge(period: period)
        }
        return waves.saw(phase: phase, period: period, isNearEdge: isNearEdge) * gain
      }
    case .whiteNoise:
      for index in 0..<run.count {
        output[index] = white.nextSample() * run.level(at: index)
      }
    case .pinkNoise:
      for index in 0..<run.count {
        let sample = Float(pinkFilter.filter(Double(pink.nextSample()))) * pinkGain
        output[index] = min(max(sample, -1), 1) * run.level(at: index)
      }
    default: render(run, withoutFilters: waveform, into: output)
    }
  }

  /// Renders the waveforms whose samples are no samples of a band-limited signal.
  @_noLocks
  private func render(
    _ run: Run, withoutFilters waveform: Waveform, into output: UnsafeMutablePointer<Float>
  ) {
    switch waveform {
    case .maximumLengthSequence:
      periodicNoise.renderSequence(
        into: output, count: run.count, from: run.frame, amplitude: run.amplitude,
        amplitudeStep: run.amplitudeStep)
    case .periodicPinkNoise:
      periodicNoise.renderPink(
        into: output, count: run.count, from: run.frame, amplitude: run.amplitude,
        amplitudeStep: run.amplitudeStep)
    case .jitterTest:
      JitterTest.render(
        into: output, count: run.count, from: run.frame, bits: run.bits, amplitude: run.amplitude,
        amplitudeStep: run.amplitudeStep)
    case .impulse:
      var (phase, increment) = (run.phase, run.increment)
      for index in 0..<run.count {
        // The phase is within half a frame of a whole cycle.
        let isForward = Int64(bitPattern: increment) >= 0
        let length = isForward ? increment : 0 &- increment
        let isHit = (phase &+ length / 2) < length
        output[index] = isHit ? run.level(at: index) : 0
        phase &+= increment
        increment &+= run.incrementStep
      }
    default:
      for index in 0..<run.count {
        let offset = run.phaseOffset + run.phaseOffsetStep * Double(index)
        let phase = PhaseAccumulator.fixedPoint(cycles: offset + 0.25)
        output[index] = SineKernel.sine(ofPhase: phase) * run.level(at: index)
      }
    }
  }

  @_noLocks
  private mutating func advance(_ line: FrequencyLine) {
    frame &+= UInt64(truncatingIfNeeded: line.count)
    phase.advance(
      by: line.count, increment: increment(line.start), incrementStep: increment(line.step))
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
    let frame: UInt64
    var phase: UInt64
    /// The part of the phase that is not due to the frequency, in cycles, and its change per frame.
    let phaseOffset: Double
    let phaseOffsetStep: Double
    let bits: Int
    var increment: UInt64
    let incrementStep: UInt64
    /// Cycles per frame at the first frame, and their change per frame.
    let frequency: Double
    let frequencyStep: Double
    let amplitude: Float
    let amplitudeStep: Float

    @inline(__always) @_noLocks
    func level(at frame: Int) -> Float { amplitude + amplitudeStep * Float(frame) }

    /// Frames of a cycle.
    @inline(__always) @_noLocks
    func period(at frame: Int) -> Double {
      // Below one cycle in thirty years, the period would not be a finite number of frames.
      1 / max((frequency + Double(frame) * frequencyStep).magnitude, 1e-14)
    }

    /// Writes `wave` of each frame's phase, in cycles, and period, in frames.
    @inline(__always) @_noLocks
    mutating func render(
      into output: UnsafeMutablePointer<Float>,
      wave: (_ phase: Double, _ period: Double) -> Float
    ) {
      for index in 0..<count {
        let sample = wave(PhaseAccumulator(phase: phase).cycles, period(at: index))
        output[index] = sample * level(at: index)
        phase &+= increment
        increment &+= incrementStep
      }
    }
  }
}
