// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Multi-band compressor")
struct MultiBandCompressorTests {
  private func unit(
    _ values: [AudioUnitParameterID: Float] = [:], channels: Int = 1, sampleRate: Double = 48_000
  ) throws -> EffectHost {
    try EffectHost(
      kAudioUnitSubType_MultiBandCompressor, values, sampleRate: sampleRate, channels: channels)
  }

  /// Levels of the response in decibels at the bins of a transform of 2^15 samples.
  private func response(_ unit: EffectHost, amplitude: Double) throws -> [Double] {
    let length = 1 << 15
    let impulse = Signal(
      Signal.impulse(count: length).samples.map { $0 * amplitude }, sampleRate: unit.sampleRate)
    var real = try unit.play(impulse).samples.map { $0 / amplitude }
    var imaginary = [Double](repeating: 0, count: length)
    fourierTransform(&real, &imaginary)
    return (0...length / 2).map { decibels(hypot(real[$0], imaginary[$0])) }
  }

  @Test(
    "has a flat response while nothing is compressed",
    arguments: [44_100, 48_000, 96_000, 192_000.0],
    [(120, 700, 3_000), (20, 20, 20), (5_000, 300, 40), (200, 12_000, 20_000)])
  func flat(sampleRate: Double, crossovers: (Float, Float, Float)) throws {
    let unit = try unit(
      [
        kMultibandCompressorParam_Crossover1: crossovers.0,
        kMultibandCompressorParam_Crossover2: crossovers.1,
        kMultibandCompressorParam_Crossover3: crossovers.2,
      ], sampleRate: sampleRate)
    let levels = try response(unit, amplitude: 0.01)
    // From 10 Hz on: below it the impulse response is longer than the window.
    let first = Int(10 / sampleRate * 32_768) + 1
    #expect(levels[first...].allSatisfy { abs($0) < 0.01 })
  }

  @Test("splits the bands at the crossover frequencies, 6 dB down and then 24 dB an octave")
  func bands() throws {
    // All bands except the second one have the lowest gain.
    let unit = try unit([
      kMultibandCompressorParam_EQ1: -20, kMultibandCompressorParam_EQ2: 20,
      kMultibandCompressorParam_EQ3: -20, kMultibandCompressorParam_EQ4: -20,
      kMultibandCompressorParam_Crossover1: 200, kMultibandCompressorParam_Crossover2: 4_000,
      kMultibandCompressorParam_Crossover3: 16_000,
    ])
    let levels = try response(unit, amplitude: 0.001)
    func level(_ frequency: Double) -> Double {
      levels[Int((frequency / 48_000 * 32_768).rounded())]
    }
    #expect(abs(level(900) - 20) < 0.1)
    #expect(abs(level(200) - 14) < 0.3 && abs(level(4_000) - 14) < 0.3)
    #expect(abs(level(100) - (20 - 24.6)) < 1.5 && abs(level(30) - -20) < 0.6)
    #expect(abs(level(15_000) - -20) < 1.5)
  }

  @Test("compresses each band by its own curve", arguments: [0, 1, 2, 3])
  func curve(band: Int) throws {
    // Far from the crossover frequencies.
    let crossovers: [Float] = [
      [5_000, 10_000, 15_000], [20, 8_000, 15_000], [20, 60, 15_000], [20, 40, 80],
    ][band]
    let frequency = [100.0, 400, 1_000, 3_000][band]
    let unit = try unit([
      kMultibandCompressorParam_AttackTime: 0.001,
      kMultibandCompressorParam_Crossover1: crossovers[0],
      kMultibandCompressorParam_Crossover2: crossovers[1],
      kMultibandCompressorParam_Crossover3: crossovers[2],
    ])
    let (threshold, headRoom) = ([-22.0, -32, -33, -36][band], [5.0, 12, 5, 7.5][band])
    let above = 18.0
    let amplitude = pow(10, (threshold + above) / 20)
    let tone = Signal.sine(frequency, amplitude: amplitude, count: 192_000)
    let output = try unit.play(tone).dropping(144_000)
    let expected = threshold + headRoom * above / (headRoom + above)
    // Between the peaks of a low tone the gain recovers a little.
    let tolerance = band == 0 ? 0.6 : 0.2
    let level = decibels(output.tone(at: frequency).amplitude)
    #expect(abs(level - expected) < tolerance)
    func meter(_ first: AudioUnitParameterID) throws -> Double {
      Double(try unit.value(first + 1_000 * UInt32(band)))
    }
    let reduction = try meter(kMultibandCompressorParam_CompressionAmount1)
    #expect(abs(reduction - (threshold + above - expected)) < 2 * tolerance)
    let input = try meter(kMultibandCompressorParam_InputAmplitude1)
    #expect(abs(input - (threshold + above)) < 0.2)
    #expect(abs(try meter(kMultibandCompressorParam_OutputAmplitude1) - level) < 1)
  }

