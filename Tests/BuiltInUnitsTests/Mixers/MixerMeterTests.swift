// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Meters of a mixer")
struct MixerMeterTests {
  private let preAverage = AudioUnitParameterID(kMultiChannelMixerParam_PreAveragePower)
  private let prePeak = AudioUnitParameterID(kMultiChannelMixerParam_PrePeakHoldLevel)
  private let postAverage = AudioUnitParameterID(kMultiChannelMixerParam_PostAveragePower)
  private let postPeak = AudioUnitParameterID(kMultiChannelMixerParam_PostPeakHoldLevel)

  private func switchOn(_ mixer: MixerHost, _ scope: AudioUnitScope) throws {
    try mixer.unit.set(kAudioUnitProperty_MeteringMode, to: UInt32(1), scope, 0)
  }

  @Test("show the power and the peak of a sine before and after the volume")
  func sine() throws {
    let mixer = try MixerHost(inputs: 1)
    try mixer.feed(0) { channel, frame in
      Float((channel == 0 ? 0.5 : 0.05) * sin(2 * .pi * 1_000 * Double(frame) / 48_000))
    }
    try switchOn(mixer, kAudioUnitScope_Input)
    try mixer.set(kMultiChannelMixerParam_Volume, 0.5)
    try mixer.initialize()
    _ = try mixer.render(96_000)
    for (channel, level) in [(UInt32(0), decibels(0.5)), (1, decibels(0.05))] {
      #expect(abs(Double(try mixer.value(preAverage + channel)) - (level - 3.0103)) < 0.02)
      #expect(abs(Double(try mixer.value(prePeak + channel)) - level) < 0.01)
      #expect(abs(Double(try mixer.value(postAverage + channel)) - (level - 9.0309)) < 0.02)
      #expect(abs(Double(try mixer.value(postPeak + channel)) - (level - 6.0206)) < 0.01)
    }
    // The meters of the output were not switched on.
    #expect(try mixer.value(postPeak, kAudioUnitScope_Output) == -120)
  }

  @Test("show the output before and after its volume")
  func output() throws {
    let mixer = try MixerHost(inputs: 2)
    try mixer.feed(0) { _, _ in 0.25 }
    try mixer.feed(1) { _, _ in 0.25 }
    try switchOn(mixer, kAudioUnitScope_Output)
    try mixer.set(kMultiChannelMixerParam_Volume, 0.1, kAudioUnitScope_Output)
    try mixer.initialize()
    #expect(try mixer.render(96_000)[0].samples.allSatisfy { abs($0 - 0.05) < 1e-7 })
    for (id, level) in [(preAverage, 0.5), (prePeak, 0.5), (postAverage, 0.05), (postPeak, 0.05)] {
      #expect(
        abs(Double(try mixer.value(id, kAudioUnitScope_Output)) - decibels(level)) < 0.01)
    }
  }

  @Test("hold a peak for a second, and then fall by twenty decibels per second")
  func hold() throws {
    let mixer = try MixerHost(inputs: 1)
    try mixer.feed(0, channels: 1) { _, frame in frame == 100 ? 1 : 0 }
    try switchOn(mixer, kAudioUnitScope_Input)
    try mixer.initialize()
    _ = try mixer.render(48_000)
    #expect(abs(try mixer.value(prePeak)) < 0.01)
    // There is no second channel.
    #expect(try mixer.value(prePeak + 1) == -120)
    _ = try mixer.render(48_000)
    #expect(abs(try mixer.value(prePeak) + 20) < 0.5)
    _ = try mixer.render(48_000 * 6)
    #expect(try mixer.value(prePeak) < -115)
  }

  @Test("are switched by a property of each element, and cannot be set")
  func property() throws {
    let unit = try MixerHost(inputs: 2).unit
    let mode = AudioUnitPropertyID(kAudioUnitProperty_MeteringMode)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      #expect(try unit.get(mode, as: UInt32(9), scope, 0) == 0)
      #expect(unit.setting(mode, to: UInt32(1), scope, 0) == noErr)
      #expect(try unit.get(mode, as: UInt32(9), scope, 0) == 1)
      #expect(unit.setting(mode, to: UInt32(2), scope, 0) == kAudioUnitErr_InvalidPropertyValue)
      #expect(unit.setting(mode, to: UInt8(1), scope, 0) == kAudioUnitErr_InvalidPropertyValue)
      #expect(unit.setting(mode, to: UInt32(1), scope, 2) == kAudioUnitErr_InvalidElement)
    }
    #expect(try unit.get(mode, as: UInt32(9), kAudioUnitScope_Input, 1) == 0)
    #expect(
      unit.setting(mode, to: UInt32(1), kAudioUnitScope_Global, 0) == kAudioUnitErr_InvalidScope)
    var value: Float = 0
    #expect(
      AudioUnitSetParameter(unit.handle, preAverage, kAudioUnitScope_Input, 0, 0, 0)
        == kAudioUnitErr_InvalidParameter)
    // The property is not a parameter.
    #expect(
      AudioUnitGetParameter(unit.handle, mode, kAudioUnitScope_Input, 0, &value)
        == kAudioUnitErr_InvalidParameter)
  }
}
