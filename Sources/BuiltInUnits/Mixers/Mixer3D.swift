// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Mono inputs placed around a listener, by panning between up to eight speakers or by the model of a
/// head; stereo inputs pass through. The gain limits are decibels.
struct Mixer3D: MixerKernel, ~Copyable {
  static let identity = Identity(kAudioUnitType_Mixer, kAudioUnitSubType_3DMixer, "AUMixer3D")
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
    case enable = 20
    case minimumGain = 21
    case maximumGain = 22
    case occlusion = 25
    case obstruction = 26
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
      case .minimumGain: .input("minimum gain", .decibels, -120...20, -120)
      case .maximumGain: .input("maximum gain", .decibels, -120...20, 20)
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
  ) { engine.render(inputs, outputs, values, limits: .decibels) }
}

// Beside the keys: in a debug build the compiler sees only here that reading by them takes no lock.
extension SpatialEngine {
  /// [render thread] Places every input, and applies the output's gain.
  @_noLocks
  mutating func render(
    _ inputs: BusSlices, _ outputs: BusSlices, _ values: ParameterValues<Mixer3D.Parameter>,
    limits: GainLimits
  ) {
    let output = outputs[0]
    for channel in 0..<output.channelCount {
      Samples.clear(output[channel], count: output.frameCount)
    }
    for bus in 0..<inputs.count {
      add(
        inputs[bus], bus, Self.settings(bus, values, limits),
        steps: SIMD4(
          values.step(.azimuth, input: bus), values.step(.elevation, input: bus),
          values.step(.distance, input: bus), values.step(.gain, input: bus)), to: output)
    }
    finish(output, gain: values[.gain, output: 0], step: values.step(.gain, output: 0))
  }

  @_noLocks
  private static func settings(
    _ bus: Int, _ values: ParameterValues<Mixer3D.Parameter>, _ limits: GainLimits
  ) -> SpatialSettings {
    var settings = SpatialSettings()
    settings.place = SIMD4(
      values[.azimuth, input: bus], values[.elevation, input: bus], values[.distance, input: bus],
      values[.gain, input: bus])
    settings.isOn = values[.enable, input: bus]
    let (least, most) = (values[.minimumGain, input: bus], values[.maximumGain, input: bus])
    if case .linear = limits {
      (settings.minimumGain, settings.maximumGain) = (min(max(least, 0), 10), min(max(most, 0), 10))
    } else {
      settings.minimumGain = SpatialSettings.linear(least)
      settings.maximumGain = SpatialSettings.linear(most)
    }
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
