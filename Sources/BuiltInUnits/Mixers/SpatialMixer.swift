// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox

/// As `Mixer3D`, under the names that embedded systems and the later spatial mixer have: the gain limits
/// are linear, and the head can be turned.
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
  static let properties: [KernelProperty] =
    KernelProperty.spatial(
      .init(
        algorithm: Parameter.algorithm, flags: .renderingFlags, sourceMode: .sourceMode,
        curve: .curve, distances: (.referenceDistance, .maximumDistance, .maximumAttenuation),
        metering: .metering, hasRoom: .hasRoom, roomType: .roomType),
      algorithms: [0, 1, 2, 4, 5, 6, 7], flags: [0, 1, 4, 5])
    + [
      .choice(
        kAudioUnitProperty_SpatialMixerOutputType, Parameter.outputType, of: [1, 2, 3],
        in: [kAudioUnitScope_Global])
    ]

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case azimuth = 0
    case elevation = 1
    case distance = 2
    case gain = 3
    case playbackRate = 4
    case enable = 5
    case minimumGain = 6
    case maximumGain = 7
    case reverbBlend = 8
    case globalReverbGain = 9
    case occlusion = 10
    case obstruction = 11
    case headYaw = 19
    case headPitch = 20
    case headRoll = 21
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

    /// Case by case those of `Mixer3D`.
    var spec: ParameterSpec {
      switch self {
      case .minimumGain: .input("minimum gain", .linearGain, 0...10, 0)
      case .maximumGain: .input("maximum gain", .linearGain, 0...10, 10)
      case .headYaw:
        .init("head yaw", .degrees, -180...180, default: 0).accepting(ParameterSpec.turns)
      case .headPitch:
        .init("head pitch", .degrees, -90...90, default: 0).accepting(ParameterSpec.turns)
      case .headRoll:
        .init("head roll", .degrees, -180...180, default: 0).accepting(ParameterSpec.turns)
      default: Mixer3D.Parameter.allCases[slot].spec
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
  ) { engine.render(inputs, outputs, values.under(Mixer3D.Parameter.self), limits: .linear) }
}
