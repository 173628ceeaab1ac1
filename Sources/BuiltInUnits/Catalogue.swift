// SPDX-License-Identifier: Apache-2.0
public import AudioUnitCore
import CAudioToolbox

/// Every unit that this library brings: a new one is one file and one line here.
public enum Catalogue {
  /// Units made of a kernel.
  static let kernels = generators + mixers + effects

  static let generators: [UnitDefinition] = [
    .generator(ToneGenerator.self)
  ]

  static let mixers: [UnitDefinition] = [
    .multiChannelMixer,
    .mixer(StereoMixer.self, converting: .linearPCM),
    .matrixMixer(MatrixMixer.self, converting: .linearPCM),
    .mixer(Mixer3D.self, converting: .linearPCM),
    .mixer(SpatialMixer.self, converting: .linearPCM),
    .mixer(Splitter.self),
    .mixer(MultiSplitter.self),
    .mixer(Merger.self),
  ]

  static let effects: [UnitDefinition] = [
    .effect(DynamicsProcessor.self),
    .effect(PeakLimiter.self),
    .effect(MultiBandCompressor.self),
    .effect(Distortion.self),
    .filter(LowPassFilter.self),
    .filter(HighPassFilter.self),
    .filter(BandPassFilter.self),
    .filter(HighShelfFilter.self),
    .filter(LowShelfFilter.self),
    .filter(ParametricEQ.self),
    .bandEqualizer,
    .filter(GraphicEQ.self),
    .filter(IPodEQ.self),
    .effect(Delay.self),
    .effect(SampleDelay.self),
    .effect(Reverb2.self),
    .effect(MatrixReverb.self),
  ]

  /// Units that reach a device, or stand where one would.
  static let outputs: [(Identity, @Sendable (Component) -> NativeUnit)] = [
    (output(kAudioUnitSubType_RemoteIO, "AURemoteIO"), { OutputUnit(component: $0) }),
    (output(kAudioUnitSubType_DefaultOutput, "DefaultOutputUnit"), { OutputUnit(component: $0) }),
    (output(kAudioUnitSubType_SystemOutput, "SystemOutputUnit"), { OutputUnit(component: $0) }),
    (output(kAudioUnitSubType_HALOutput, "AudioDeviceOutput"), { OutputUnit(component: $0) }),
    (output(kAudioUnitSubType_GenericOutput, "GenericOutput"), { GenericOutput(component: $0) }),
  ]

  /// The version of every built-in component: 1.0.0.
  static let version: UInt32 = 0x0001_0000

  /// [control thread] Registers everything, once per registry.
  public static func register(in registry: ComponentRegistry) {
    for (identity, make) in outputs { add(identity, to: registry, make) }
    for definition in kernels {
      add(definition.identity, to: registry) {
        definition.makeUnit($0, definition)
      }
    }
  }

  private static func add(
    _ identity: Identity, to registry: ComponentRegistry,
    _ make: @escaping @Sendable (Component) -> NativeUnit
  ) {
    let maker =
      identity.manufacturer == kAudioUnitManufacturer_Apple ? "Apple" : "swift-audiotoolbox"
    let component = Component(
      AudioComponentDescription(
        componentType: identity.type, componentSubType: identity.subType,
        componentManufacturer: identity.manufacturer, componentFlags: 0, componentFlagsMask: 0),
      name: "\(maker): \(identity.name)", version: version
    ) { component throws(AudioError) in make(component) }
    // Refused only when a host was first with the very same codes; its component then stands.
    _ = try? registry.register(component)
  }

  private static func output(_ subType: UInt32, _ name: String) -> Identity {
    Identity(kAudioUnitType_Output, subType, name)
  }
}