  @Test(
    "moves its gain by 63 % in the attack and release times",
    arguments: [(0.01, 0.05), (0.08, 0.12), (0.2, 1)])
  func times(attack: Double, release: Double) throws {
    let unit = try unit([
      kMultibandCompressorParam_AttackTime: Float(attack),
      kMultibandCompressorParam_ReleaseTime: Float(release),
      kMultibandCompressorParam_Crossover1: 20, kMultibandCompressorParam_Crossover2: 40,
      kMultibandCompressorParam_Crossover3: 80, kMultibandCompressorParam_Threshold4: -20,
    ])
    // All of it is in the highest band, and has a peak every third frame.
    let (loud, quiet) = (Int(12 * attack * 48_000), Int(1.5 * release * 48_000))
    func tone(_ level: Double, _ count: Int) -> Signal {
      .sine(8_000, amplitude: pow(10, level / 20), phase: 0.125, count: count)
    }
    let input = tone(-26, 4_800) + tone(0, loud) + tone(-26, quiet)
    let output = try unit.play(input).samples
    // The gain of the tone alone, over four of its periods: a step adds only low frequencies.
    func amplitude(_ samples: [Double], _ start: Int) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for frame in start..<start + 24 {
        let angle = 2 * Double.pi * Double(frame % 6) / 6
        real += samples[frame] * cos(angle)
        imaginary += samples[frame] * sin(angle)
      }
      return hypot(real, imaginary)
    }
    func reduction(_ frame: Int) -> Double {
      decibels(amplitude(input.samples, frame - 12) / amplitude(output, frame - 12))
    }
    let (start, end) = (4_800, 4_800 + loud)
    let most = reduction(end - 24)
    #expect(most > 14)
    let rise = try #require((start + 24..<end - 24).first { reduction($0) >= most * (1 - exp(-1)) })
    #expect(abs(Double(rise - start) / 48_000 / attack - 1) < 0.05)
    let fall = try #require((end + 24..<input.count - 24).first { reduction($0) <= most * exp(-1) })
    #expect(abs(Double(fall - end) / 48_000 / release - 1) < 0.05)
  }

  @Test("applies the pre-gain and the post-gain")
  func gains() throws {
    let unit = try unit([
      kMultibandCompressorParam_Pregain: -20, kMultibandCompressorParam_Postgain: 14,
    ])
    let output = try unit.play(.sine(1_000, amplitude: 0.01)).dropping(24_000)
    #expect(abs(decibels(output.tone(at: 1_000).amplitude) - -46) < 0.05)
  }

  @Test("treats every channel alike, and compresses them together", arguments: [1, 2, 3, 5, 8])
  func channels(count: Int) throws {
    let unit = try unit(channels: count)
    let noise = Signal.noise(24_000, peak: 0.5)
    let output = try unit.play([noise])
    let mono = try self.unit().play(noise)
    #expect(output.allSatisfy { $0.samples == mono.samples })
  }

  @Test(
    "moves without clicks",
    arguments: [
      (kMultibandCompressorParam_Crossover1, 30, 600),
      (kMultibandCompressorParam_Crossover2, 300, 3_000),
      (kMultibandCompressorParam_EQ2, -10, 10), (kMultibandCompressorParam_Pregain, -10, 0),
      (kMultibandCompressorParam_Threshold2, -40, 0),
    ] as [(AudioUnitParameterID, Float, Float)])
  func moves(id: AudioUnitParameterID, low: Float, high: Float) throws {
    let unit = try unit()
    let tone = Signal.sine(200, amplitude: 0.1, count: 96_000)
    let output = try unit.play([tone], slice: 480) { frame in
      try unit.set(id, frame / 4_800 % 2 == 0 ? low : high)
    }[0].dropping(9_600)
    let spectrum = Spectrum(output)
    let first = Int(6_000 / spectrum.binWidth)
    #expect(decibels(spectrum.amplitudes[first...].max() ?? 1) < -95)
  }
}
