// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox

extension ParameterSpec {
  /// Parameters that both 3D mixers have on their inputs.
  static let azimuth = input("azimuth", .degrees, -180...180, 0, ramps: true).accepting(turns)
  static let elevation = input("elevation", .degrees, -90...90, 0, ramps: true)
  static let distance = input("distance", .meters, 0...10_000, 0, ramps: true)
  static let playbackRate = input("playback rate", .rate, 0.5...2, 1, ramps: true)
  static let enabled = input("enable", .boolean, 0...1, 1)
  static let reverbBlend = input("reverb blend", .percent, 0...100, 30)
  static let occlusion = input("occlusion attenuation", .decibels, -100...0, 0)
  static let obstruction = input("obstruction attenuation", .decibels, -100...0, 0)
  /// Of inputs and of the output.
  static let decibelGain = Self("gain", .decibels, -120...20, default: 0, ramps: true)
    .on(kAudioUnitScope_Input, kAudioUnitScope_Output)
  /// Of the room.
  static let globalReverbGain = Self("global reverb gain", .decibels, -40...40, default: 0)

  /// What angles may be set to: programs count on around the circle.
  static let turns: ClosedRange<Float> = -360_000...360_000

  /// A parameter of input elements.
  static func input(
    _ name: String, _ unit: AudioUnitParameterUnit, _ range: ClosedRange<Float>,
    _ defaultValue: Float, ramps: Bool = false
  ) -> Self {
    Self(name, unit, range, default: defaultValue, scope: kAudioUnitScope_Input, ramps: ramps)
  }
}

extension KernelProperty {
  /// Keys of the properties that both 3D mixers have.
  struct SpatialKeys<Key: ParameterKey> {
    var algorithm: Key
    var flags: Key
    var sourceMode: Key
    var curve: Key
    var distances: (reference: Key, maximum: Key, attenuation: Key)
    var metering: Key
    var hasRoom: Key
    var roomType: Key
  }

  /// The properties of both 3D mixers, kept under these keys; `algorithms` and rendering `flags` are
  /// those that a mixer has.
  static func spatial<Key: ParameterKey>(
    _ keys: SpatialKeys<Key>, algorithms: [UInt32], flags: [UInt32]
  ) -> [KernelProperty] {
    let inputs = [kAudioUnitScope_Input]
    return [
      .choice(
        kAudioUnitProperty_SpatializationAlgorithm, keys.algorithm, of: algorithms,
        in: inputs),
      .choice(kAudioUnitProperty_SpatialMixerRenderingFlags, keys.flags, of: flags, in: inputs),
      .choice(
        kAudioUnitProperty_SpatialMixerSourceMode, keys.sourceMode, of: [0, 1, 2], in: inputs),
      .choice(
        kAudioUnitProperty_SpatialMixerAttenuationCurve, keys.curve, of: [0, 1, 2, 3], in: inputs),
      .numbers(
        kAudioUnitProperty_SpatialMixerDistanceParams,
        [
          (keys.distances.reference, 0.001...10_000), (keys.distances.maximum, 0.001...10_000),
          (keys.distances.attenuation, 0...200),
        ], typeName: "MixerDistanceParams", in: inputs),
      .choice(kAudioUnitProperty_MeteringMode, keys.metering, of: [0, 1], in: inputs),
      .choice(
        kAudioUnitProperty_UsesInternalReverb, keys.hasRoom, of: [0, 1],
        in: [kAudioUnitScope_Global]),
      .choice(
        kAudioUnitProperty_ReverbRoomType, keys.roomType, of: Array(0...12),
        in: [kAudioUnitScope_Global]),
    ]
  }
}
