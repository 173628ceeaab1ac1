// SPDX-License-Identifier: Apache-2.0
import Foundation
import SignalProcessing

// The RMS of a tone, which together with its peak says what meters show.

extension Tone {
  /// The RMS relative to the peak level, while it plays: that of whole periods, without the pauses of
  /// bursts.
  ///
  /// Noise of a level has an RMS that is documented; that of the band-limited waves is measured.
  public func rmsRatio(sampleRate: Double = 48_000) -> Double {
    let steady: Double
    switch waveform {
    case .sine: steady = LevelScale.sineRMS
    case .square, .triangle, .saw: steady = measuredRMS(sampleRate)
    case .whiteNoise: steady = band == nil ? 1 / 3.0.squareRoot() : ToneOscillator.pinkLevel
    case .pinkNoise, .periodicPinkNoise: steady = ToneOscillator.pinkLevel
    case .maximumLengthSequence, .jitterTest: steady = 1
    case .impulse:
      steady = min(lockedFrequency(frequency, sampleRate: sampleRate) / sampleRate, 1).squareRoot()
    case .constant: steady = abs(cos(startPhase * .pi / 180))
    case .file: steady = sound?.rmsRatio ?? 1
    }
    guard let depth = amplitudeModulation.map({ $0.depth / 100 }) else { return steady }
    return steady * (1 + depth * depth / 2).squareRoot() / (1 + depth)
  }

  /// The RMS of about eight thousand frames, in whole periods. Far below the sample rate it does not
  /// depend on the frequency.
  private func measuredRMS(_ sampleRate: Double) -> Double {
    let frequency = (sampleRate / 1_000...sampleRate / 2).nearest(
      to: lockedFrequency(frequency, sampleRate: sampleRate))
    let periods = max(1, (8_192 * frequency / sampleRate).rounded(.down))
    let count = Int((periods * sampleRate / frequency).rounded())
    var oscillator = ToneOscillator(sampleRate: sampleRate, preparesNoise: false)
    var samples = [Float](repeating: 0, count: count)
    samples.withUnsafeMutableBufferPointer { buffer in
      guard let memory = buffer.baseAddress else { return }
      oscillator.render(
        into: memory, count: count,
        waveform: waveform == .square ? .square : waveform == .saw ? .saw : .triangle,
        frequency: frequency, amplitude: 1, duty: Float(dutyCycle / 100))
    }
    let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(count)
    return power.squareRoot()
  }
}
