// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// One of the two units, with its parameter identifiers.
struct Mixer3DKind: Sendable, CustomTestStringConvertible {
  var subType: OSType
  var enable: AudioUnitParameterID
  var occlusion: AudioUnitParameterID
  var obstruction: AudioUnitParameterID
  var blend: AudioUnitParameterID
  var roomGain: AudioUnitParameterID
  var testDescription: String { enable == 5 ? "spatial mixer" : "3D mixer" }

  static let all = [
    Mixer3DKind(
      subType: kAudioUnitSubType_3DMixer, enable: k3DMixerParam_BusEnable,
      occlusion: k3DMixerParam_OcclusionAttenuationInDecibels,
      obstruction: k3DMixerParam_ObstructionAttenuationInDecibels,
      blend: k3DMixerParam_DryWetReverbBlend,
      roomGain: k3DMixerParam_GlobalReverbGainInDecibels),
    Mixer3DKind(
      subType: kAudioUnitSubType_AU3DMixerEmbedded, enable: kSpatialMixerParam_Enable,
      occlusion: kSpatialMixerParam_OcclusionAttenuation,
      obstruction: kSpatialMixerParam_ObstructionAttenuation,
      blend: kSpatialMixerParam_ReverbBlend, roomGain: kSpatialMixerParam_GlobalReverbGain),
  ]
}

/// The common part of the tests of 3D mixers.
protocol Mixer3DTesting {}

extension Mixer3DTesting {
  var azimuth: AudioUnitParameterID { AudioUnitParameterID(k3DMixerParam_Azimuth) }
  var elevation: AudioUnitParameterID { AudioUnitParameterID(k3DMixerParam_Elevation) }
  var distance: AudioUnitParameterID { AudioUnitParameterID(k3DMixerParam_Distance) }
  var gain: AudioUnitParameterID { AudioUnitParameterID(k3DMixerParam_Gain) }
  var rate: AudioUnitParameterID { AudioUnitParameterID(k3DMixerParam_PlaybackRate) }

  /// A mixer with a mono sine on its only input, and `outputs` output channels.
  func mixer(
    _ kind: Mixer3DKind = Mixer3DKind.all[0], outputs: UInt32 = 2, frequency: Double = 1_000,
    algorithm: UInt32 = 0
  ) throws -> MixerHost {
    let mixer = try MixerHost(kind.subType, inputs: 1)
    try mixer.unit.setFormat(.linear(48_000, channels: outputs), kAudioUnitScope_Output)
    try mixer.feedSine(0, frequency, amplitude: 0.5, channels: 1)
    try mixer.unit.set(
      kAudioUnitProperty_SpatializationAlgorithm, to: algorithm, kAudioUnitScope_Input)
    return mixer
  }

  /// The gain of a tone in each output channel.
  func gains(_ mixer: MixerHost, outputs: Int = 2, frequency: Double = 1_000) throws
    -> [Double]
  {
    _ = try mixer.render(2_400, channels: outputs)
    return try mixer.render(4_800, channels: outputs).map {
      $0.tone(at: frequency).amplitude / 0.5
    }
  }
}
