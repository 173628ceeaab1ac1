// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// A compressor and expander: it attenuates sound above one threshold and below another. All
/// channels get the same gain.
///
/// `LevelCurve` describes the curve, and `Compressor` describes how the gain follows it. There is
/// no latency.
struct DynamicsProcessor: EffectKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Effect, kAudioUnitSubType_DynamicsProcessor, "AUDynamicsProcessor")

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case threshold, headRoom, expansionRatio, expansionThreshold, attackTime, releaseTime
    case overallGain
    case compressionAmount = 1000
    case inputAmplitude = 2000
    case outputAmplitude = 3000

    var spec: ParameterSpec {
      switch self {
      case .threshold: .init("threshold", .decibels, -40...20, default: -20)
      case .headRoom: .init("head room", .decibels, 0.1...40, default: 5)
      case .expansionRatio:
        .init("expansion ratio", .ratio, 1...50, default: 2, display: .flag_DisplayLogarithmic)
      case .expansionThreshold: .init("expansion threshold", .decibels, -120...0, default: -120)
      case .attackTime:
        .init("attack time", .seconds, 0.0001...0.2, default: 0.001, display: .flag_DisplayCubeRoot)
      case .releaseTime:
        .init("release time", .seconds, 0.01...3, default: 0.05, display: .flag_DisplayCubeRoot)
      case .overallGain: .init("overall gain", .decibels, -40...40, default: 0)
      case .compressionAmount:
        .init("compression amount", .decibels, 0...40, default: 0, isReadOnly: true)
      case .inputAmplitude:
        .init("input amplitude", .decibels, -120...20, default: -120, isReadOnly: true)
      case .outputAmplitude:
        .init("output amplitude", .decibels, -120...20, default: -120, isReadOnly: true)
      }
    }
  }

  private var compressor: Compressor
  private var inputMeter: LevelMeter
  private var outputMeter: LevelMeter
  private let memory = OwnedMemory()
  private let levels: UnsafeMutablePointer<Float>
  private let scratch: UnsafeMutablePointer<Float>

  init(_ setup: KernelSetup) {
    compressor = Compressor(sampleRate: setup.format.sampleRate)
    inputMeter = LevelMeter(sampleRate: setup.format.sampleRate)
    outputMeter = inputMeter
    levels = memory.array(setup.maximumFrames + 8, of: 0)
    scratch = memory.array(setup.maximumFrames + 8, of: 0)
  }

  deinit {
    memory.deallocate()
  }

  var tailTime: Double? { 0 }
  // The time for the longest release: rendering continues until the gain is constant.
  var settlingTime: Double? { Compressor.settlingTime(releaseTime: 3) }

  mutating func reset() {
    compressor.reset()
    inputMeter.reset()
    outputMeter.reset()
  }

  @_noLocks
  mutating func render(_ slice: Slice, _ values: Values) {
    let count = slice.frameCount
    let curve = LevelCurve(
      threshold: values[.threshold], headRoom: values[.headRoom],
      expansionThreshold: values[.expansionThreshold], expansionRatio: values[.expansionRatio])
    compressor.set(
      curve, gain: values[.overallGain], attackTime: values[.attackTime],
      releaseTime: values[.releaseTime])

    for channel in 0..<slice.channelCount {
      LinkedLevel.raise(levels, by: slice[channel], count: count, isFirst: channel == 0)
    }
    inputMeter.measure(energy: 0, peak: Samples.peak(levels, count: count), count: count)
    compressor.process(levels, scratch: scratch, count: count)
    var peak: Float = 0
    for channel in 0..<slice.channelCount {
      LinkedLevel.scale(slice[channel], by: levels, count: count)
      peak = max(peak, Samples.peak(slice[channel], count: count))
    }
    outputMeter.measure(energy: 0, peak: peak, count: count)

    values.publish(.compressionAmount, compressor.reduction)
    values.publish(.inputAmplitude, inputMeter.peakLevel)
    values.publish(.outputAmplitude, outputMeter.peakLevel)
  }
}
