// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Options of 3D mixers")
struct Mixer3DOptionTests: Mixer3DTesting {
  /// Renders a source at an azimuth of 60 degrees.
  private func rendered(
    outputs: UInt32, algorithm: UInt32, outputType: UInt32? = nil
  ) throws -> [Signal] {
    let mixer = try mixer(Mixer3DKind.all[1], outputs: outputs, algorithm: algorithm)
    if let outputType {
      try mixer.unit.set(kAudioUnitProperty_SpatialMixerOutputType, to: outputType)
    }
    try mixer.set(azimuth, 60)
    try mixer.initialize()
    return try mixer.render(4_800, channels: Int(outputs))
  }

  @Test("select an algorithm by the output type of the spatial mixer")
  func outputType() throws {
    let byType = AUSpatializationAlgorithm.spatializationAlgorithm_UseOutputType
    let (head, panned) = (
      try rendered(outputs: 2, algorithm: 2).map(\.samples),
      try rendered(outputs: 2, algorithm: 4).map(\.samples)
    )
    #expect(head != panned)
    func signals(_ type: UInt32?, outputs: UInt32 = 2) throws -> [[Double]] {
      try rendered(outputs: outputs, algorithm: byType.rawValue, outputType: type).map(\.samples)
    }
    #expect(try signals(1) == head)
    #expect(try signals(2) == panned)
    #expect(try signals(3) == panned)
    // The default is speakers; headphones have two channels.
    #expect(try signals(nil) == panned)
    #expect(try signals(1, outputs: 4) == rendered(outputs: 4, algorithm: 4).map(\.samples))
  }

  @Test("change the output type while sources sound")
  func outputTypeChange() throws {
    let mixer = try mixer(
      Mixer3DKind.all[1],
      algorithm: AUSpatializationAlgorithm.spatializationAlgorithm_UseOutputType.rawValue)
    try mixer.set(azimuth, 90)
    try mixer.initialize()
    // Hard right is silent on the left speaker, but not at the left ear.
    #expect(try gains(mixer)[0] < 1e-4)
    try mixer.unit.set(kAudioUnitProperty_SpatialMixerOutputType, to: UInt32(1))
    #expect(try gains(mixer)[0] > 0.1)
  }

  @Test("exist only where they have an effect")
  func places() throws {
    let (old, new) = (
      try MixerHost(Mixer3DKind.all[0].subType, inputs: 1).unit,
      try MixerHost(Mixer3DKind.all[1].subType, inputs: 1).unit
    )
    let type = AudioUnitPropertyID(kAudioUnitProperty_SpatialMixerOutputType)
    #expect(try new.get(type, as: UInt32(0)) == 3)
    #expect(new.setting(type, to: UInt32(0)) == kAudioUnitErr_InvalidPropertyValue)
    #expect(new.setting(type, to: UInt32(4)) == kAudioUnitErr_InvalidPropertyValue)
    #expect(old.setting(type, to: UInt32(1)) == kAudioUnitErr_InvalidProperty)
    let algorithm = AudioUnitPropertyID(kAudioUnitProperty_SpatializationAlgorithm)
    #expect(new.setting(algorithm, to: UInt32(7), kAudioUnitScope_Input) == noErr)
    #expect(
      old.setting(algorithm, to: UInt32(7), kAudioUnitScope_Input)
        == kAudioUnitErr_InvalidPropertyValue)
    let doppler = AudioUnitPropertyID(kAudioUnitProperty_DopplerShift)
    #expect(
      new.setting(doppler, to: UInt32(1), kAudioUnitScope_Input) == kAudioUnitErr_InvalidProperty)
  }

  @Test("switch Doppler shift with its own property, or with one of the flags")
  func doppler() throws {
    let unit = try MixerHost(Mixer3DKind.all[0].subType, inputs: 2).unit
    let flags = AudioUnitPropertyID(kAudioUnitProperty_3DMixerRenderingFlags)
    let doppler = AudioUnitPropertyID(kAudioUnitProperty_DopplerShift)
    func get(_ id: AudioUnitPropertyID) throws -> UInt32 {
      try unit.get(id, as: UInt32(9), kAudioUnitScope_Input, 1)
    }
    func set(_ id: AudioUnitPropertyID, _ value: UInt32) throws {
      try unit.set(id, to: value, kAudioUnitScope_Input, 1)
    }
    #expect(try get(doppler) == 0)
    try set(doppler, 1)
    #expect(try get(flags) == 7 && get(doppler) == 1)
    try set(flags, 4)
    #expect(try get(doppler) == 0)
    try set(doppler, 77)
    #expect(try get(flags) == 6)
    try set(doppler, 0)
    #expect(try get(flags) == 4)
    // Only of that input.
    #expect(try unit.get(flags, as: UInt32(9), kAudioUnitScope_Input, 0) == 5)
  }
}
