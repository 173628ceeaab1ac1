// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// As `Mixer3D`, under the names that embedded systems and the later spatial mixer have: the gain limits
/// are linear.
struct SpatialMixer: MixerKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Mixer, kAudioUnitSubType_SpatialMixer, "AUSpatialMixer")
  static let elements = SpatialEngine.elements
  static let channels = SpatialEngine.channels
  static let inputChannels = 1...2
  static let outputChannels = 1...8
  static let newInputChannels = 1
  static let maximumFramesPerSlice = 1024
  static let inputSwitch: Parameter? = .enable
  static let fadeTime = Fader.fadeTime
  static let playbackRate: Parameter? = .playbackRate
  static let properties: [KernelProperty] = KernelProperty.spatial(
    algorithm: Parameter.algorithm, flags: .renderingFlags, sourceMode: .sourceMode, curve: .curve,
    distances: (.referenceDistance, .maximumDistance, .maximumAttenuation))

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case azimuth = 0
    case elevation = 1
    case distance = 2
    case gain = 3
    case playbackRate = 4
    case enable = 5
    case minimumGain = 6
    case maximumGain = 7
    case occlusion = 10
    case obstruction = 11
    case algorithm = 3000
    case renderingFlags = 3003
    case sourceMode = 3005
    case curve = 3013
    case referenceDistance = 3010
    case maximumDistance = 3_010_001
    case maximumAttenuation = 3_010_002

    var spec: ParameterSpec {
      switch self {
      case .azimuth: .azimuth
      case .elevation: .elevation
      case .distance: .distance
      case .gain: .decibelGain
      case .playbackRate: .playbackRate
      case .enable: .enabled
      case .minimumGain: .input("minimum gain", .linearGain, 0...10, 0)
      case .maximumGain: .input("maximum gain", .linearGain, 0...10, 10)
      case .occlusion: .occlusion
      case .obstruction: .obstruction
      case .algorithm, .sourceMode, .curve: .property(default: 0)
      case .renderingFlags: .property(default: 5)
      case .referenceDistance: .property(default: 1)
      case .maximumDistance: .property(default: 100)
      case .maximumAttenuation: .property(default: 40)
      }
    }
  }

  private var engine: SpatialEngine

  init(_ setup: KernelSetup) { engine = SpatialEngine(setup) }
  deinit { engine.deallocate() }

  var tailTime: Double? { SpatialEngine.tailTime }

  mutating func reset() { engine.reset() }

  @_noLocks
  mutating func render(
    _ inputs: BusSlices, _ outputs: BusSlices, _ values: ParameterValues<Parameter>
  ) {
    let output = outputs[0]
    for channel in 0..<output.channelCount {
      Samples.clear(output[channel], count: output.frameCount)
    }
    for bus in 0..<inputs.count {
      engine.add(
        inputs[bus], bus, settings(bus, values),
        steps: SIMD4(
          values.step(.azimuth, input: bus), values.step(.elevation, input: bus),
          values.step(.distance, input: bus), values.step(.gain, input: bus)), to: output)
    }
    engine.finish(output, gain: values[.gain, output: 0], step: values.step(.gain, output: 0))
  }

  @_noLocks
  private func settings(_ bus: Int, _ values: ParameterValues<Parameter>) -> SpatialSettings {
    var settings = SpatialSettings()
    settings.place = SIMD4(
      values[.azimuth, input: bus], values[.elevation, input: bus], values[.distance, input: bus],
      values[.gain, input: bus])
    settings.isOn = values[.enable, input: bus]
    settings.minimumGain = min(max(values[.minimumGain, input: bus], 0), 10)
    settings.maximumGain = min(max(values[.maximumGain, input: bus], 0), 10)
    settings.occlusion = values[.occlusion, input: bus]
    settings.obstruction = values[.obstruction, input: bus]
    settings.algorithm = values[.algorithm, input: bus]
    settings.renderingFlags = values[.renderingFlags, input: bus]
    settings.sourceMode = values[.sourceMode, input: bus]
    settings.curve = values[.curve, input: bus]
    settings.referenceDistance = values[.referenceDistance, input: bus]
    settings.maximumDistance = values[.maximumDistance, input: bus]
    settings.maximumAttenuation = values[.maximumAttenuation, input: bus]
    return settings
  }
}
