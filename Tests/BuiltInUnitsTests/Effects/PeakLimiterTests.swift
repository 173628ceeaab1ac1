// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Peak limiter")
struct PeakLimiterTests {
  private func unit(
    _ values: [AudioUnitParameterID: Float] = [:], channels: Int = 1, sampleRate: Double = 48_000
  ) throws -> EffectHost {
    try EffectHost(
      kAudioUnitSubType_PeakLimiter, values, sampleRate: sampleRate, channels: channels)
  }

  /// Difficult sounds for a limiter.
  enum Hostile: String, CaseIterable, CustomTestStringConvertible {
    case noise, bursts, square, alternating, spikes, sine, sweep, growing

    var testDescription: String { rawValue }

    func signal(_ peak: Double) -> Signal {
      switch self {
      case .noise: return .noise(48_000, peak: peak)
      case .sine: return .sine(997, amplitude: peak)
      default: return Signal((0..<48_000).map { sample($0, peak) })
      }
    }

    private func sample(_ frame: Int, _ peak: Double) -> Double {
      let seconds = Double(frame) / 48_000
      switch self {
      case .bursts: return frame / 700 % 3 == 0 ? peak * sin(Double(frame * frame % 1_009)) : 0
      case .square: return frame / 37 % 2 == 0 ? peak : -peak
      case .alternating: return frame % 2 == 0 ? peak : -peak
      case .spikes: return frame * frame % 997 == 1 ? peak : 0.5
      case .growing: return pow(peak, Double(frame % 1_000) / 1_000)
      default: return peak * sin(24_000 * .pi * seconds * seconds)
      }
    }
  }

  @Test(
    "keeps every sample within full scale", arguments: Hostile.allCases,
    [1.001, 4, 1_000] as [Double])
  func ceiling(sound: Hostile, peak: Double) throws {
    for (attack, decay) in [(0.012, 0.024), (0.001, 0.001), (0.03, 0.06)] as [(Float, Float)] {
      let unit = try unit([kLimiterParam_AttackTime: attack, kLimiterParam_DecayTime: decay])
      let output = try unit.play(sound.signal(peak), slice: 333)
      #expect(output.peak <= 1)
      #expect(output.dropping(2_000).peak > 0.9, "it attenuates no more than necessary")
    }
  }

  /// The largest magnitude at eight times the rate, by a filter of 100 samples on either side.
  private func truePeak(_ signal: Signal) -> Double {
    let reach = 100
    let rows = (0..<8).map { phase in
      (-reach...reach).map { place -> Double in
        let time = Double(place) - Double(phase) / 8
        let window = 0.5 + 0.5 * cos(.pi * min(abs(time) / Double(reach), 1))
        return time == 0 ? 1 : sin(.pi * time) / (.pi * time) * window
      }
    }
    var highest = 0.0
    // The highest points are near loud samples.
    let loud = signal.peak / 4
    for frame in reach..<signal.count - reach where abs(signal.samples[frame]) > loud {
      for row in rows {
        var sum = 0.0
        for place in 0..<row.count { sum += row[place] * signal.samples[frame - reach + place] }
        highest = max(highest, abs(sum))
      }
    }
    return decibels(highest)
  }

  @Test("keeps true peaks within full scale if requested", arguments: [0.001, 0.012, 0.03])
  func truePeaks(attack: Float) throws {
    let count = 9_600
    let signs = (0..<count).map { frame -> Double in
      // The signs of a sinc between two samples, where all of them add up.
      let time = Double(frame) - 4_800.5
      return abs(time) < 32 ? (sin(.pi * time) / time >= 0 ? 1 : -1) : 0
    }
    let sounds = [
      Signal(signs), .sine(12_000, amplitude: 1.414, phase: 0.125, count: count),
      .sine(997, amplitude: 4, count: count), .sine(19_001, amplitude: 2, count: count),
      Signal((0..<count).map { $0 / 37 % 2 == 0 ? 2.0 : -2 } as [Double]), bursts(count),
    ]
    for sound in sounds {
      let unit = try unit([kLimiterParam_AttackTime: attack, kLimiterParam_TruePeak: 1])
      let output = try unit.play(sound, slice: 333)
      #expect(truePeak(output) < 0.2)
      #expect(truePeak(output) > -1, "it attenuates no more than necessary")
      let plain = try self.unit([kLimiterParam_AttackTime: attack]).play(sound, slice: 333)
      if sound.samples == signs { #expect(truePeak(plain) > 5) }
    }
  }

  /// Bright drums: bursts of noise up to half the rate, with low frequencies attenuated.
  private func bursts(_ count: Int) -> Signal {
    let noise = Signal.noise(count, peak: 4).samples
    return Signal(
      (0..<count).map { frame -> Double in
        let level = exp(-Double(frame % 1_600) / 500)
        return frame > 100 ? level * (noise[frame] - noise[frame - 1]) / 2 : 0
      })
  }

  @Test("passes quiet sound unchanged with true peaks too, 229 frames later")
  func quietTruePeaks() throws {
    let unit = try unit([kLimiterParam_TruePeak: 1])
    let noise = Signal.noise(9_600, peak: 0.3)
    let output = try unit.play(noise, slice: 500)
    #expect(
      output.samples[805...].map(Float.init) == noise.samples[..<(9_600 - 805)].map(Float.init))
  }

