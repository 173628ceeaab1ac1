// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox

/// Any number of mono and stereo inputs, each with a fader, pan and meters, to one stereo output.
/// `StereoStrips` says how they sound.
struct StereoMixer: MixerKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Mixer, kAudioUnitSubType_StereoMixer, "AUMixer")
  static let elements = ElementCounts(inputs: 8, outputs: 1, inputRange: 1...1024)
  static let channels: [AUChannelInfo]? = [.init(inChannels: -1, outChannels: 2)]
  static let inputChannels = 1...2
  static let outputChannels = 2...2
  static let maximumFramesPerSlice = 1024
  static let properties: [KernelProperty] = [
    .metering(Parameter.metering), .clipping(Parameter.clippingPeak),
  ]

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case volume = 0
    case pan = 1
    case metering = 3007
    // Meters, which the kernel writes, come last, in the order of `MeterBridge`.
    case preAverage = 1000
    case preAverageRight = 1001
    case prePeak = 2000
    case prePeakRight = 2001
    case postAverage = 3000
    case postAverageRight = 3001
    case postPeak = 4000
    case postPeakRight = 4001
    // What came out, in the order of `ClippingMeter`.
    case clippingPeak = 3_011_000
    case clippingInfinity = 3_011_001
    case clippingNotANumber = 3_011_002

    var spec: ParameterSpec {
      switch self {
      case .volume:
        .init("volume", .mixerFaderCurve1, 0...1, default: 1, ramps: true)
          .on(kAudioUnitScope_Input, kAudioUnitScope_Output)
          // As `anyGain`, of which it is the third root.
          .accepting(-100...100)
      case .pan:
        .init("pan", .pan, 0...1, default: 0.5, scope: kAudioUnitScope_Input, ramps: true)
      case .metering: .property(default: 0)
      case .preAverage: .meter("pre-average power, left")
      case .preAverageRight: .meter("pre-average power, right")
      case .prePeak: .meter("pre-peak hold level, left")
      case .prePeakRight: .meter("pre-peak hold level, right")
      case .postAverage: .meter("post-average power, left")
      case .postAverageRight: .meter("post-average power, right")
      case .postPeak: .meter("post-peak hold level, left")
      case .postPeakRight: .meter("post-peak hold level, right")
      case .clippingPeak, .clippingInfinity, .clippingNotANumber: .published
      }
    }
  }

  private var strips: StereoStrips

  init(_ setup: KernelSetup) { strips = StereoStrips(setup, .cubic) }
  deinit { strips.deallocate() }

  mutating func reset() { strips.reset() }

  @_noLocks
  mutating func render(
    _ inputs: BusSlices, _ outputs: BusSlices, _ values: ParameterValues<Parameter>
  ) {
    guard !strips.mixSteady(inputs, to: outputs, edition: values.edition) else { return }
    mixInFull(inputs, outputs, values)
  }

  @_noLocks @inline(never)
  private mutating func mixInFull(
    _ inputs: BusSlices, _ outputs: BusSlices, _ values: ParameterValues<Parameter>
  ) {
    let target = outputs[0]
    let isMetered = values[.metering, output: 0] != 0
    strips.begin(
      target, volume: values[.volume, output: 0], step: values.step(.volume, output: 0),
      isMetered: isMetered)
    for bus in 0..<inputs.count {
      let generation = values.generation(input: bus)
      guard !strips.addSteady(inputs[bus], bus, generation, to: target) else { continue }
      let isMetered = values[.metering, input: bus] != 0
      strips.add(
        inputs[bus], bus, to: target, volume: values[.volume, input: bus],
        volumeStep: values.step(.volume, input: bus), pan: 2 * values[.pan, input: bus] - 1,
        panStep: 2 * values.step(.pan, input: bus), isMetered: isMetered,
        generation: generation)
      if isMetered {
        strips.inputMeters.publish(
          bus, to: values.raw, slot: Parameter.preAverage.slot, input: bus)
      }
    }
    strips.finish(inputs, to: target, edition: values.edition)
    if isMetered {
      strips.outputMeters.publish(
        0, to: values.raw, slot: Parameter.preAverage.slot, output: 0)
      ClippingMeter(slot: Parameter.clippingPeak.slot).hear(target, values.raw, output: 0)
    }
  }
}
