// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioUnitCore
import CAudioToolbox

/// Every unit of this library but the output units. A new unit is one file, and one line here; its
/// type and subtype are constants of Units/UnitCodes.h, or of a header of its own.
public enum Catalogue {
  /// Units that run a kernel.
  static let kernels = generators + instruments + mixers + effects + converters

  static let generators: [UnitDefinition] = [
    .toneGenerator,
    .player(ScheduledSoundPlayer.self) { PlayerUnit(component: $0, definition: $1) },
    .player(AudioFilePlayer.self) { FilePlayerUnit(component: $0, definition: $1) },
  ]

  static let instruments: [UnitDefinition] = [
    .instrument(DLSMusicDevice.self) { MIDIInstrumentUnit(component: $0, definition: $1) },
    .instrument(MIDISynth.self) { MIDISynthUnit(component: $0, definition: $1) },
    .instrument(Sampler.self) { SamplerUnit(component: $0, definition: $1) },
  ]

  static let mixers: [UnitDefinition] = [
    .multiChannelMixer,
    .mixer(StereoMixer.self, converting: .linearPCM),
    .matrixMixer(MatrixMixer.self, converting: .linearPCM),
    .spatialMixer(Mixer3D.self),
    .spatialMixer(SpatialMixer.self),
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

  static let converters: [UnitDefinition] = [
    .converter(Varispeed.self),
    .converter(TimePitch.self),
    .converter(NewTimePitch.self),
    .converter(IPodTime.self),
    .iPodTimeOther,
    .roundTripAAC,
  ]

  /// [control thread] Registers every unit, once per registry.
  public static func register(in registry: ComponentRegistry) {
    registry.register(ConverterUnit.identity) { ConverterUnit(component: $0) }
    registry.register(DeferredRenderer.identity) { DeferredRenderer(component: $0) }
    for definition in kernels {
      registry.register(definition.identity) { definition.unit(of: $0) }
    }
  }
}
