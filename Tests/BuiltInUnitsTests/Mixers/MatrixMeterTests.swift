// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Meters of a matrix mixer")
struct MatrixMeterTests {
  private let volume = AudioUnitParameterID(kMatrixMixerParam_Volume)
  private let metering = AudioUnitPropertyID(kAudioUnitProperty_MeteringMode)
  private let global = AudioUnitScope(kAudioUnitScope_Global)
  private let input = AudioUnitScope(kAudioUnitScope_Input)
  private let output = AudioUnitScope(kAudioUnitScope_Output)

  /// A mixer with a stereo and a mono input, whose channels have sines with amplitudes 0.5, 0.25
  /// and 0.125, and a stereo output. The stereo channels go to their own side at 0.5, the mono
  /// channel to both sides at 0.25.
  private func mixer() throws -> MixerHost {
    let mixer = try MixerHost(kAudioUnitSubType_MatrixMixer, inputs: 2)
    try mixer.feed(0) { channel, frame in Self.sine(channel, frame) }
    try mixer.feed(1, channels: 1) { _, frame in Self.sine(2, frame) }
    for (channel, gain) in [0.5, 0.5, 0.25].enumerated() {
      try mixer.set(volume, Float(gain), input, UInt32(channel))
    }
    for (channel, gain) in [0.1, 1].enumerated() {
      try mixer.set(volume, Float(gain), output, UInt32(channel))
    }
    for crosspoint in [0, 1 << 16 | 1, 2 << 16, 2 << 16 | 1] as [UInt32] {
      try mixer.set(volume, 1, global, crosspoint)
    }
    return mixer
  }

  private static func sine(_ channel: Int, _ frame: Int) -> Float {
    let frequency = [1_000.0, 2_000, 3_000][channel]
    return Float(pow(0.5, Double(channel + 1)) * sin(2 * .pi * frequency * Double(frame) / 48_000))
  }

  private func reading(
    _ mixer: MixerHost, _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ channel: UInt32
  ) throws -> Double { Double(try mixer.value(id, scope, channel)) }

