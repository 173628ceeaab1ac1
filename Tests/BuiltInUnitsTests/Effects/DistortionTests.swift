// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Distortion")
struct DistortionTests {
  /// Every stage off, and the final mix fully wet.
  private static let plain: [AudioUnitParameterID: Float] = [
    kDistortionParam_DelayMix: 0, kDistortionParam_DecimationMix: 0,
    kDistortionParam_PolynomialMix: 0, kDistortionParam_RingModMix: 0,
    kDistortionParam_SoftClipGain: 0, kDistortionParam_FinalMix: 100,
  ]

  private func unit(
    _ values: [AudioUnitParameterID: Float] = [:], channels: Int = 1, sampleRate: Double = 48_000
  ) throws -> EffectHost {
    try EffectHost(
      kAudioUnitSubType_Distortion, Self.plain.merging(values) { $1 }, sampleRate: sampleRate,
      channels: channels)
  }

  @Test("passes its input unchanged, delayed by its latency, at a final mix of 0")
  func dry() throws {
    let unit = try unit([
      kDistortionParam_FinalMix: 0, kDistortionParam_CubicTerm: 20,
      kDistortionParam_PolynomialMix: 100,
    ])
    let noise = Signal.noise(9_600)
    let latency = try unit.latency
    let output = try unit.play(noise)
    #expect(
      output.dropping(latency).samples
        == Signal(noise.floats).dropping(0)[0..<(9_600 - latency)].samples)
  }

  @Test(
    "has a flat response and the reported latency for quiet sound",
    arguments: [44_100, 48_000, 96_000.0])
  func level(sampleRate: Double) throws {
    let unit = try unit(sampleRate: sampleRate)
    var impulse = Signal.impulse(count: 1 << 14, sampleRate: sampleRate)
    impulse.samples[0] = 0.001
    let output = try unit.play(impulse)
    #expect(try output.indexOfPeak == unit.latency)
    var real = output.samples.map { $0 * 1_000 }
    var imaginary = [Double](repeating: 0, count: real.count)
    fourierTransform(&real, &imaginary)
    let bins = Int(40 / sampleRate * 16_384) + 1...Int(0.4 * 16_384)
    for bin in bins {
      let magnitude = decibels(hypot(real[bin], imaginary[bin]))
      // The high-pass filter at 10 Hz causes the larger tolerance.
      #expect(abs(magnitude) < (Double(bin) * sampleRate / 16_384 < 100 ? 0.3 : 0.05))
    }
  }

  @Test(
    "adds the polynomial's harmonics, and no others", arguments: [(0, 4, 0), (0, 0, 4), (1, 2, 3)])
  func polynomial(terms: (Float, Float, Float)) throws {
    let unit = try unit([
      kDistortionParam_LinearTerm: terms.0, kDistortionParam_SquaredTerm: terms.1,
      kDistortionParam_CubicTerm: terms.2, kDistortionParam_PolynomialMix: 100,
      kDistortionParam_SoftClipGain: -80,
    ])
    let (frequency, level) = (1_001.0, 0.5)
    let output = try unit.play(.sine(frequency, amplitude: level, count: 80_000)).dropping(10_000)
    // sin^2 is half a sine of twice the frequency, sin^3 a quarter of three times it.
    let (a, b, c) = (Double(terms.0), Double(terms.1), Double(terms.2))
    let expected = [
      a * level + 0.75 * c * pow(level, 3), 0.5 * b * pow(level, 2), 0.25 * c * pow(level, 3),
    ]
    for (index, amplitude) in expected.enumerated() {
      let found = output.tone(at: frequency * Double(index + 1)).amplitude * 1e4
      #expect(abs(found - amplitude) < 0.01 * amplitude + 1e-4)
    }
    let others = Spectrum(output).highest(except: (1...3).map { frequency * Double($0) })
    #expect(decibels(others.amplitude * 1e4) < -80)
  }

  @Test("clips softly: linear when quiet, within full scale when loud")
  func clip() throws {
    let unit = try unit([kDistortionParam_SoftClipGain: 20])
    let loud = try unit.play(.sine(100, amplitude: 4)).dropping(9_600)
    // A band-limited edge overshoots by a tenth, and the high-pass filter tilts the tops.
    #expect(loud.peak < 1.25 && loud.rms > 0.9)
    try unit.set(kDistortionParam_SoftClipGain, 0)
    let quiet = try unit.play(.sine(1_000, amplitude: 0.01)).dropping(9_600)
    #expect(abs(decibels(quiet.tone(at: 1_000).amplitude / 0.01)) < 0.01)
    #expect(quiet.distortionAndNoise(at: 1_000) < -85)
  }

  @Test(
    "aliases less than is stated",
    arguments: [
      (5_001.0, 0.9, 0.0, -100.0), (5_001, 0.9, 20, -100), (9_001, 0.25, 20, -100),
      (9_001, 0.5, 20, -95), (9_001, 0.9, 20, -65),
    ])
  func aliases(frequency: Double, amplitude: Double, gain: Double, stated: Double) throws {
    let unit = try unit([kDistortionParam_SoftClipGain: Float(gain)])
    let output = try unit.play(.sine(frequency, amplitude: amplitude, count: 80_000))
      .dropping(10_000)
    let spectrum = Spectrum(output)
    let harmonics = (1...30).map { frequency * Double($0) }.filter { $0 < 24_000 }
    // Only audible frequencies: the filters do not suppress those from 0.46 to 0.5 of the rate.
    let limit = Int(22_000 / spectrum.binWidth)
    var others = Array(spectrum.amplitudes[..<limit])
    for harmonic in [0] + harmonics {
      let bin = Int((harmonic / spectrum.binWidth).rounded())
      for index in max(0, bin - 9)...bin + 9 where index < limit { others[index] = 0 }
    }
    let level = decibels(others.max() ?? 1) - decibels(spectrum.amplitude(at: frequency))
    #expect(level < stated)
  }

  @Test("repeats at the delay, each time fainter by the decay", arguments: [1.0, 20, 500])
  func echo(milliseconds: Float) throws {
    let unit = try unit([
      kDistortionParam_Delay: milliseconds, kDistortionParam_Decay: 0.5,
      kDistortionParam_DelayMix: 50,
    ])
    let latency = try unit.latency
    let frames = Int(milliseconds * 48)
    var impulse = Signal.impulse(count: latency + 3 * frames + 100)
    impulse.samples[0] = 0.01
    let output = try unit.play(impulse).samples
    // The peaks are compared with each other, because the filters attenuate an impulse a little.
    let direct = output[latency]
    #expect(direct > 0.004)
    for (echo, expected) in [1, 0.606_53, 0.367_88].enumerated() {
      #expect(abs(output[latency + (echo + 1) * frames] / direct - expected) < 0.02)
    }
  }

  @Test("holds samples at the rate of the decimation")
  func decimation() throws {
    let unit = try unit([kDistortionParam_Decimation: 100, kDistortionParam_DecimationMix: 100])
    let output = try unit.play(.sine(60, amplitude: 0.1)).dropping(1_000)
    // A rate of 480 Hz has images at 420 and 540 Hz.
    let images = [420.0, 540].map { output.tone(at: $0).amplitude }
    #expect(images.allSatisfy { $0 > 0.005 })
    try unit.set(kDistortionParam_Decimation, 0)
    let clean = try unit.play(.sine(60, amplitude: 0.1)).dropping(4_000)
    #expect(clean.distortionAndNoise(at: 60) < -50)
  }

  @Test("rounds to the bits of the rounding")
  func rounding() throws {
    let unit = try unit([
      kDistortionParam_Decimation: 0, kDistortionParam_Rounding: 80,
      kDistortionParam_DecimationMix: 100, kDistortionParam_SoftClipGain: -40,
    ])
    // The steps are 1/8, and samples below half a step become zero.
    let quiet = try unit.play(.sine(500, amplitude: 0.06))
    #expect(quiet.dropping(4_000).peak < 1e-9)
    let loud = try unit.play(.sine(500, amplitude: 0.09)).dropping(4_000)
    #expect(loud.peak > 0.001)
  }

  @Test("multiplies by two sines, which the balance mixes")
  func ring() throws {
    let unit = try unit([
      kDistortionParam_RingModFreq1: 300, kDistortionParam_RingModFreq2: 2_000,
      kDistortionParam_RingModBalance: 25, kDistortionParam_RingModMix: 100,
      kDistortionParam_SoftClipGain: -60,
    ])
    let output = try unit.play(.sine(5_000, amplitude: 0.8)).dropping(9_600)
    for (frequency, part) in [(4_700.0, 0.75), (5_300, 0.75), (3_000, 0.25), (7_000, 0.25)] {
      let found = output.tone(at: frequency).amplitude
      #expect(abs(found / (0.8e-3 * part / 2) - 1) < 0.01)
    }
    #expect(output.tone(at: 5_000).amplitude < 1e-6)
  }

  @Test("adds no DC offset")
  func constant() throws {
    let unit = try unit([
      kDistortionParam_SquaredTerm: 10, kDistortionParam_PolynomialMix: 100,
    ])
    let output = try unit.play(.sine(480, amplitude: 0.3, count: 96_000)).dropping(48_000)
    #expect(abs(output.mean) < 1e-4)
  }

  @Test("has all factory presets, each with a different sound")
  func presets() throws {
    let unit = try unit()
    let noise = Signal.noise(9_600, peak: 0.3)
    var sounds: Set<[Double]> = []
    for number in 0...21 as ClosedRange<Int32> {
      var preset = AUPreset()
      preset.presetNumber = number
      try unit.unit.set(kAudioUnitProperty_PresentPreset, to: preset)
      try check(AudioUnitReset(unit.unit.handle, kAudioUnitScope_Global, 0))
      let output = try unit.play(noise)
      #expect(output.peak <= 1.5 && output.rms > 0.005)
      sounds.insert(output.samples)
    }
    #expect(sounds.count == 22)
  }

  @Test(
    "moves without clicks",
    arguments: [
      (kDistortionParam_FinalMix, 0, 100), (kDistortionParam_SoftClipGain, -20, 0),
      (kDistortionParam_PolynomialMix, 0, 100), (kDistortionParam_RingModMix, 0, 100),
      (kDistortionParam_Delay, 20, 40), (kDistortionParam_DelayMix, 0, 100),
      (kDistortionParam_LinearTerm, 0, 1),
    ] as [(AudioUnitParameterID, Float, Float)])
  func moves(id: AudioUnitParameterID, low: Float, high: Float) throws {
    let unit = try unit([
      kDistortionParam_LinearTerm: 0.5, kDistortionParam_PolynomialMix: 50,
      kDistortionParam_Delay: 20, kDistortionParam_Decay: 50, kDistortionParam_DelayMix: 50,
    ])
    let tone = Signal.sine(200, amplitude: 0.05, count: 96_000)
    let output = try unit.play([tone], slice: 480) { frame in
      try unit.set(id, frame / 4_800 % 2 == 0 ? low : high)
    }[0].dropping(9_600)
    let spectrum = Spectrum(output)
    let first = Int(6_000 / spectrum.binWidth)
    #expect(decibels(spectrum.amplitudes[first...].max() ?? 1) < -95)
  }
}
