// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A sine that was fitted to a signal, and the residual.
public struct ToneFit: Sendable {
  /// Frequency in Hz.
  public var frequency: Double
  /// Peak value.
  public var amplitude: Double
  /// Phase at the first sample, in cycles, -0.5 to 0.5.
  public var phase: Double
  /// RMS of the signal without the sine, including the DC offset.
  public var residual: Double

  /// Distortion and noise against the tone, in decibels.
  public var distortionAndNoise: Double { decibels(residual / (amplitude / 2.0.squareRoot())) }
}

extension Signal {
  /// Fits a sine of exactly `frequency` by least squares.
  public func tone(at frequency: Double) -> ToneFit {
    var (ss, cc, sc, xs, xc) = (0.0, 0.0, 0.0, 0.0, 0.0)
    let angles = samples.indices.map { 2 * .pi * Signal.cycles(frequency, $0, sampleRate) }
    for (angle, sample) in zip(angles, samples) {
      let (s, c) = (sin(angle), cos(angle))
      ss += s * s
      cc += c * c
      sc += s * c
      xs += sample * s
      xc += sample * c
    }
    let determinant = ss * cc - sc * sc
    let inPhase = (xs * cc - xc * sc) / determinant
    let quadrature = (xc * ss - xs * sc) / determinant
    let rest = zip(angles, samples).map { $1 - inPhase * sin($0) - quadrature * cos($0) }
    return ToneFit(
      frequency: frequency, amplitude: hypot(inPhase, quadrature),
      phase: atan2(quadrature, inPhase) / (2 * .pi),
      residual: Signal(rest, sampleRate: sampleRate).rms)
  }

  /// Fits a sine and its frequency, which is near `guess`: within half a cycle over half the
  /// signal.
  ///
  /// The phases of the two halves show the error of the guess. For a clean tone of one second the
  /// result is exact to 1e-6 Hz.
  public func tone(near guess: Double) -> ToneFit {
    let half = count / 2
    var frequency = guess
    for _ in 0..<4 {
      let first = self[0..<half].tone(at: frequency)
      let second = self[half..<2 * half].tone(at: frequency)
      let expected = Signal.cycles(frequency, half, sampleRate)
      var drift = second.phase - first.phase - expected
      drift -= drift.rounded()
      frequency += drift * sampleRate / Double(half)
    }
    return tone(at: frequency)
  }

  /// Distortion and noise against a tone of exactly `frequency`, in decibels.
  public func distortionAndNoise(at frequency: Double) -> Double {
    tone(at: frequency).distortionAndNoise
  }

  /// Largest second difference of the waveform, as a multiple of that of a sine with this frequency
  /// and amplitude.
  ///
  /// The second difference of a sine is at most amplitude times (2 sin(w / 2))^2; a click exceeds
  /// it.
  public func largestBend(frequency: Double, amplitude: Double) -> Double {
    guard count > 2 else { return 0 }
    let step = 2 * sin(.pi * frequency / sampleRate)
    var largest = 0.0
    for index in 1..<count - 1 {
      let bend = samples[index + 1] - 2 * samples[index] + samples[index - 1]
      largest = max(largest, abs(bend))
    }
    return largest / (amplitude * step * step)
  }
}
