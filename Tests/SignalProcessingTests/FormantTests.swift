// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import SignalProcessing

@Suite("Formants of a shifted voice")
struct FormantTests {
  /// The level of a vowel's envelope at a frequency, in decibels: ten formants, 100 to 550 Hz wide.
  private func vowel(_ frequency: Double) -> Double {
    let formants: [(centre: Double, width: Double)] = [
      (700, 90), (1_220, 110), (2_600, 160), (3_400, 220), (4_500, 300), (5_500, 350), (6_500, 400),
      (7_500, 450), (8_500, 500), (9_500, 550),
    ]
    let power = formants.reduce(1.0) { power, formant in
      let place = frequency / formant.centre
      let damping = place * formant.width / formant.centre
      return power / (pow(1 - place * place, 2) + damping * damping)
    }
    return 10 * log10(power) - 3 * log2(frequency / 100 + 1)
  }

  private func sum(_ pitch: Double, count: Int) -> [Float] {
    var sound = [Float](repeating: 0, count: count)
    for harmonic in 1..<Int(10_000 / pitch) {
      let frequency = pitch * Double(harmonic)
      let amplitude = 0.05 * pow(10, vowel(frequency) / 20)
      let phase = Double(harmonic * harmonic)
      for frame in 0..<count {
        let angle = 2 * .pi * frequency * Double(frame) / 48_000 + phase
        sound[frame] += Float(amplitude * sin(angle))
      }
    }
    return sound
  }

  private func level(_ sound: ArraySlice<Float>, _ frequency: Double) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    for (frame, sample) in sound.enumerated() {
      let window = 0.5 - 0.5 * cos(2 * .pi * Double(frame) / Double(sound.count))
      let angle = 2 * .pi * frequency * Double(frame) / 48_000
      real += Double(sample) * window * cos(angle)
      imaginary += Double(sample) * window * sin(angle)
    }
    return 10 * log10(real * real + imaginary * imaginary)
  }

  @Test(
    "stay within 1.6 dB on average, up to 3.3 kHz", arguments: [100.0, 140, 220],
    [-700, -300, 400] as [Float])
  func envelope(pitch: Double, cents: Float) {
    let count = 24_064
    let sound = sum(pitch, count: count)
    var stretcher = SpectralStretcher(channelCount: 1, sampleRate: 48_000, maximumFrames: 64)
    stretcher.options.keepsFormants = true
    stretcher.reset()
    let output = StretchSounds.stretched(sound, frames: count, slices: [64]) {
      frames, _, output, input in
      let needed = stretcher.prepare(frames, rate: 1, rateSlope: 0, cents: cents, centsSlope: 0)
      withUnsafePointer(to: input(needed)) { stretcher.consume($0, frames: needed) }
      withUnsafePointer(to: output) { stretcher.render(to: $0, offset: 0, frames: frames) }
    }
    let shifted = pitch * pow(2, Double(cents) / 1_200)
    let errors = (1...Int(3_300 / shifted)).map { Double($0) * shifted }.filter { $0 > 100 }
      .map { level(output[14_000...], $0) - vowel($0) }
    let mean = errors.reduce(0, +) / Double(errors.count)
    let error = errors.reduce(0) { $0 + abs($1 - mean) } / Double(errors.count)
    #expect(error < 1.6)
  }
}