  @Test("show each channel before and after its volume")
  func channels() throws {
    let mixer = try mixer()
    try mixer.unit.set(metering, to: UInt32(1), global)
    try mixer.initialize()
    _ = try mixer.render(96_000)
    // The amplitudes before the volume, and the volumes.
    for (channel, (amplitude, gain)) in zip(UInt32(0)..., [(0.5, 0.5), (0.25, 0.5), (0.125, 0.25)])
    {
      for (level, base) in [(amplitude, 1_000), (amplitude * gain, 3_000)] as [(Double, UInt32)] {
        let (average, peak) = (
          try reading(mixer, base, input, channel),
          try reading(mixer, base + 1_000, input, channel)
        )
        #expect(abs(average - (decibels(level) - 3.0103)) < 0.02)
        #expect(abs(peak - decibels(level)) < 0.01)
        let (root, largest) = (
          try reading(mixer, base + 4_000, input, channel),
          try reading(mixer, base + 5_000, input, channel)
        )
        #expect(abs(root / (level * 0.5.squareRoot()) - 1) < 3e-3)
        #expect(abs(largest / level - 1) < 1e-3)
      }
    }
    // The powers of several sines add up.
    for (channel, (amplitude, gain)) in zip(UInt32(0)..., [(0.25, 0.1), (0.125, 1)]) {
      let power = (amplitude * amplitude + 0.03125 * 0.03125) / 2
      for (level, base) in [(power, 1_000), (power * gain * gain, 3_000)] as [(Double, UInt32)] {
        #expect(
          abs(try reading(mixer, base, output, channel) - 10 * log10(level)) < 0.03)
        #expect(
          abs(try reading(mixer, base + 4_000, output, channel) / level.squareRoot() - 1) < 5e-3)
      }
    }
  }

  @Test("do not change the output")
  func sound() throws {
    let (silent, metered) = (try mixer(), try mixer())
    try metered.unit.set(metering, to: UInt32(1), global)
    for mixer in [silent, metered] { try mixer.initialize() }
    for channel in 0..<2 {
      let (one, other) = (try silent.render(2_048)[channel], try metered.render(2_048)[channel])
      #expect(one.largestDifference(from: other) < 1e-7)
    }
  }

  @Test("follow the ramps of volumes")
  func ramps() throws {
    let mixer = try MixerHost(kAudioUnitSubType_MatrixMixer, inputs: 1)
    try mixer.feed(0) { _, _ in 1 }
    try mixer.set(volume, 1, input)
    try mixer.set(volume, 1, global, 0)
    try mixer.set(volume, 1, output)
    try mixer.unit.set(metering, to: UInt32(1), global)
    try mixer.initialize()
    _ = try mixer.render(4_800, slices: [480])
    try mixer.schedule(volume, from: 1, to: 0.5, at: 0, frames: 480, output)
    // Both ramps together: the gain is their product at every frame.
    try mixer.schedule(volume, from: 1, to: 0.5, at: 0, frames: 480, input)
    let rendered = try mixer.render(480, slices: [480])[0].samples
    for frame in 0..<480 {
      let gain = pow(1 - 0.5 * Double(frame) / 480, 2)
      #expect(abs(rendered[frame] - gain) < 1e-4)
    }
    _ = try mixer.render(96_000)
    #expect(abs(try reading(mixer, 3_000, input, 0) + 6.0206) < 0.01)
    #expect(abs(try reading(mixer, 1_000, output, 0) + 6.0206) < 0.01)
    #expect(abs(try reading(mixer, 3_000, output, 0) + 12.0412) < 0.01)
  }

  @Test("are switched for each bus, or for all buses")
  func switches() throws {
    let mixer = try mixer()
    func mode(_ scope: AudioUnitScope, _ bus: UInt32 = 0) throws -> UInt32 {
      try mixer.unit.get(metering, as: UInt32(9), scope, bus)
    }
    #expect(try mode(global) == 0)
    try mixer.unit.set(metering, to: UInt32(1), input, 1)
    try mixer.initialize()
    _ = try mixer.render(48_000)
    #expect(try mode(global) == 0 && mode(input, 0) == 0 && mode(input, 1) == 1)
    // The third channel belongs to the second bus.
    #expect(try reading(mixer, 2_000, input, 2) > -19 && reading(mixer, 2_000, input, 1) == -120)
    #expect(try reading(mixer, 2_000, output, 0) == -120 && reading(mixer, 6_000, output, 0) == 0)
    try mixer.unit.set(metering, to: UInt32(1), global)
    #expect(try mode(input, 0) == 1 && mode(output) == 1 && mode(global) == 1)
    _ = try mixer.render(48_000)
    #expect(try reading(mixer, 2_000, input, 1) > -13 && reading(mixer, 2_000, output, 0) > -19)
    #expect(
      mixer.unit.setting(metering, to: UInt32(2), global, 0) == kAudioUnitErr_InvalidPropertyValue)
    #expect(mixer.unit.setting(metering, to: UInt32(1), input, 2) == kAudioUnitErr_InvalidElement)
  }

  @Test("cannot be set, and are not in the global scope")
  func readOnly() throws {
    let mixer = try mixer()
    var value: Float = 0
    for id in stride(from: AudioUnitParameterID(1_000), through: 8_000, by: 1_000) {
      #expect(
        AudioUnitSetParameter(mixer.unit.handle, id, input, 0, 1, 0)
          == kAudioUnitErr_InvalidParameter)
      #expect(
        AudioUnitGetParameter(mixer.unit.handle, id, global, 0, &value)
          == kAudioUnitErr_InvalidParameter)
      #expect(
        AudioUnitGetParameter(mixer.unit.handle, id, input, 3, &value)
          == kAudioUnitErr_InvalidElement)
      #expect(AudioUnitGetParameter(mixer.unit.handle, id, output, 1, &value) == noErr)
    }
    #expect(
      AudioUnitGetParameter(mixer.unit.handle, 9_000, input, 0, &value)
        == kAudioUnitErr_InvalidParameter)
  }
}

@Suite("Levels of a multichannel mixer")
struct MixerLevelTests {
  private let pan = AudioUnitParameterID(kMultiChannelMixerParam_Pan)
  private let levels = AudioUnitPropertyID(kAudioUnitProperty_MatrixLevels)
  private let dimensions = AudioUnitPropertyID(kAudioUnitProperty_MatrixDimensions)
  private let input = AudioUnitScope(kAudioUnitScope_Input)

