// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Mono inputs placed around a listener, by panning between up to eight speakers or by the model of a
/// head, in a room if the host wants one; stereo inputs pass through. The gain limits are decibels.
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
  static let dopplerShift: DopplerShift? = DopplerShift(
    distance: Parameter.distance, flags: Parameter.renderingFlags,
    bit: AU3DMixerRenderingFlags.k3DMixerRenderingFlags_DopplerShift.rawValue,
    speedOfSound: SphericalHead.speedOfSound)
  static let properties: [KernelProperty] =
    KernelProperty.spatial(
      .init(
        algorithm: Parameter.algorithm, flags: .renderingFlags, sourceMode: .sourceMode,
        curve: .curve, distances: (.referenceDistance, .maximumDistance, .maximumAttenuation),
        metering: .metering, hasRoom: .hasRoom, roomType: .roomType),
      algorithms: [0, 1, 2, 4, 5, 6], flags: [0, 1, 2, 3, 4, 5, 6, 7])
    + [
      .bits(
        kAudioUnitProperty_DopplerShift,
        AU3DMixerRenderingFlags.k3DMixerRenderingFlags_DopplerShift.rawValue,
        of: Parameter.renderingFlags, in: [kAudioUnitScope_Input])
    ]

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case azimuth = 0
    case elevation = 1
    case distance = 2
    case gain = 3
    case playbackRate = 4
    case enable = 20
    case minimumGain = 21
    case maximumGain = 22
    case reverbBlend = 23
    case globalReverbGain = 24
    case occlusion = 25
    case obstruction = 26
    // Of the spatial mixer alone.
    case headYaw = 3_111_001
    case headPitch = 3_111_002
    case headRoll = 3_111_003
    case outputType = 3100
    // 3000 is the number of a meter.
    case algorithm = 3_000_000
    case renderingFlags = 3003
    case sourceMode = 3005
    case curve = 3013
    case referenceDistance = 3010
    case maximumDistance = 3_010_001
    case maximumAttenuation = 3_010_002
    case metering = 3007
    case hasRoom = 1005
    case roomType = 1010
    // Meters, which the kernel writes, come last, in the order of `MeterBridge`.
    case preAverage = 1000
    case preAverageRight = 1001
    case prePeak = 2000
    case prePeakRight = 2001
    case postAverage = 3000
    case postAverageRight = 3001
    case postPeak = 4000
    case postPeakRight = 4001

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
      case .reverbBlend: .reverbBlend
      case .globalReverbGain: .globalReverbGain
      case .occlusion: .occlusion
      case .obstruction: .obstruction
      case .headYaw, .headPitch, .headRoll: .property(default: 0)
      case .outputType: .property(default: 3)
      case .algorithm, .sourceMode, .curve, .metering, .hasRoom, .roomType: .property(default: 0)
      case .renderingFlags: .property(default: 5)
      case .referenceDistance: .property(default: 1)
      case .maximumDistance: .property(default: 100)
      case .maximumAttenuation: .property(default: 40)
      case .preAverage: .inputMeter("pre-average power, left")
      case .preAverageRight: .inputMeter("pre-average power, right")
      case .prePeak: .inputMeter("pre-peak hold level, left")
      case .prePeakRight: .inputMeter("pre-peak hold level, right")
      case .postAverage: .inputMeter("post-average power, left")
      case .postAverageRight: .inputMeter("post-average power, right")
      case .postPeak: .inputMeter("post-peak hold level, left")
      case .postPeakRight: .inputMeter("post-peak hold level, right")
      }
    }
  }

  private var engine: SpatialEngine

  init(_ setup: KernelSetup) { engine = SpatialEngine(setup) }
  deinit { engine.deallocate() }

  func tailTime(_ values: ParameterValues<Parameter>) -> Double? {
    engine.tailTime(hasRoom: values[.hasRoom] != 0, roomType: values[.roomType])
  }

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
    let listener = Listener(
      head: HeadOrientation(
        yaw: values[.headYaw], pitch: values[.headPitch], roll: values[.headRoll]),
      hasRoom: values[.hasRoom] != 0, outputType: values[.outputType])
    begin(output)
    for bus in 0..<inputs.count {
      add(
        inputs[bus], bus, Self.settings(bus, values, limits, listener),
        steps: SIMD4(
          values.step(.azimuth, input: bus), values.step(.elevation, input: bus),
          values.step(.distance, input: bus), values.step(.gain, input: bus)), to: output,
        isMetered: values[.metering, input: bus] != 0)
      if values[.metering, input: bus] != 0 {
        meters.publish(
          bus, to: values.raw, slot: Mixer3D.Parameter.preAverage.slot, input: bus)
      }
    }
    addRoom(
      to: output, type: values[.roomType], level: values[.globalReverbGain],
      isOn: listener.hasRoom)
    finish(output, gain: values[.gain, output: 0], step: values.step(.gain, output: 0))
  }

  /// What holds for all inputs.
  private struct Listener: BitwiseCopyable {
    var head: HeadOrientation
    var hasRoom: Bool
    var outputType: Float

    @_noLocks
    init(head: HeadOrientation, hasRoom: Bool, outputType: Float) {
      self.head = head
      self.hasRoom = hasRoom
      self.outputType = outputType
    }
  }

  @_noLocks
  private static func settings(
    _ bus: Int, _ values: ParameterValues<Mixer3D.Parameter>, _ limits: GainLimits,
    _ listener: Listener
  ) -> SpatialSettings {
    var settings = SpatialSettings()
    settings.head = listener.head
    settings.hasRoom = listener.hasRoom
    settings.outputType = listener.outputType
    settings.reverbBlend = values[.reverbBlend, input: bus]
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
