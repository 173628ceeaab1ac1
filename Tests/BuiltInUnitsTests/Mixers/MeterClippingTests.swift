// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Clipping of mixers")
struct MeterClippingTests {
  static let mixers = [
    kAudioUnitSubType_MultiChannelMixer, kAudioUnitSubType_StereoMixer,
    kAudioUnitSubType_MatrixMixer,
  ]

  /// A mixer with one stereo input, a metered output, and gains of 1.
  private func mixer(
    _ subType: OSType, _ sample: @escaping @Sendable (_ channel: Int, _ frame: Int) -> Float
  ) throws -> MixerHost {
    let mixer = try MixerHost(subType, inputs: 1)
    try mixer.feed(0, sample)
    try mixer.unit.set(
      kAudioUnitProperty_MeteringMode, to: UInt32(1), kAudioUnitScope_Output)
    if subType == kAudioUnitSubType_MatrixMixer {
      try check(
        mixer.unit.setArray(
          kAudioUnitProperty_MatrixLevels, to: [1, 0, 1, 0, 1, 1, 1, 1, 1] as [Float],
          kAudioUnitScope_Global, 0))
    }
    try mixer.initialize()
    return mixer
  }

  private func clipping(_ mixer: MixerHost) throws -> AudioUnitMeterClipping {
    try mixer.unit.get(kAudioUnitProperty_MeterClipping, as: AudioUnitMeterClipping())
  }

  @Test("is the largest output sample since it was last read", arguments: mixers)
  func peak(subType: OSType) throws {
    let mixer = try mixer(subType) { channel, frame in
      channel == 1 && frame == 700 ? -3 : frame == 100 ? 0.5 : 0.25
    }
    #expect(try clipping(mixer).peakValueSinceLastCall == 0)
    _ = try mixer.render(512)
    #expect(try clipping(mixer).peakValueSinceLastCall == 0.5)
    #expect(try clipping(mixer).peakValueSinceLastCall == 0)
    _ = try mixer.render(1_024)
    let clipping = try clipping(mixer)
    #expect(clipping.peakValueSinceLastCall == 3)
    #expect(!clipping.sawInfinity && !clipping.sawNotANumber)
    _ = try mixer.render(512)
    #expect(try self.clipping(mixer).peakValueSinceLastCall == 0.25)
  }

  @Test("is measured after the volume of the output", arguments: mixers)
  func volume(subType: OSType) throws {
    let mixer = try mixer(subType) { _, _ in 0.5 }
    for channel in 0..<(subType == kAudioUnitSubType_MatrixMixer ? 2 : 1) as Range<UInt32> {
      try mixer.set(0, 0.5, kAudioUnitScope_Output, channel)
    }
    let rendered = try mixer.render(1_024)[0].samples
    _ = try clipping(mixer)
    #expect(try mixer.render(512)[0].samples.allSatisfy { Float($0) == Float(rendered[1_000]) })
    #expect(try clipping(mixer).peakValueSinceLastCall == Float(rendered[1_000]))
    #expect(rendered[1_000] < 0.3)
  }

  @Test("distinguishes infinite samples from NaN, and still has the peak", arguments: mixers)
  func invalidSamples(subType: OSType) throws {
    let mixer = try mixer(subType) { channel, frame in
      switch (channel, frame) {
      case (0, 600): .infinity
      case (0, 1_100): .nan
      default: 0.5
      }
    }
    for (infinite, hasNaN) in [(false, false), (true, false), (false, true), (false, false)] {
      _ = try mixer.render(512)
      let clipping = try clipping(mixer)
      #expect(clipping.sawInfinity.boolValue == infinite)
      #expect(clipping.sawNotANumber.boolValue == hasNaN)
      #expect(clipping.peakValueSinceLastCall == 0.5)
    }
  }

  @Test("stays 0 where the output is not metered, and cannot be set", arguments: mixers)
  func off(subType: OSType) throws {
    let mixer = try mixer(subType) { _, _ in 0.5 }
    try mixer.unit.set(
      kAudioUnitProperty_MeteringMode, to: UInt32(0), kAudioUnitScope_Output)
    _ = try mixer.render(512)
    #expect(try clipping(mixer).peakValueSinceLastCall == 0)
    #expect(
      mixer.unit.setting(kAudioUnitProperty_MeterClipping, to: AudioUnitMeterClipping())
        == kAudioUnitErr_PropertyNotWritable)
    #expect(throws: CallFailure.self) {
      try mixer.unit.get(
        kAudioUnitProperty_MeterClipping, as: AudioUnitMeterClipping(), kAudioUnitScope_Input)
    }
  }
}
