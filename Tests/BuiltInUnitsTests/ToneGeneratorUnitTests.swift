// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Tone generator unit")
struct ToneGeneratorUnitTests {
  private static let rate = 48_000.0

  private func makeTone(channels: UInt32 = 1) throws -> MixerHost {
    let tone = try MixerHost(
      kAudioUnitSubType_ToneGenerator, type: kAudioUnitType_Generator,
      manufacturer: kAudioUnitManufacturer_SwiftAudioToolbox)
    try tone.unit.setFormat(.linear(Self.rate, channels: channels), kAudioUnitScope_Output)
    try tone.set(kToneGeneratorParam_Amplitude, 0.5, kAudioUnitScope_Global)
    return tone
  }

  /// The highest level far from the tone in any twelfth of a second, relative to the tone.
  private func splatter(_ signal: Signal, _ frequency: Double) -> Double {
    let length = 4_096
    var highest = 0.0
    for start in stride(from: 0, through: signal.count - length, by: length / 8) {
      let spectrum = Spectrum(signal[start..<start + length])
      for (bin, level) in spectrum.amplitudes.enumerated()
      where abs(Double(bin) * spectrum.binWidth - frequency) > 2_000 {
        highest = max(highest, level)
      }
    }
    return decibels(highest / 0.5)
  }

  @Test(
    "does not click after an immediate change",
    arguments: [
      (kToneGeneratorParam_Amplitude, 0.1), (kToneGeneratorParam_Phase, 90),
      (kToneGeneratorParam_ChannelPhase, -120), (kToneGeneratorParam_Waveform, 2),
    ] as [(AudioUnitParameterID, Float)])
  func clicks(parameter: AudioUnitParameterID, value: Float) throws {
    let tone = try makeTone(channels: 2)
    try tone.set(kToneGeneratorParam_Frequency, 1_000, kAudioUnitScope_Global)
    try tone.initialize()
    let before = try tone.render(9_600, slices: [480])
    try tone.set(parameter, value, kAudioUnitScope_Global)
    let after = try tone.render(9_600, slices: [480])
    let whole = Signal(before[1].samples + after[1].samples)
    if parameter == kToneGeneratorParam_Waveform {
      // The triangle has partials there itself, so measure the slope instead.
      let steps = zip(whole.samples, whole.samples.dropFirst()).map { abs($0 - $1) }
      let steepest = try #require(steps[9_590..<9_900].max())
      #expect(steepest < 0.5 * 2 * .pi * 1_000 / 48_000 * 1.01)
    } else {
      #expect(splatter(whole, 1_000) < -70)
    }
    let end = after[0].dropping(4_800)
    #expect(abs(end.peak - (parameter == kToneGeneratorParam_Amplitude ? 0.1 : 0.5)) < 0.005)
  }

  @Test("fades within five milliseconds after a change, and follows a ramp frame by frame")
  func times() throws {
    let tone = try makeTone()
    try tone.set(kToneGeneratorParam_Frequency, 12_000, kAudioUnitScope_Global)
    try tone.set(kToneGeneratorParam_Phase, 90, kAudioUnitScope_Global)
    try tone.initialize()
    _ = try tone.render(480, channels: 1)
    try tone.set(kToneGeneratorParam_Amplitude, 0.25, kAudioUnitScope_Global)
    let output = try tone.render(480, channels: 1)[0]
    // Every other sample is a peak.
    #expect(abs(output.samples[120].magnitude - 0.375) < 1e-5)
    #expect(abs(output.samples[240].magnitude - 0.25) < 1e-5)
    try tone.schedule(
      kToneGeneratorParam_Amplitude, from: 0.25, to: 0.75, at: 0, frames: 480,
      kAudioUnitScope_Global)
    let ramp = try tone.render(480, channels: 1)[0]
    for frame in stride(from: 0, to: 480, by: 2) {
      #expect(abs(ramp.samples[frame].magnitude - 0.25 - 0.5 * Double(frame) / 480) < 1e-5)
    }
  }

  @Test(
    "sounds the same in slices of any size, while all parameters change",
    arguments: [1, 7, 64, 333])
  func slices(slice: Int) throws {
    func run(_ slice: Int) throws -> [Signal] {
      let tone = try makeTone(channels: 2)
      try tone.initialize()
      var output = [Signal([Double]()), Signal([Double]())]
      for step in 0..<12 {
        let values: [(AudioUnitParameterID, Float)] = [
          (kToneGeneratorParam_Waveform, Float(step % 6)),
          (kToneGeneratorParam_Amplitude, Float(step % 3) * 0.2 + 0.1),
          (kToneGeneratorParam_Phase, Float(step * 70 % 360 - 180)),
          (kToneGeneratorParam_DutyCycle, Float(step * 13 % 90 + 5)),
          (kToneGeneratorParam_ChannelPhase, Float(step * 50 % 360 - 180)),
        ]
        for (id, value) in values { try tone.set(id, value, kAudioUnitScope_Global) }
        // Some fades have not ended when the next ones begin.
        for (channel, part) in try tone.render(step % 2 == 0 ? 200 : 700, slices: [slice])
          .enumerated()
        { output[channel].samples += part.samples }
      }
      return output
    }
    let (one, other) = (try run(slice), try run(1_024))
    for channel in 0..<2 {
      #expect(one[channel].largestDifference(from: other[channel]) < 2e-5)
    }
  }

  @Test("has different noise in every channel", arguments: [4, 5] as [Float])
  func noise(waveform: Float) throws {
    let tone = try makeTone(channels: 3)
    try tone.set(kToneGeneratorParam_Waveform, waveform, kAudioUnitScope_Global)
    try tone.initialize()
    let output = try tone.render(48_000, channels: 3)
    for (one, other) in [(0, 1), (1, 2), (0, 2)] {
      let product = zip(output[one].samples, output[other].samples).reduce(0) { $0 + $1.0 * $1.1 }
      let level = output[one].rms * output[other].rms * 48_000
      #expect(abs(product / level) < (waveform == 4 ? 0.03 : 0.4))
    }
  }

  @Test("has the same noise in all channels if requested", arguments: [0, 90] as [Float])
  func sameNoise(channelPhase: Float) throws {
    let tone = try makeTone(channels: 2)
    try tone.set(kToneGeneratorParam_Waveform, 5, kAudioUnitScope_Global)
    try tone.set(kToneGeneratorParam_SameNoise, 1, kAudioUnitScope_Global)
    try tone.set(kToneGeneratorParam_ChannelPhase, channelPhase, kAudioUnitScope_Global)
    try tone.initialize()
    let output = try tone.render(48_000)
    #expect(output[0].samples == output[1].samples)
    #expect(output[0].peak > 0.1)
  }

  @Test("survives a ramp to an impossible frequency", arguments: [1e9, 3e38] as [Float])
  func endlessRamp(end: Float) throws {
    let tone = try makeTone()
    try tone.set(kToneGeneratorParam_Waveform, 3, kAudioUnitScope_Global)
    try tone.initialize()
    try tone.schedule(
      kToneGeneratorParam_Frequency, from: 440, to: end, at: 0, frames: 512,
      kAudioUnitScope_Global)
    let output = try tone.render(512, channels: 1)[0]
    #expect(output.samples.allSatisfy { $0.isFinite && $0.magnitude <= 0.51 })
  }
}
