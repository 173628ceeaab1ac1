// SPDX-License-Identifier: Apache-2.0

@testable import AudioSupport
@testable import AudioUnitCore
import CAudioToolbox

/// A kernel that outputs its parameters: channel 0 the ramping level, channel 1 the stepped one,
/// channel 2 the cutoff.
struct ValueSource: GeneratorKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Generator, code("valu"), "Values", manufacturer: maker)
  static let factoryPresets = [
    FactoryPreset(0, "Quiet", [0: 0.125]), FactoryPreset(4, "Loud", [0: 1, 7: 4]),
  ]
  static let hasRenderQuality = true

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case level = 0
    case choice = 3
    case stepped = 7
    case cutoff = 9
    case frames = 20

    var spec: ParameterSpec {
      switch self {
      case .level: .init("level", .linearGain, 0...1, default: 0.5, ramps: true)
      case .choice:
        .init("choice", .indexed, 1...3, default: 2, valueNames: ["First", "Second", "Third"])
      case .stepped: .init("stepped", .generic, 0...100, default: 10)
      case .cutoff:
        .init("cutoff", .hertz, 10...100_000, default: 30_000, limit: .halfSampleRate)
      case .frames:
        .init("rendered frames", .sampleFrames, 0...1e9, default: 0, isReadOnly: true)
      }
    }
  }

  private var frames = 0

  init(_ setup: KernelSetup) {}

  mutating func reset() { frames = 0 }

  mutating func render(_ output: Slice, _ values: Values) {
    for index in 0..<output.frameCount {
      output[0][index] = values[.level] + values.step(.level) * Float(index)
      if output.channelCount > 1 { output[1][index] = values[.stepped] }
      if output.channelCount > 2 { output[2][index] = values[.cutoff] }
    }
    frames += output.frameCount
    values.publish(.frames, Float(frames))
  }
}

/// A kernel that outputs the number of each frame, counted from 1, on every channel.
struct Counter: GeneratorKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Generator, code("coun"), "Counter", manufacturer: maker)

  private var next: Float = 1

  init(_ setup: KernelSetup) {}

  mutating func reset() { next = 1 }

  mutating func render(_ output: Slice, _ values: Values) {
    for index in 0..<output.frameCount {
      for channel in 0..<output.channelCount { output[channel][index] = next }
      next += 1
    }
  }
}

/// A kernel that adds an echo of half the level, four frames later.
struct Echo: EffectKernel, ~Copyable {
  static let identity = Identity(kAudioUnitType_Effect, code("echo"), "Echo", manufacturer: maker)
  static let distance = 4
  static let hasRenderQuality = true

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case gain

    var spec: ParameterSpec { .init("gain", .linearGain, 0...2, default: 1) }
  }

  private var past: [[Float]]
  private let sampleRate: Double

  init(_ setup: KernelSetup) {
    past = Array(
      repeating: Array(repeating: 0, count: Self.distance), count: setup.format.channelCount)
    sampleRate = setup.format.sampleRate
  }

  func tailTime(_ values: Values) -> Double? {
    values[.gain] == 0 ? 0 : Double(Self.distance) / sampleRate
  }

  mutating func reset() {
    for channel in past.indices { past[channel] = Array(repeating: 0, count: Self.distance) }
  }

  mutating func render(_ slice: Slice, _ values: Values) {
    for channel in 0..<slice.channelCount {
      for index in 0..<slice.frameCount {
        let input = slice[channel][index] * values[.gain]
        slice[channel][index] = input + 0.5 * past[channel].removeFirst()
        past[channel].append(input)
      }
    }
  }
}

/// A kernel that outputs the sum of its inputs on bus 0, and the first minus the others on bus 1.
struct SumAndDifference: MixerKernel, ~Copyable {
  static let identity = Identity(kAudioUnitType_Mixer, code("sumd"), "Sums", manufacturer: maker)
  static let elements = ElementCounts(inputs: 2, outputs: 2, inputRange: 1...8)
  static let channels: [AUChannelInfo]? = [.init(inChannels: -1, outChannels: -2)]
  static let maximumFramesPerSlice = 1024

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case volume, outputVolume

    var spec: ParameterSpec {
      switch self {
      case .volume:
        .init("volume", .linearGain, 0...1, default: 1, scope: kAudioUnitScope_Input)
      case .outputVolume:
        .init("output volume", .linearGain, 0...1, default: 1, scope: kAudioUnitScope_Output)
      }
    }
  }

  init(_ setup: KernelSetup) {}

  mutating func reset() {}

  mutating func render(
    _ inputs: BusSlices, _ outputs: BusSlices, _ values: Values
  ) {
    for bus in 0..<outputs.count {
      let output = outputs[bus]
      output.clear()
      for input in 0..<inputs.count {
        let sign: Float = bus == 1 && input > 0 ? -1 : 1
        let gain = sign * values[.volume, input: input] * values[.outputVolume, output: bus]
        for channel in 0..<min(output.channelCount, inputs[input].channelCount) {
          for index in 0..<output.frameCount {
            output[channel][index] += gain * inputs[input][channel][index]
          }
        }
      }
    }
  }
}

/// A kernel that outputs every second frame.
struct Decimator: ConverterKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_FormatConverter, code("deci"), "Decimator", manufacturer: maker)
  static let convertsRate = true

  /// The input frames of each channel that are not output yet.
  private let stored: UnsafeMutablePointer<Float>
  private let capacity: Int
  private let channelCount: Int
  private var count = 0

  init(_ setup: KernelSetup) {
    channelCount = setup.format.channelCount
    // A maximum slice needs twice as many input frames.
    capacity = 2 * setup.maximumFrames
    stored = .allocate(capacity: capacity * channelCount)
  }

  deinit { stored.deallocate() }

  mutating func reset() { count = 0 }

  mutating func inputFrames(
    for outputFrames: Int, _ values: Values
  ) -> Int {
    max(0, 2 * outputFrames - count)
  }

  func pendingInputFrames(_ values: Values) -> Double { Double(count) }

  mutating func consume(_ input: Slice, _ values: Values) {
    for channel in 0..<channelCount {
      let target = stored + channel * capacity + count
      for index in 0..<input.frameCount { target[index] = input[channel][index] }
    }
    count += input.frameCount
  }

  mutating func render(_ output: Slice, _ values: Values) {
    for channel in 0..<channelCount {
      for index in 0..<output.frameCount {
        output[channel][index] = stored[channel * capacity + 2 * index]
      }
    }
    count = 0
  }
}

/// The manufacturer of all components of these tests.
let maker = code("test")

/// The number that four characters spell.
func code(_ text: String) -> OSType { FourCharacterCode(text)?.rawValue ?? 0 }
