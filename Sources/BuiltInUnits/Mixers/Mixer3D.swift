// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Places mono inputs around a listener, by panning between up to eight speakers or with a head
/// model, optionally in a room. Stereo inputs pass through. The gain limits are in decibels.
struct Mixer3D: MixerKernel, ~Copyable {
  static let identity = Identity(kAudioUnitType_Mixer, kAudioUnitSubType_3DMixer, "AUMixer3D")
  static let elements = SpatialEngine.elements
  static let channels = SpatialEngine.channels
  static let inputChannels = 1...2
  static let outputChannels = 1...8
  static let newInputChannels = 1
  static let maximumFramesPerSlice = 1024
  static let inputSwitch: Parameter? = .enable
  static let hasSignalHistory = true
  static let fadeTime = Fader.fadeTime
  static let playbackRate: Parameter? = .playbackRate
  static let dopplerShift: DopplerShift? = DopplerShift(
    distance: Parameter.distance, flags: Setting.renderingFlags, bit: dopplerFlag,
    speedOfSound: SphericalHead.speedOfSound)
  private static let dopplerFlag =
    AU3DMixerRenderingFlags.k3DMixerRenderingFlags_DopplerShift.rawValue

  typealias Parameter = SpatialParameter
  typealias Setting = SpatialSetting
  static let meters = MeterSet.pairs(on: [kAudioUnitScope_Input])

  /// The parameters under this mixer's own identifiers, without the filter and head rotation.
  static let parameters = Parameter.allCases.map { key in
    switch key {
    case .roomFilterFrequency, .roomFilterBandwidth, .roomFilterGain, .roomFilterType,
      .roomFilterEnable, .headYaw, .headPitch, .headRoll:
      ParameterDefinition.absent()
    case .minimumGain:
      ParameterDefinition(id: 21, spec: .input("minimum gain", .decibels, -120...20, -120))
    case .maximumGain:
      ParameterDefinition(id: 22, spec: .input("maximum gain", .decibels, -120...20, 20))
    // The identifiers from the switch on begin at 20.
    default:
      ParameterDefinition(
        id: key.rawValue < 5 ? key.rawValue : key.rawValue + 15, spec: key.spec)
    }
  }

  /// The settings; the type of output cannot be set.
  static let settings = Setting.allCases.map { key in
    switch key {
    case .outputType: SettingSpec.own(default: 3)
    case .renderingFlags:
      key.spec(algorithms: algorithms, flags: Array(0...7))
        .withFlag(kAudioUnitProperty_DopplerShift, bits: dopplerFlag)
    default: key.spec(algorithms: algorithms, flags: Array(0...7))
    }
  }
  private static let algorithms: [UInt32] = [0, 1, 2, 4, 5, 6]

  private var engine: SpatialEngine

  init(_ setup: KernelSetup) { engine = SpatialEngine(setup) }
  deinit { engine.deallocate() }

  func tailTime(_ values: Values) -> Double? {
    engine.tailTime(
      hasRoom: values[.hasRoom] != 0, roomType: values[.roomType], filter: .flat)
  }

  mutating func reset() { engine.reset() }

  @_noLocks
  mutating func render(
    _ inputs: BusSlices, _ outputs: BusSlices, _ values: Values
  ) { engine.render(inputs, outputs, values, limits: .decibels) }
}

/// The parameters of both 3D mixers, with the identifiers of `SpatialMixer`; `Mixer3D` lists its
/// own.
enum SpatialParameter: AudioUnitParameterID, ParameterKey {
  case azimuth, elevation, distance, gain, playbackRate, enable, minimumGain, maximumGain
  case reverbBlend, globalReverbGain, occlusion, obstruction
  case roomFilterFrequency = 14
  case roomFilterBandwidth, roomFilterGain, roomFilterType, roomFilterEnable
  case headYaw = 19
  case headPitch = 20
  case headRoll = 21
}

/// The settings of both 3D mixers; `SpatialDeclarations.swift` describes them.
enum SpatialSetting: SettingKey {
  case algorithm, renderingFlags, sourceMode, curve
  case referenceDistance, maximumDistance, maximumAttenuation
  case metering, hasRoom, roomType, outputType
}

// In the file of the keys: only here can a debug build verify that reading values takes no lock.
extension SpatialEngine {
  /// [render thread] Renders every input, and applies the output's gain.
  @_noLocks
  mutating func render(
    _ inputs: BusSlices, _ outputs: BusSlices, _ values: Mixer3D.Values,
    limits: GainLimits
  ) {
    let output = outputs[0]
    let listener = Listener(
      head: HeadOrientation(
        yaw: values[.headYaw], pitch: values[.headPitch], roll: values[.headRoll]),
      measuredHead: presentHead, hasRoom: values[.hasRoom] != 0, outputType: values[.outputType])
    begin(output)
    for bus in 0..<inputs.count {
      add(
        inputs[bus], bus, Self.settings(bus, values, limits, listener),
        steps: SIMD4(
          values.step(.azimuth, input: bus), values.step(.elevation, input: bus),
          values.step(.distance, input: bus), values.step(.gain, input: bus)), to: output,
        isMetered: values[.metering, input: bus] != 0)
      if values[.metering, input: bus] != 0 {
        meters.publish(bus, to: values.raw, input: bus)
      }
    }
    addRoom(
      to: output, type: values[.roomType], filter: Self.filter(values, limits),
      level: values[.globalReverbGain], isOn: listener.hasRoom)
    finish(output, gain: values[.gain, output: 0], step: values.step(.gain, output: 0))
  }

  /// The filter of the room, which only the mixer with linear limits has.
  @_noLocks
  static func filter(_ values: Mixer3D.Values, _ limits: GainLimits) -> RoomFilter.Values {
    guard case .linear = limits else { return .flat }
    return RoomFilter.Values(
      isOn: values[.roomFilterEnable] != 0, type: values[.roomFilterType],
      frequency: values[.roomFilterFrequency], bandwidth: values[.roomFilterBandwidth],
      gain: values[.roomFilterGain])
  }

  /// The values that are common to all inputs.
  private struct Listener: BitwiseCopyable {
    var head: HeadOrientation
    var measuredHead: HeadResponses?
    var hasRoom: Bool
    var outputType: Float

    @_noLocks
    init(
      head: HeadOrientation, measuredHead: HeadResponses?, hasRoom: Bool, outputType: Float
    ) {
      self.head = head
      self.measuredHead = measuredHead
      self.hasRoom = hasRoom
      self.outputType = outputType
    }
  }

  @_noLocks
  private static func settings(
    _ bus: Int, _ values: Mixer3D.Values, _ limits: GainLimits,
    _ listener: Listener
  ) -> SpatialSettings {
    var settings = SpatialSettings()
    settings.head = listener.head
    settings.measuredHead = listener.measuredHead
    settings.hasRoom = listener.hasRoom
    settings.outputType = listener.outputType
    settings.reverbBlend = values[.reverbBlend, input: bus]
    settings.position = SIMD4(
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