  @Test("keeps every sample within full scale while all parameters change")
  func ceilingWhileMoving() throws {
    let unit = try unit(channels: 2)
    let noise = Signal.noise(96_000, peak: 8)
    var round = 0
    let output = try unit.play([noise, .sine(60, amplitude: 9, count: 96_000)], slice: 101) { _ in
      round += 1
      try unit.set(kLimiterParam_PreGain, Float(round * 17 % 80 - 40))
      try unit.set(kLimiterParam_AttackTime, Float(1 + round * 7 % 30) / 1_000)
      try unit.set(kLimiterParam_DecayTime, Float(1 + round * 11 % 60) / 1_000)
    }
    #expect(output.allSatisfy { $0.peak <= 1 })
  }

  @Test("passes quiet sound unchanged, delayed by its latency", arguments: [44_100, 96_000.0])
  func quiet(sampleRate: Double) throws {
    let unit = try unit(sampleRate: sampleRate)
    let noise = Signal.noise(20_000)
    let latency = try unit.latency
    #expect(latency == Int((0.012 * sampleRate).rounded()))
    let output = try unit.play(noise).samples
    #expect(output[..<latency].allSatisfy { $0 == 0 })
    #expect(
      Array(output[latency...]) == Signal(noise.floats[..<(20_000 - latency)].map { $0 }).samples)
  }

  @Test("passes quiet sound unchanged again after a peak")
  func quietAgain() throws {
    let unit = try unit()
    _ = try unit.play(.noise(10_000, peak: 100))
    _ = try unit.play(.level(-6, count: 96_000))
    let noise = Signal.noise(20_000)
    let output = try unit.play(noise).samples
    #expect(Array(output[576...]) == Signal(noise.floats[..<(20_000 - 576)].map { $0 }).samples)
  }

  @Test(
    "has the latency of the attack time it was initialised with", arguments: [0.001, 0.005, 0.03])
  func latency(attack: Float) throws {
    let unit = try unit([kLimiterParam_AttackTime: attack])
    #expect(try unit.latency == Int((Double(attack) * 48_000).rounded()))
    let output = try unit.play(.impulse(count: 4_000))
    #expect(try output.indexOfPeak == unit.latency && output.peak == 1)
    // A later change of the attack time does not change the latency.
    try unit.set(kLimiterParam_AttackTime, 0.02)
    #expect(try unit.latency == Int((Double(attack) * 48_000).rounded()))
  }

  @Test("lowers its gain linearly within the attack time before a peak")
  func attack() throws {
    for attack in [0.002, 0.012, 0.03] {
      let unit = try unit([kLimiterParam_AttackTime: Float(attack)])
      let latency = try unit.latency
      let input = Signal.level(-20, count: 4_800) + .level(6, count: 4_800)
      let output = try unit.play(input)
      let gains = output.samples[latency..<(4_800 + latency)].map { $0 * 10 }
      let start = try #require(gains.firstIndex { $0 < 1 - 1e-6 })
      #expect(abs(Double(gains.count - start) / 48_000 / attack - 1) < 0.05)
      let middle = gains[(start + gains.count) / 2]
      #expect(abs(middle - (1 + pow(10, -0.3)) / 2) < 0.01)
    }
  }

  @Test("recovers by 63 % within the decay time", arguments: [0.005, 0.024, 0.06])
  func decay(seconds: Double) throws {
    let unit = try unit([
      kLimiterParam_AttackTime: 0.001, kLimiterParam_DecayTime: Float(seconds),
    ])
    let input = Signal.level(6, count: 9_600) + .level(-20, count: 9_600)
    let output = try unit.play(input).dropping(9_600 + 48).samples.map { 1 - $0 * 10 }
    // Measured after the start, which the averaging over the attack time rounds.
    let start = 96
    let frames = try #require(output[start...].firstIndex { $0 <= output[start] * exp(-1) }) - start
    #expect(abs(Double(frames) / 48_000 / seconds - 1) < 0.05)
  }

  @Test("attenuates all channels together")
  func linked() throws {
    let unit = try unit(channels: 3)
    let quiet = Signal.level(-20, count: 9_600)
    let output = try unit.play([quiet, .level(12, count: 9_600), quiet])
    #expect(abs(output[0].samples[9_000] - 0.1 * pow(10, -0.6)) < 1e-6)
    #expect(output[0].samples == output[2].samples)
  }

  @Test("amplifies by the pre-gain before it limits")
  func preGain() throws {
    let unit = try unit([kLimiterParam_PreGain: 12])
    let output = try unit.play(.level(-20, count: 4_800)).samples[4_000]
    #expect(abs(decibels(output) - -8) < 0.0001)
    #expect(try unit.play(.noise(48_000)).peak <= 1)
  }

  @Test("outputs no NaN, and recovers from it")
  func nanRecovery() throws {
    let unit = try unit()
    var bad = Signal.level(-12, count: 4_800)
    for (frame, value) in [(100, Double.nan), (200, .infinity), (300, 3e38), (400, 1e29)] {
      bad.samples[frame] = value
    }
    let output = try unit.play(bad)
    #expect(output.samples.allSatisfy { $0.isFinite && abs($0) <= 1 })
    let after = try unit.play(.level(-12, count: 96_000)).samples[95_999]
    #expect(Float(after) == Float(pow(10, -0.6)))
  }

  @Test("limits samples, so that true peaks may exceed them by 3 dB")
  func betweenSamples() throws {
    // A tone at a quarter of the rate, shifted by 45 degrees: its peaks are 3 dB above its samples.
    let tone = Signal.sine(12_000, amplitude: 4, phase: 0.125)
    let output = try unit().play(tone).dropping(4_800)
    #expect(output.peak <= 1)
    #expect(abs(decibels(output.tone(at: 12_000).amplitude) - 3.01) < 0.05)
  }
}
