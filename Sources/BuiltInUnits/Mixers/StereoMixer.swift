// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox

/// Mixes any number of mono and stereo inputs, each with a fader, pan and meters, to one stereo
/// output. `StereoStrips` does the mixing.
struct StereoMixer: MixerKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Mixer, kAudioUnitSubType_StereoMixer, "AUMixer")
  static let elements = ElementCounts(inputs: 8, outputs: 1, inputRange: 1...1024)
  static let channels: [AUChannelInfo]? = [.init(inChannels: -1, outChannels: 2)]
  static let inputChannels = 1...2
  static let outputChannels = 2...2
  static let maximumFramesPerSlice = 1024
  static let meters = MeterSet.pairs(on: MeterSet.busScopes, reportsClipping: true)

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case volume = 0
    case pan = 1

    var spec: ParameterSpec {
      switch self {
      case .volume:
        .init("volume", .mixerFaderCurve1, 0...1, default: 1, ramps: true)
          .on(kAudioUnitScope_Input, kAudioUnitScope_Output)
          // The cube roots of `anyGain`.
          .accepting(-100...100)
      case .pan:
        .init("pan", .pan, 0...1, default: 0.5, scope: kAudioUnitScope_Input, ramps: true)
      }
    }
  }

  enum Setting: SettingKey {
    case metering

    var spec: SettingSpec { .metering(in: MeterSet.busScopes) }
  }

  private var strips: StereoStrips

  init(_ setup: KernelSetup) { strips = StereoStrips(setup, .cubic) }
  deinit { strips.deallocate() }

  mutating func reset() { strips.reset() }

  @_noLocks
  mutating func render(
    _ inputs: BusSlices, _ outputs: BusSlices, _ values: Values
  ) {
    guard !strips.mixConstant(inputs, to: outputs, edition: values.edition) else { return }
    mixInFull(inputs, outputs, values)
  }

  @_noLocks @inline(never)
  private mutating func mixInFull(
    _ inputs: BusSlices, _ outputs: BusSlices, _ values: Values
  ) {
    let target = outputs[0]
    let isMetered = values[.metering, output: 0] != 0
    strips.begin(
      target, volume: values[.volume, output: 0], step: values.step(.volume, output: 0),
      isMetered: isMetered)
    for bus in 0..<inputs.count {
      let generation = values.generation(input: bus)
      guard !strips.addConstant(inputs[bus], bus, generation, to: target) else { continue }
      let isMetered = values[.metering, input: bus] != 0
      strips.add(
        inputs[bus], bus, to: target, volume: values[.volume, input: bus],
        volumeStep: values.step(.volume, input: bus), pan: 2 * values[.pan, input: bus] - 1,
        panStep: 2 * values.step(.pan, input: bus), isMetered: isMetered,
        generation: generation)
      if isMetered { strips.inputMeters.publish(bus, to: values.raw, input: bus) }
    }
    strips.finish(inputs, to: target, edition: values.edition)
    if isMetered {
      strips.outputMeters.publish(0, to: values.raw, output: 0)
      ClippingMeter.measure(target, values.raw, output: 0)
    }
  }
}
