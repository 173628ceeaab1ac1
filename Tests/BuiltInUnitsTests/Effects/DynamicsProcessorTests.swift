// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import SignalProcessing
import Testing

@Suite("Dynamics processor")
struct DynamicsProcessorTests {
  private func unit(
    _ values: [AudioUnitParameterID: Float] = [:], channels: Int = 1, sampleRate: Double = 48_000
  ) throws -> EffectHost {
    try EffectHost(
      kAudioUnitSubType_DynamicsProcessor, values, sampleRate: sampleRate, channels: channels)
  }

  @Test(
    "follows the curve of its documentation",
    arguments: [(-20, 5), (-30, 0.1), (-40, 40), (20, 5), (-10, 12)])
  func curve(threshold: Float, headRoom: Float) throws {
    var before = -1000.0
    for level in stride(from: -60.0, through: 12, by: 6) {
      let unit = try unit([
        kDynamicsProcessorParam_Threshold: threshold, kDynamicsProcessorParam_HeadRoom: headRoom,
      ])
      let output = decibels(try unit.play(.level(level, count: 9_600)).samples[9_599])
      // T + H x / (H + x), computed independently.
      let above = max(0, level - Double(threshold))
      let (start, room) = (min(level, Double(threshold)), Double(headRoom))
      #expect(abs(output - (start + room * above / (room + above))) < 0.001)
      #expect(output <= Double(threshold + headRoom) || above == 0)
      #expect(output > before, "the curve rises")
      before = output
    }
  }

  @Test("passes sound below its threshold unchanged")
  func unity() throws {
    let noise = Signal.noise(20_000, peak: 0.09)
    #expect(try unit().play(noise).samples == Signal(noise.floats).samples)
  }

  @Test("measures a tone by its peaks", arguments: [100.0, 1_000, 10_000])
  func tone(frequency: Double) throws {
    let output = try unit().play(.sine(frequency, amplitude: 0.5)).dropping(24_000)
    let level = decibels(output.tone(at: frequency).amplitude)
    let expected = Double(LevelCurve(threshold: -20, headRoom: 5).output(of: -6.0206))
    // Between the peaks of a low tone the gain recovers a little.
    #expect(abs(level - expected) < (frequency < 500 ? 0.6 : 0.15))
  }

  @Test(
    "reaches 63 % of its gain reduction in the attack time", arguments: [0.001, 0.02, 0.2],
    [44_100, 192_000.0])
  func attack(seconds: Double, sampleRate: Double) throws {
    let unit = try unit(
      [kDynamicsProcessorParam_AttackTime: Float(seconds)], sampleRate: sampleRate)
    let quiet = Int(sampleRate / 10)
    let input =
      Signal.level(-30, count: quiet, sampleRate: sampleRate)
      + .level(0, count: Int(sampleRate * seconds * 12), sampleRate: sampleRate)
    let reduction = try unit.play(input).dropping(quiet).samples.map { -decibels($0) }
    let end = try #require(reduction.last)
    let frames = try #require(reduction.firstIndex { $0 >= end * (1 - exp(-1)) })
    #expect(abs(Double(frames) / sampleRate / seconds - 1) < 0.05)
  }

  @Test(
    "recovers by 63 % in the release time", arguments: [0.01, 0.05, 3],
    [44_100, 192_000.0])
  func release(seconds: Double, sampleRate: Double) throws {
    let unit = try unit(
      [
        kDynamicsProcessorParam_ReleaseTime: Float(seconds),
        kDynamicsProcessorParam_AttackTime: 0.005,
      ], sampleRate: sampleRate)
    let loud = Int(sampleRate / 10)
    let input =
      Signal.level(0, count: loud, sampleRate: sampleRate)
      + .level(-30, count: Int(sampleRate * seconds * 1.2), sampleRate: sampleRate)
    let reduction = try unit.play(input).samples.map { -30 - decibels($0) }
    let start = 16.0
    let frames = try #require(reduction.dropFirst(loud).firstIndex { $0 <= start * exp(-1) })
    #expect(abs(Double(frames - loud) / sampleRate / seconds - 1) < 0.05)
  }

  @Test(
    "attenuates sound below the expansion threshold by the ratio",
    arguments: [1.5, 2, 10])
  func expansion(ratio: Float) throws {
    for below in [0.0, 3, 10, 40] {
      let unit = try unit([
        kDynamicsProcessorParam_ExpansionThreshold: -40,
        kDynamicsProcessorParam_ExpansionRatio: ratio,
      ])
      let output = decibels(try unit.play(.level(-40 - below, count: 48_000)).samples[47_999])
      #expect(abs(output - (-40 - below - min(120, below * Double(ratio - 1)))) < 0.01)
    }
  }

