// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Synchronization
import Testing

@Suite("Every mixer, fed with NaN")
struct MixerNaNTests {
  static let subTypes = [
    kAudioUnitSubType_MultiChannelMixer, kAudioUnitSubType_StereoMixer,
    kAudioUnitSubType_MatrixMixer, kAudioUnitSubType_3DMixer, kAudioUnitSubType_SpatialMixer,
  ]

  /// A mixer with one input of 0.25, whose frame `bad` is `value`; with meters, or with a room if
  /// it can have one.
  private func makeMixer(_ subType: OSType, _ value: Float, bad: Int) throws -> MixerHost {
    let mixer = try MixerHost(subType, inputs: 1)
    let isSpatial =
      subType == kAudioUnitSubType_3DMixer || subType == kAudioUnitSubType_SpatialMixer
    try mixer.feed(0, channels: isSpatial ? 1 : 2) { _, frame in frame == bad ? value : 0.25 }
    if isSpatial {
      try mixer.unit.set(kAudioUnitProperty_UsesInternalReverb, to: UInt32(1))
      try mixer.unit.set(
        kAudioUnitProperty_SpatializationAlgorithm, to: UInt32(2), kAudioUnitScope_Input)
    } else {
      try mixer.unit.set(kAudioUnitProperty_MeteringMode, to: UInt32(1), kAudioUnitScope_Output)
    }
    try mixer.initialize()
    if subType == kAudioUnitSubType_MatrixMixer {
      for (scope, element) in [
        (kAudioUnitScope_Input, 0), (kAudioUnitScope_Input, 1), (kAudioUnitScope_Output, 0),
        (kAudioUnitScope_Output, 1), (kAudioUnitScope_Global, 0),
        (kAudioUnitScope_Global, 1 << 16 | 1),
      ] as [(AudioUnitScope, AudioUnitElement)] {
        try mixer.set(kMatrixMixerParam_Volume, 1, scope, element)
      }
    }
    return mixer
  }

  @Test(
    "recovers within a slice", arguments: subTypes,
    [Float.nan, .infinity, -.infinity])
  func recovery(subType: OSType, value: Float) throws {
    let mixer = try makeMixer(subType, value, bad: 2_600)
    // The slice of 512 frames with the invalid sample begins at 2,560.
    let before = try mixer.render(2_560)
    #expect(before[0].samples.allSatisfy { $0.isFinite })
    _ = try mixer.render(512)
    let after = try mixer.render(48_000)
    for channel in after { #expect(channel.samples.allSatisfy { $0.isFinite }) }
    // A room has to fill again; the rest recovers immediately.
    let clean = try makeMixer(subType, 0.25, bad: 2_600).render(51_072)
    let (end, expected) = (after[0].dropping(47_000), clean[0].dropping(50_072))
    #expect(abs(end.rms - expected.rms) < 0.05 * expected.rms)
  }

  @Test("has meters that recover", arguments: subTypes[..<3], [Float.nan, .infinity])
  func meters(subType: OSType, value: Float) throws {
    let mixer = try makeMixer(subType, value, bad: 2_600)
    _ = try mixer.render(48_000)
    let isMatrix = subType == kAudioUnitSubType_MatrixMixer
    let level = try mixer.value(
      isMatrix ? kMatrixMixerParam_PostAveragePower : kMultiChannelMixerParam_PostAveragePower,
      kAudioUnitScope_Output)
    #expect(level > -20 && level < 0)
  }
}
