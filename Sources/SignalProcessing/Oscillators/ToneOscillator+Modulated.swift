// SPDX-License-Identifier: Apache-2.0

// Tones whose frequency is different in every frame.

extension ToneOscillator {
  /// Writes `count` samples of a tone whose frequency is given for each frame. [render thread]
  ///
  /// The result is that of `render(into:count:waveform:frequency:…)` for one frame after the other,
  /// to within rounding. Frequencies are limited to half the sample rate; those that are not finite
  /// count as zero.
  ///
  /// - Parameters:
  ///   - output: Memory for `count` samples.
  ///   - count: Number of frames.
  ///   - waveform: What to write; a change of it keeps the phase.
  ///   - frequencies: The frequency of each frame, in Hz. Below zero the phase runs backwards.
  ///   - amplitude: Level at the first frame, linear.
  ///   - amplitudeStep: Change of level per frame.
  ///   - duty: Share of the period at which a square is high, 0.01 to 0.99.
  ///   - dutyStep: Change of duty per frame.
  ///   - phaseOffset: What is added to the phase, in cycles of any number and sign.
  ///   - phaseOffsetStep: Change of the offset per frame, in cycles.
  ///   - bits: For the J-test, the bits of a sample, 8 to 24.
  @_noLocks
  public mutating func render(
    into output: UnsafeMutablePointer<Float>, count: Int, waveform: Waveform,
    frequencies: UnsafePointer<Double>, amplitude: Float, amplitudeStep: Float = 0,
    duty: Float = 0.5, dutyStep: Float = 0, phaseOffset: Double = 0, phaseOffsetStep: Double = 0,
    bits: Int = 24
  ) {
    let tone = Modulated(
      count: count, frequencies: frequencies, limit: sampleRate / 2, sampleRate: sampleRate,
      amplitude: amplitude, amplitudeStep: amplitudeStep, phaseOffset: phaseOffset,
      phaseOffsetStep: phaseOffsetStep)
    let (waves, peaks, start) = (waves, peaks, phase.phase)
    var end: UInt64
    switch waveform {
    case .sine:
      end = tone.render(into: output, from: start) { place in
        SineKernel.sine(ofPhase: place.phase)
      }
    case .square:
      end = tone.render(into: output, from: start) { place in
        let duty = min(max(Double(duty) + Double(dutyStep) * Double(place.index), 0.01), 0.99)
        let sample = waves.square(
          phase: place.cycles, period: place.period, duty: duty, isNearEdge: place.isNearEdge)
        return sample * peaks.squareGain(period: place.period, duty: duty)
      }
    case .triangle:
      end = tone.render(into: output, from: start) { place in
        waves.triangle(phase: place.cycles, period: place.period, isNearEdge: place.isNearEdge)
          * peaks.triangleGain(period: place.period)
      }
    case .saw:
      end = tone.render(into: output, from: start) { place in
        waves.saw(phase: place.cycles, period: place.period, isNearEdge: place.isNearEdge)
          * peaks.sawGain(period: place.period)
      }
    case .impulse:
      end = tone.render(into: output, from: start) { place in
        // The phase is within half a frame of a whole cycle.
        let isForward = Int64(bitPattern: place.increment) >= 0
        let length = isForward ? place.increment : 0 &- place.increment
        return (place.phase &+ length / 2) < length ? 1 : 0
      }
    default:
      // These have no frequency, but the phase goes on for the next waveform.
      render(
        into: output, count: count, waveform: waveform, frequency: 0, amplitude: amplitude,
        amplitudeStep: amplitudeStep, phaseOffset: phaseOffset, phaseOffsetStep: phaseOffsetStep,
        bits: bits)
      frame &-= UInt64(truncatingIfNeeded: count)
      end = start
      for index in 0..<count { end &+= tone.increment(at: index) }
    }
    phase.phase = end
    frame &+= UInt64(truncatingIfNeeded: count)
  }

  /// The frames of one call.
  private struct Modulated {
    let count: Int
    /// In Hz.
    let frequencies: UnsafePointer<Double>
    /// The highest frequency in Hz.
    let limit: Double
    let sampleRate: Double
    let amplitude: Float
    let amplitudeStep: Float
    /// In cycles, and its change per frame.
    let phaseOffset: Double
    let phaseOffsetStep: Double

    /// A frame, with its phase and the increment to the next one.
    struct Place {
      let index: Int
      let phase: UInt64
      let increment: UInt64
      /// Cycles per frame.
      let frequency: Double

      /// The phase, 0 to below 1.
      var cycles: Double {
        @inline(__always) @_noLocks get { PhaseAccumulator(phase: phase).cycles }
      }

      /// Frames of a cycle.
      var period: Double {
        // Below one cycle in thirty years, the period would not be a finite number of frames.
        @inline(__always) @_noLocks get { 1 / max(frequency.magnitude, 1e-14) }
      }

      /// Whether partials next to half the sample rate are subtracted.
      var isNearEdge: Bool {
        @inline(__always) @_noLocks get { BandLimitedWaves.isNearEdge(period: period) }
      }
    }

    /// Writes `wave` of each frame; returns the phase after the last one, without the offset.
    @inline(__always) @_noLocks
    func render(
      into output: UnsafeMutablePointer<Float>, from start: UInt64, wave: (Place) -> Float
    ) -> UInt64 {
      var phase = start
      let isFixed = phaseOffsetStep == 0
      var offset = PhaseAccumulator.fixedPoint(cycles: phaseOffset)
      for index in 0..<count {
        if !isFixed {
          let cycles = phaseOffset + phaseOffsetStep * Double(index)
          offset = PhaseAccumulator.fixedPoint(cycles: cycles)
        }
        let frequency = frequency(at: index)
        let increment = PhaseAccumulator.fixedPoint(cycles: frequency)
        let place = Place(
          index: index, phase: phase &+ offset, increment: increment, frequency: frequency)
        output[index] = wave(place) * (amplitude + amplitudeStep * Float(index))
        phase &+= increment
      }
      return phase
    }

    /// The phase from a frame to the next.
    @inline(__always) @_noLocks
    func increment(at index: Int) -> UInt64 {
      PhaseAccumulator.fixedPoint(cycles: frequency(at: index))
    }

    /// Cycles per frame; those of a frequency that is not finite are zero.
    @inline(__always) @_noLocks
    private func frequency(at index: Int) -> Double {
      let frequency = frequencies[index]
      guard frequency.isFinite else { return 0 }
      return min(max(frequency, -limit), limit) / sampleRate
    }
  }
}