  @Test("are those of the pan until levels are set, and again after the pan is", arguments: [1, 2])
  func reading(channels: Int) throws {
    let mixer = try MixerHost(inputs: 2)
    try mixer.feed(1, channels: UInt32(channels)) { _, _ in 0 }
    func read() throws -> [Float] {
      try mixer.unit.getArray(levels, of: Float(0), input, 1)
    }
    #expect(
      try mixer.unit.getArray(dimensions, of: UInt32(0), input, 1) == [UInt32(channels), 2])
    let middle = Float(0.5.squareRoot())
    let centre: [Float] = channels == 1 ? [middle, middle] : [1, 0, 0, 1]
    #expect(zip(try read(), centre).allSatisfy { abs($0 - $1) < 1e-6 })
    let own: [Float] = channels == 1 ? [0.25, 0.75] : [0.1, 0.2, 0.3, 0.4]
    #expect(mixer.unit.setArray(levels, to: own, input, 1) == noErr)
    #expect(try read() == own)
    // Setting the pan to its current value is enough.
    try mixer.set(pan, 0, input, 1)
    #expect(zip(try read(), centre).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(mixer.unit.setArray(levels, to: own, input, 1) == noErr)
    // A change of the channels discards the levels.
    try mixer.unit.setFormat(.linear(48_000, channels: channels == 1 ? 2 : 1), input, 1)
    #expect(try read().count == (channels == 1 ? 4 : 2))
    #expect(try read()[0] != own[0])
  }

  @Test("apply to each crosspoint, multiplied by the volume")
  func sound() throws {
    let mixer = try MixerHost(inputs: 2)
    try mixer.feed(0) { channel, frame in
      Float(sin(2 * .pi * (channel == 0 ? 1_000 : 2_000) * Double(frame) / 48_000))
    }
    try mixer.feedSine(1, 3_000, amplitude: 1, channels: 1)
    #expect(mixer.unit.setArray(levels, to: [Float(0.1), 0.2, 0.3, -0.4], input, 0) == noErr)
    #expect(mixer.unit.setArray(levels, to: [Float(0), 0.5], input, 1) == noErr)
    try mixer.set(kMultiChannelMixerParam_Volume, 0.5)
    try mixer.initialize()
    let rendered = try mixer.render(4_800)
    for (channel, gains) in [[0.05, 0.15, 0], [0.1, 0.2, 0.5]].enumerated() {
      for (frequency, gain) in zip([1_000.0, 2_000, 3_000], gains) {
        #expect(abs(rendered[channel].tone(at: frequency).amplitude - gain) < 1e-6)
      }
    }
  }

  @Test("replace the pan, and are replaced by it, with fades of five milliseconds")
  func fading() throws {
    let mixer = try MixerHost(inputs: 1)
    try mixer.feed(0, channels: 1) { _, _ in 1 }
    try mixer.set(pan, -1)
    try mixer.initialize()
    #expect(try mixer.render(480)[0].samples.allSatisfy { $0 == 1 })
    #expect(mixer.unit.setArray(levels, to: [Float(0.25), 0.5], input, 0) == noErr)
    var rendered = try mixer.render(480, slices: [7, 100])
    for frame in 0..<480 {
      let part = fadeWeight(Double(frame) / 240)
      #expect(abs(rendered[0].samples[frame] - (1 - 0.75 * part)) < 1e-4)
      #expect(abs(rendered[1].samples[frame] - 0.5 * part) < 1e-4)
    }
    try mixer.set(pan, -1)
    rendered = try mixer.render(480, slices: [7, 100])
    for frame in 0..<480 {
      let part = fadeWeight(Double(frame) / 240)
      #expect(abs(rendered[0].samples[frame] - (0.25 + 0.75 * part)) < 1e-4)
      #expect(abs(rendered[1].samples[frame] - 0.5 * (1 - part)) < 1e-4)
    }
    try mixer.set(pan, 1)
    #expect(try mixer.render(960)[1].samples[900] == 1)
  }

  @Test("refuse other numbers of gains, and NaN")
  func refusals() throws {
    let mixer = try MixerHost(inputs: 1)
    for wrong in [[1], [1, 2, 3], [1, 0, 0, .nan], [1, 0, 0, .infinity]] as [[Float]] {
      #expect(
        mixer.unit.setArray(levels, to: wrong, input, 0) == kAudioUnitErr_InvalidPropertyValue)
    }
    #expect(
      mixer.unit.setArray(levels, to: [Float(1)], kAudioUnitScope_Global, 0)
        == kAudioUnitErr_InvalidScope)
    #expect(mixer.unit.setArray(levels, to: [Float(1)], input, 1) == kAudioUnitErr_InvalidElement)
  }
}
