// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
@testable import AudioSupport
@testable import AudioUnitCore

/// A kernel that counts: frame n has the value (n · step + start) mod 64, on every channel.
struct Steps: GeneratorKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Generator, code("step"), "Steps", manufacturer: maker)

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case step, start

    var spec: ParameterSpec {
      switch self {
      case .step: .init("step", .generic, 0...64, default: 0)
      case .start: .init("start", .generic, -64...64, default: 1)
      }
    }
  }

  /// The value of frame `frame`.
  static func value(_ frame: Int, step: Float, start: Float) -> Float {
    Float((frame * Int(step) + Int(start)) % 64)
  }

  private var frame = 0

  init(_ setup: KernelSetup) {}

  mutating func reset() { frame = 0 }

  mutating func render(_ output: Slice, _ values: Values) {
    for index in 0..<output.frameCount {
      let value = Self.value(frame + index, step: values[.step], start: values[.start])
      for channel in 0..<output.channelCount { output[channel][index] = value }
    }
    frame += output.frameCount
  }
}

/// A kernel that multiplies.
struct Gain: EffectKernel, ~Copyable {
  static let identity = Identity(kAudioUnitType_Effect, code("gain"), "Gain", manufacturer: maker)

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case gain

    var spec: ParameterSpec { .init("gain", .linearGain, -4...4, default: 1) }
  }

  init(_ setup: KernelSetup) {}

  mutating func reset() {}

  mutating func render(_ slice: Slice, _ values: Values) {
    for channel in 0..<slice.channelCount {
      for index in 0..<slice.frameCount { slice[channel][index] *= values[.gain] }
    }
  }
}

/// A kernel that adds its inputs in order.
struct Sum: MixerKernel, ~Copyable {
  static let identity = Identity(kAudioUnitType_Mixer, code("sum "), "Sum", manufacturer: maker)
  static let elements = ElementCounts(inputs: 8, outputs: 1, inputRange: 1...256)
  static let channels: [AUChannelInfo]? = [.init(inChannels: -1, outChannels: -2)]

  init(_ setup: KernelSetup) {}

  mutating func reset() {}

  mutating func render(
    _ inputs: BusSlices, _ outputs: BusSlices, _ values: Values
  ) {
    let output = outputs[0]
    output.clear()
    for input in 0..<inputs.count {
      for channel in 0..<output.channelCount {
        for index in 0..<output.frameCount {
          output[channel][index] += inputs[input][channel][index]
        }
      }
    }
  }
}

/// A kernel that copies its input to every output.
struct Split: MixerKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_FormatConverter, code("splt"), "Split", manufacturer: maker)
  static let elements = ElementCounts(inputs: 1, outputs: 2, outputRange: 1...64)
  static let channels: [AUChannelInfo]? = [.init(inChannels: -1, outChannels: -2)]

  init(_ setup: KernelSetup) {}

  mutating func reset() {}

  mutating func render(
    _ inputs: BusSlices, _ outputs: BusSlices, _ values: Values
  ) {
    for bus in 0..<outputs.count {
      for channel in 0..<outputs[bus].channelCount {
        for index in 0..<outputs[bus].frameCount {
          outputs[bus][channel][index] = inputs[0][channel][index]
        }
      }
    }
  }
}

/// A kernel that delays its input by the latency it reports.
struct Lag: EffectKernel, ~Copyable {
  static let identity = Identity(kAudioUnitType_Effect, code("lag "), "Lag", manufacturer: maker)
  static let distance = 100

  private var past: [[Float]]

  init(_ setup: KernelSetup) {
    past = Array(
      repeating: Array(repeating: 0, count: Self.distance), count: setup.format.channelCount)
  }

  var latencyFrames: Int { Self.distance }

  mutating func reset() {
    for channel in past.indices { past[channel] = Array(repeating: 0, count: Self.distance) }
  }

  mutating func render(_ slice: Slice, _ values: Values) {
    for channel in 0..<slice.channelCount {
      for index in 0..<slice.frameCount {
        past[channel].append(slice[channel][index])
        slice[channel][index] = past[channel].removeFirst()
      }
    }
  }
}

/// The kernels as registered components.
enum TestUnit: String, CaseIterable, Sendable {
  case steps = "step"
  case gain = "gain"
  case sum = "sum "
  case split = "splt"
  case lag = "lag "

  private var definition: UnitDefinition {
    switch self {
    case .steps: .generator(Steps.self)
    case .gain: .effect(Gain.self)
    case .sum: .mixer(Sum.self)
    case .split: .mixer(Split.self)
    case .lag: .effect(Lag.self)
    }
  }

  private static let registration: Void = {
    for unit in allCases {
      let definition = unit.definition
      let component = Component(
        AudioComponentDescription(
          componentType: definition.identity.type, componentSubType: definition.identity.subType,
          componentManufacturer: definition.identity.manufacturer, componentFlags: 0,
          componentFlagsMask: 0),
        name: "Tests: \(definition.identity.name)", version: 1
      ) { component, _ throws(AudioError) in
        KernelUnit(component: component, definition: definition)
      }
      _ = try? ComponentRegistry.shared.register(component)
    }
  }()

  /// The codes of the registered component.
  var description: AudioComponentDescription {
    _ = Self.registration
    let identity = definition.identity
    return AudioComponentDescription(
      componentType: identity.type, componentSubType: identity.subType,
      componentManufacturer: identity.manufacturer, componentFlags: 0, componentFlagsMask: 0)
  }
}

/// The manufacturer of all components of this test target; no other target uses it.
let maker = code("tgra")

/// The four-character code of a text.
func code(_ text: String) -> OSType { FourCharacterCode(text)?.rawValue ?? 0 }
