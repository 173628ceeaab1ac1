// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox

extension SpatialParameter {
  /// The parameter as in `SpatialMixer`.
  var spec: ParameterSpec {
    switch self {
    case .azimuth: .input("azimuth", .degrees, -180...180, 0, ramps: true).accepting(Self.turns)
    case .elevation: .input("elevation", .degrees, -90...90, 0, ramps: true)
    case .distance: .input("distance", .meters, 0...10_000, 0, ramps: true)
    case .gain:
      .init("gain", .decibels, -120...20, default: 0, ramps: true)
        .on(kAudioUnitScope_Input, kAudioUnitScope_Output)
    case .playbackRate: .input("playback rate", .rate, 0.5...2, 1, ramps: true)
    case .enable: .input("enable", .boolean, 0...1, 1)
    case .minimumGain: .input("minimum gain", .linearGain, 0...10, 0)
    case .maximumGain: .input("maximum gain", .linearGain, 0...10, 10)
    case .reverbBlend: .input("reverb blend", .percent, 0...100, 30)
    case .globalReverbGain: .init("global reverb gain", .decibels, -40...40, default: 0)
    case .occlusion: .input("occlusion attenuation", .decibels, -100...0, 0)
    case .obstruction: .input("obstruction attenuation", .decibels, -100...0, 0)
    case .roomFilterFrequency:
      .init(
        "room filter frequency", .hertz, 10...20_000, default: 800, limit: .halfSampleRate,
        display: .flag_DisplayLogarithmic)
    case .roomFilterBandwidth: .init("room filter bandwidth", .octaves, 0.05...4, default: 3)
    case .roomFilterGain: .init("room filter gain", .decibels, -18...18, default: 0)
    case .roomFilterType:
      .init("room filter type", .indexed, 0...10, default: 0, valueNames: BandFilter.typeNames)
    case .roomFilterEnable: .init("room filter", .boolean, 0...1, default: 1)
    case .headYaw: .init("head yaw", .degrees, -180...180, default: 0).accepting(Self.turns)
    case .headPitch: .init("head pitch", .degrees, -90...90, default: 0).accepting(Self.turns)
    case .headRoll: .init("head roll", .degrees, -180...180, default: 0).accepting(Self.turns)
    }
  }

  /// The accepted angles: programs may continue beyond a full circle.
  private static let turns: ClosedRange<Float> = -360_000...360_000
}

extension SpatialSetting {
  /// The setting as in `SpatialMixer`.
  var spec: SettingSpec { spec(algorithms: [0, 1, 2, 4, 5, 6, 7], flags: [0, 1, 4, 5]) }

  /// The setting of a mixer with these algorithms and rendering flags.
  func spec(algorithms: [UInt32], flags: [UInt32]) -> SettingSpec {
    let inputs = [kAudioUnitScope_Input]
    let global = [kAudioUnitScope_Global]
    return switch self {
    case .algorithm:
      .choice(kAudioUnitProperty_SpatializationAlgorithm, of: algorithms, in: inputs)
    case .renderingFlags:
      .choice(kAudioUnitProperty_SpatialMixerRenderingFlags, of: flags, default: 5, in: inputs)
    case .sourceMode:
      .choice(kAudioUnitProperty_SpatialMixerSourceMode, of: [0, 1, 2], in: inputs)
    case .curve:
      .choice(kAudioUnitProperty_SpatialMixerAttenuationCurve, of: [0, 1, 2, 3], in: inputs)
    case .referenceDistance: .distanceMember(0.001...10_000, 1)
    case .maximumDistance: .distanceMember(0.001...10_000, 100)
    case .maximumAttenuation: .distanceMember(0...200, 40)
    case .metering: .metering(in: inputs)
    case .hasRoom: .choice(kAudioUnitProperty_UsesInternalReverb, of: [0, 1], in: global)
    case .roomType: .choice(kAudioUnitProperty_ReverbRoomType, of: Array(0...12), in: global)
    case .outputType:
      .choice(kAudioUnitProperty_SpatialMixerOutputType, of: [1, 2, 3], default: 3, in: global)
    }
  }
}

extension SettingSpec {
  fileprivate static func distanceMember(_ range: ClosedRange<Float>, _ value: Float) -> Self {
    .member(
      of: "MixerDistanceParams", kAudioUnitProperty_SpatialMixerDistanceParams, range,
      default: value, in: [kAudioUnitScope_Input])
  }
}

extension ParameterSpec {
  /// A parameter of input elements.
  static func input(
    _ name: String, _ unit: AudioUnitParameterUnit, _ range: ClosedRange<Float>,
    _ defaultValue: Float, ramps: Bool = false
  ) -> Self {
    Self(name, unit, range, default: defaultValue, scope: kAudioUnitScope_Input, ramps: ramps)
  }
}
