// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Mixes any number of mono and stereo inputs, each with volume, pan, switch and meters, to a mono
/// or stereo output. `StereoStrips` does the mixing.
struct MultiChannelMixer: MixerKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer, "AUMultiChannelMixer")
  static let elements = ElementCounts(inputs: 8, outputs: 1, inputRange: 1...1024)
  static let channels: [AUChannelInfo]? = [
    .init(inChannels: -1, outChannels: 2), .init(inChannels: -1, outChannels: 1),
  ]
  static let inputChannels = 1...2
  static let outputChannels = 1...2
  static let maximumFramesPerSlice = 1024
  static let inputSwitch: Parameter? = .enable
  static let fadeTime = Fader.fadeTime
  static let meters = MeterSet.pairs(on: MeterSet.busScopes, reportsClipping: true)

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case volume = 0
    case enable = 1
    case pan = 2

    var spec: ParameterSpec {
      switch self {
      case .volume:
        .init("volume", .linearGain, 0...1, default: 1, ramps: true)
          .on(kAudioUnitScope_Input, kAudioUnitScope_Output).accepting(ParameterSpec.anyGain)
      case .enable:
        .init("enable", .boolean, 0...1, default: 1)
          .on(kAudioUnitScope_Input, kAudioUnitScope_Output)
      case .pan:
        .init("pan", .pan, -1...1, default: 0, scope: kAudioUnitScope_Input, ramps: true)
          .clearing(Setting.hasLevels)
      }
    }
  }

  enum Setting: SettingKey {
    case metering
    // Whether gains replace those of the pan, and these gains; `MultiChannelMixerUnit` sets them.
    case hasLevels, leftToLeft, leftToRight, rightToLeft, rightToRight

    var spec: SettingSpec {
      switch self {
      case .metering: .metering(in: MeterSet.busScopes)
      case .hasLevels, .leftToLeft, .leftToRight, .rightToLeft, .rightToRight: .own(default: 0)
      }
    }
  }

  private var strips: StereoStrips

  init(_ setup: KernelSetup) { strips = StereoStrips(setup) }
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
    let isOn = values[.enable, output: 0] != 0
    strips.begin(
      target, volume: isOn ? values[.volume, output: 0] : 0,
      step: isOn ? values.step(.volume, output: 0) : 0, isMetered: isMetered)
    for bus in 0..<inputs.count {
      let generation = values.generation(input: bus)
      guard !strips.addConstant(inputs[bus], bus, generation, to: target) else { continue }
      let isOn = values[.enable, input: bus] != 0
      let isMetered = values[.metering, input: bus] != 0
      strips.add(
        inputs[bus], bus, to: target, volume: isOn ? values[.volume, input: bus] : 0,
        volumeStep: isOn ? values.step(.volume, input: bus) : 0, pan: values[.pan, input: bus],
        panStep: values.step(.pan, input: bus),
        levels: SIMD4(
          values[.leftToLeft, input: bus], values[.leftToRight, input: bus],
          values[.rightToLeft, input: bus], values[.rightToRight, input: bus]),
        hasLevels: values[.hasLevels, input: bus] != 0, isMetered: isMetered,
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

/// The unit of `MultiChannelMixer`: the gains of an input can be set individually instead of its
/// pan.
class MultiChannelMixerUnit: KernelUnit, @unchecked Sendable {
  private typealias Setting = MultiChannelMixer.Setting

  override var properties: [UnitProperty] { super.properties + Self.levelProperties }

  /// Discards the levels, which depend on the channel counts.
  override func formatChanged(_ element: Element) {
    for input in element.scope == kAudioUnitScope_Input ? [element] : inputs {
      input.parameters.setSetting(Setting.hasLevels.index, to: 0)
    }
  }

  /// The channel counts of an input and of the output.
  private func shape(_ input: Element) -> (inputs: Int, outputs: Int) {
    (input.format.channelCount, outputs.first?.format.channelCount ?? 2)
  }

  /// The lanes of `MatrixLevels` that an input has, row by row.
  private func lanes(_ input: Element) -> [Int] {
    let shape = shape(input)
    return (0..<shape.inputs).flatMap { row in (0..<shape.outputs).map { 2 * row + $0 } }
  }

  /// The gains of an input: those that the host has set, or else those of its pan.
  private func levels(_ input: Element) -> [Float] {
    let store = input.parameters
    guard store.setting(Setting.hasLevels.index) == 0 else {
      return lanes(input).map { store.setting(Setting.leftToLeft.index + $0) }
    }
    let shape = shape(input)
    let gains = StereoPan.gains(
      store.limitedValue(MultiChannelMixer.Parameter.pan.slot), inputs: shape.inputs,
      outputs: shape.outputs)
    return lanes(input).map { gains[$0] }
  }

  private static let levelProperties = PropertyRow<MultiChannelMixerUnit>.rows([
    .array(
      kAudioUnitProperty_MatrixLevels, in: [kAudioUnitScope_Input], Float32.self,
      get: { (unit, address) throws(AudioError) in
        unit.levels(try unit.element(address.scope, address.element))
      },
      count: { (unit, address) throws(AudioError) in
        unit.lanes(try unit.element(address.scope, address.element)).count
      },
      set: { (unit, address, levels) throws(AudioError) in
        let input = try unit.element(address.scope, address.element)
        let lanes = unit.lanes(input)
        guard levels.allSatisfy({ $0.magnitude <= 1e6 }) else {
          throw .invalidPropertyValue.because("\(levels); expected gains of at most a million")
        }
        for (lane, level) in zip(lanes, levels) {
          input.parameters.setSetting(Setting.leftToLeft.index + lane, to: level)
        }
        input.parameters.setSetting(Setting.hasLevels.index, to: 1)
      }),
    .array(
      kAudioUnitProperty_MatrixDimensions, in: [kAudioUnitScope_Input], UInt32.self,
      get: { (unit, address) throws(AudioError) in
        let shape = unit.shape(try unit.element(address.scope, address.element))
        return [UInt32(clamping: shape.inputs), UInt32(clamping: shape.outputs)]
      }),
  ])
}

extension UnitDefinition {
  /// The multichannel mixer, with the unit class that provides its levels.
  static var multiChannelMixer: UnitDefinition {
    var definition = Self.mixer(MultiChannelMixer.self, converting: .linearPCM)
    definition.makeUnit = { MultiChannelMixerUnit(component: $0, definition: $1) }
    return definition
  }
}