  @Test("attenuates all channels together")
  func linked() throws {
    let left = Signal.sine(1_000, amplitude: 0.9)
    let right = Signal.sine(1_700, amplitude: 0.05)
    let output = try unit(channels: 2).play([left, right])
    for frame in stride(from: 101, to: 48_000, by: 7) {
      let (one, other) = (left.samples[frame], right.samples[frame])
      guard abs(one) > 0.01, abs(other) > 0.001 else { continue }
      #expect(abs(output[0].samples[frame] / one - output[1].samples[frame] / other) < 1e-4)
    }
    #expect(output[1].dropping(4_000).peak < 0.02)
  }

  @Test("adds its overall gain")
  func gain() throws {
    let unit = try unit([kDynamicsProcessorParam_OverallGain: 6])
    let output = try unit.play(.level(-40, count: 2_000)).samples[1_999]
    #expect(abs(decibels(output) - -34) < 0.0001)
  }

  @Test("reports its gain reduction and its levels", .timeLimit(.minutes(60)))
  func meters() throws {
    let unit = try unit()
    // Longer than the meter holds the peak of the attack.
    _ = try unit.play(.level(-4, count: 144_000))
    let reduction = Double(try unit.value(kDynamicsProcessorParam_CompressionAmount))
    #expect(abs(reduction - 16 * 16 / 21) < 0.01)
    #expect(abs(try unit.value(kDynamicsProcessorParam_InputAmplitude) - -4) < 0.001)
    let output = Double(try unit.value(kDynamicsProcessorParam_OutputAmplitude))
    #expect(abs(output + 4 + reduction) < 0.01)
    #expect(
      AudioUnitSetParameter(
        unit.unit.handle, kDynamicsProcessorParam_InputAmplitude, kAudioUnitScope_Global, 0, 1, 0)
        == kAudioUnitErr_InvalidParameter)
    // Two seconds of promised silence; in the first one the meter holds the peak.
    _ = try unit.play([.level(-1000, count: 96_000)], isSilent: true)
    #expect(try unit.value(kDynamicsProcessorParam_CompressionAmount) < 1e-6)
    #expect(abs(try unit.value(kDynamicsProcessorParam_InputAmplitude) - -24) < 0.5)
    let state = try unit.unit.get(kAudioUnitProperty_ClassInfo, as: UnsafeRawPointer?.none)
    Unmanaged<AnyObject>.fromOpaque(try #require(state)).release()
  }

  @Test("releases equally in promised and unpromised silence")
  func promisedSilence() throws {
    func played(_ isPromised: Bool) throws -> [Double] {
      let unit = try unit([kDynamicsProcessorParam_ReleaseTime: 0.5])
      _ = try unit.play(.level(0, count: 4_800))
      _ = try unit.play([.level(-1000, count: 24_000)], isSilent: isPromised)
      return try unit.play(.level(-10, count: 4_800)).samples
    }
    #expect(try played(true) == played(false))
  }

  @Test(
    "moves without clicks",
    arguments: [
      (kDynamicsProcessorParam_Threshold, -40, 0), (kDynamicsProcessorParam_HeadRoom, 0.1, 20),
      (kDynamicsProcessorParam_OverallGain, -12, 12),
      (kDynamicsProcessorParam_ExpansionThreshold, -120, 0),
    ] as [(AudioUnitParameterID, Float, Float)])
  func moves(id: AudioUnitParameterID, low: Float, high: Float) throws {
    let unit = try unit()
    let tone = Signal.sine(200, amplitude: 0.1)
    var output = try unit.play([tone], slice: 480) { frame in
      try unit.set(id, frame / 4_800 % 2 == 0 ? low : high)
    }[0]
    output = output.dropping(4_000)
    // A jump of the gain would add energy far above the tone; there is almost none above 4 kHz.
    let spectrum = Spectrum(output)
    let first = Int(4_000 / spectrum.binWidth)
    #expect(decibels(spectrum.amplitudes[first...].max() ?? 1) < -100)
  }

  @Test("recovers from NaN")
  func nanRecovery() throws {
    let unit = try unit(channels: 2)
    var bad = Signal.sine(500, amplitude: 0.5, count: 4_800)
    for (frame, value) in [(100, Double.nan), (200, .infinity), (300, 3e38)] {
      bad.samples[frame] = value
    }
    let output = try unit.play([bad, .sine(500, amplitude: 0.5, count: 4_800)])
    #expect(output[0].samples.allSatisfy(\.isFinite) && output[1].samples.allSatisfy(\.isFinite))
    let clean = Signal.sine(500, amplitude: 0.5)
    let after = try unit.play([clean, clean])[0]
    let expected = try self.unit(channels: 2).play([clean, clean])[0]
    #expect(after.dropping(24_000).largestDifference(from: expected.dropping(24_000)) < 1e-6)
  }
}
