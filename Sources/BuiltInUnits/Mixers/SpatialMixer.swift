// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox

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

    /// Case by case those of `Mixer3D`.
    var spec: ParameterSpec {
      switch self {
      case .minimumGain: .input("minimum gain", .linearGain, 0...10, 0)
      case .maximumGain: .input("maximum gain", .linearGain, 0...10, 10)
      default: Mixer3D.Parameter.allCases[slot].spec
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
  ) { engine.render(inputs, outputs, values.under(Mixer3D.Parameter.self), limits: .linear) }
}
