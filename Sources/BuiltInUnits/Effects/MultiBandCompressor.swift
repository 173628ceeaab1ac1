// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Splits the sound into four frequency bands, compresses each, and adds them up.
///
/// `BandSplitter` splits the sound; while nothing is compressed the sum has a flat frequency
/// response. The curve of each band is that of the dynamics processor. There is no latency.
struct MultiBandCompressor: EffectKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Effect, kAudioUnitSubType_MultiBandCompressor, "AUMultibandCompressor")

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case preGain, postGain
    case crossover1, crossover2, crossover3
    case threshold1, threshold2, threshold3, threshold4
    case headRoom1, headRoom2, headRoom3, headRoom4
    case attackTime, releaseTime
    case eq1, eq2, eq3, eq4
    case compressionAmount1 = 1000
    case compressionAmount2 = 2000
    case compressionAmount3 = 3000
    case compressionAmount4 = 4000
    case inputAmplitude1 = 5000
    case inputAmplitude2 = 6000
    case inputAmplitude3 = 7000
    case inputAmplitude4 = 8000
    case outputAmplitude1 = 9000
    case outputAmplitude2 = 10000
    case outputAmplitude3 = 11000
    case outputAmplitude4 = 12000

    var spec: ParameterSpec {
      band.map { ownSpec.inClump($0, "Band \($0)") } ?? ownSpec
    }

    /// The number of its band, from one on; nil if the parameter applies to all bands.
    private var band: UInt32? {
      switch self {
      case .threshold1, .headRoom1, .eq1, .compressionAmount1, .inputAmplitude1, .outputAmplitude1:
        1
      case .threshold2, .headRoom2, .eq2, .compressionAmount2, .inputAmplitude2, .outputAmplitude2:
        2
      case .threshold3, .headRoom3, .eq3, .compressionAmount3, .inputAmplitude3, .outputAmplitude3:
        3
      case .threshold4, .headRoom4, .eq4, .compressionAmount4, .inputAmplitude4, .outputAmplitude4:
        4
      default: nil
      }
    }

    private var ownSpec: ParameterSpec {
      switch self {
      case .preGain: .init("pre-gain", .decibels, -40...40, default: 0)
      case .postGain: .init("post-gain", .decibels, -40...40, default: 0)
      case .crossover1: Self.crossover("crossover 1", 120)
      case .crossover2: Self.crossover("crossover 2", 700)
      case .crossover3: Self.crossover("crossover 3", 3000)
      case .threshold1: .init("threshold 1", .decibels, -100...0, default: -22)
      case .threshold2: .init("threshold 2", .decibels, -100...0, default: -32)
      case .threshold3: .init("threshold 3", .decibels, -100...0, default: -33)
      case .threshold4: .init("threshold 4", .decibels, -100...0, default: -36)
      case .headRoom1: .init("head room 1", .decibels, 0.1...40, default: 5)
      case .headRoom2: .init("head room 2", .decibels, 0.1...40, default: 12)
      case .headRoom3: .init("head room 3", .decibels, 0.1...40, default: 5)
      case .headRoom4: .init("head room 4", .decibels, 0.1...40, default: 7.5)
      case .attackTime:
        .init("attack time", .seconds, 0.001...0.2, default: 0.08, display: .flag_DisplayCubeRoot)
      case .releaseTime:
        .init("release time", .seconds, 0.01...3, default: 0.12, display: .flag_DisplayCubeRoot)
      case .eq1: .init("EQ 1", .decibels, -20...20, default: 0)
      case .eq2: .init("EQ 2", .decibels, -20...20, default: 0)
      case .eq3: .init("EQ 3", .decibels, -20...20, default: 0)
      case .eq4: .init("EQ 4", .decibels, -20...20, default: 0)
      case .compressionAmount1: Self.meter("compression amount 1", 0...20)
      case .compressionAmount2: Self.meter("compression amount 2", 0...20)
      case .compressionAmount3: Self.meter("compression amount 3", 0...20)
      case .compressionAmount4: Self.meter("compression amount 4", 0...20)
      case .inputAmplitude1: Self.meter("input amplitude 1", -120...20)
      case .inputAmplitude2: Self.meter("input amplitude 2", -120...20)
      case .inputAmplitude3: Self.meter("input amplitude 3", -120...20)
      case .inputAmplitude4: Self.meter("input amplitude 4", -120...20)
      case .outputAmplitude1: Self.meter("output amplitude 1", -120...20)
      case .outputAmplitude2: Self.meter("output amplitude 2", -120...20)
      case .outputAmplitude3: Self.meter("output amplitude 3", -120...20)
      case .outputAmplitude4: Self.meter("output amplitude 4", -120...20)
      }
    }

    private static func crossover(_ name: String, _ frequency: Float) -> ParameterSpec {
      .init(
        name, .hertz, 20...96_000, default: frequency, limit: .halfSampleRate,
        display: .flag_DisplayLogarithmic)
    }

    private static func meter(_ name: String, _ range: ClosedRange<Float>) -> ParameterSpec {
      .init(name, .decibels, range, default: range.lowerBound, isReadOnly: true)
    }
  }

  /// The state of one band.
  private struct Band {
    var compressor: Compressor
    var input: LevelMeter
    var output: LevelMeter
  }

  private var splitter: BandSplitter
  private var preGain: SettingsRamp
  private let memory = OwnedMemory()
  private let bands: UnsafeMutablePointer<Band>
  private let levels: UnsafeMutablePointer<Float>
  private let scratch: UnsafeMutablePointer<Float>
  /// The channels of each band, `stride` samples each. An odd number of channels is rounded up to
  /// an even one.
  private let sound: UnsafeMutablePointer<Float>
  private let stride: Int
  private let bandLength: Int

  /// The memory for four bands of every channel.
  static func memory(_ setup: KernelSetup) -> Int {
    16 * (setup.format.channelCount + 1) * (setup.maximumFrames + 8)
  }

  init(_ setup: KernelSetup) {
    let rate = setup.format.sampleRate
    let channels = setup.format.channelCount
    splitter = BandSplitter(sampleRate: rate, channelCount: channels)
    preGain = SettingsRamp(frames: Int(rate * 0.02))
    let meter = LevelMeter(sampleRate: rate)
    bands = memory.array(
      4, of: Band(compressor: Compressor(sampleRate: rate), input: meter, output: meter))
    stride = setup.maximumFrames + 8
    levels = memory.array(stride, of: 0)
    scratch = memory.array(stride, of: 0)
    bandLength = stride * (channels + channels % 2)
    sound = memory.array(4 * bandLength, of: 0)
  }

  deinit {
    splitter.deallocate()
    memory.deallocate()
  }

  // The time until the ringing of the lowest crossover has decayed by 100 dB.
  func tailTime(_ values: Values) -> Double? {
    6 / Double(min(values[.crossover1], min(values[.crossover2], values[.crossover3])))
  }

  // The time for the longest release: rendering continues until the gains are constant.
  var settlingTime: Double? { Compressor.settlingTime(releaseTime: 3) }

  mutating func reset() {
    splitter.reset()
    preGain.reset()
    for band in 0..<4 {
      bands[band].compressor.reset()
      bands[band].input.reset()
      bands[band].output.reset()
    }
  }

  @_noLocks
  mutating func render(_ slice: Slice, _ values: Values) {
    amplify(slice, values[.preGain])
    split(slice, values)
    set(0, values[.threshold1], values[.headRoom1], values[.eq1], values)
    set(1, values[.threshold2], values[.headRoom2], values[.eq2], values)
    set(2, values[.threshold3], values[.headRoom3], values[.eq3], values)
    set(3, values[.threshold4], values[.headRoom4], values[.eq4], values)
    for band in 0..<4 { compress(band, slice) }
    for channel in 0..<slice.channelCount { add(channel, into: slice) }
    publish(values)
  }

  /// Applies the pre-gain, and replaces NaN with silence.
  @_noLocks
  private mutating func amplify(_ slice: Slice, _ decibels: Float) {
    let count = slice.frameCount
    for channel in 0..<slice.channelCount {
      LinkedLevel.raise(levels, by: slice[channel], count: count, isFirst: true)
    }
    var target = SIMD16<Float>.zero
    target[0] = decibels
    preGain.move(to: target)
    if preGain.isConstant, decibels == 0 { return }
    preGain.writeGains(of: 0, into: levels, count: count)
    for channel in 0..<slice.channelCount {
      LinkedLevel.scale(slice[channel], by: levels, count: count)
    }
  }

  @_noLocks
  private mutating func split(_ slice: Slice, _ values: Values) {
    splitter.set(values[.crossover1], values[.crossover2], values[.crossover3])
    var start = 0
    while start < slice.frameCount {
      let run = splitter.run(of: slice.frameCount - start)
      var channel = 0
      while channel < slice.channelCount {
        let other = min(channel + 1, slice.channelCount - 1)
        let place = sound + (channel * stride + start)
        splitter.split(
          slice[channel] + start, slice[other] + start, count: run, pair: channel / 2,
          into: (
            place, place + bandLength, place + 2 * bandLength, place + 3 * bandLength
          ), otherAt: stride)
        channel += 2
      }
      splitter.advance(by: run)
      start += run
    }
  }

  @_noLocks
  private func set(
    _ band: Int, _ threshold: Float, _ headRoom: Float, _ gain: Float,
    _ values: Values
  ) {
    bands[band].compressor.set(
      LevelCurve(threshold: threshold, headRoom: headRoom), gain: gain + values[.postGain],
      attackTime: values[.attackTime], releaseTime: values[.releaseTime])
  }

  @_noLocks
  private func compress(_ band: Int, _ slice: Slice) {
    let count = slice.frameCount
    let sound = self.sound + band * bandLength
    for channel in 0..<slice.channelCount {
      LinkedLevel.raise(
        levels, by: sound + channel * stride, count: count, isFirst: channel == 0)
    }
    bands[band].input.measure(energy: 0, peak: Samples.peak(levels, count: count), count: count)
    bands[band].compressor.process(levels, scratch: scratch, count: count)
    var peak: Float = 0
    for channel in 0..<slice.channelCount {
      LinkedLevel.scale(sound + channel * stride, by: levels, count: count)
      peak = max(peak, Samples.peak(sound + channel * stride, count: count))
    }
    bands[band].output.measure(energy: 0, peak: peak, count: count)
  }

  @_noLocks
  private func add(_ channel: Int, into slice: Slice) {
    let output = slice[channel]
    let (one, length) = (sound + channel * stride, bandLength)
    for index in 0..<slice.frameCount {
      let low = one[index] + one[index + length]
      output[index] = low + (one[index + 2 * length] + one[index + 3 * length])
    }
  }

  @_noLocks
  private func publish(_ values: Values) {
    values.publish(.compressionAmount1, bands[0].compressor.reduction)
    values.publish(.compressionAmount2, bands[1].compressor.reduction)
    values.publish(.compressionAmount3, bands[2].compressor.reduction)
    values.publish(.compressionAmount4, bands[3].compressor.reduction)
    values.publish(.inputAmplitude1, bands[0].input.peakLevel)
    values.publish(.inputAmplitude2, bands[1].input.peakLevel)
    values.publish(.inputAmplitude3, bands[2].input.peakLevel)
    values.publish(.inputAmplitude4, bands[3].input.peakLevel)
    values.publish(.outputAmplitude1, bands[0].output.peakLevel)
    values.publish(.outputAmplitude2, bands[1].output.peakLevel)
    values.publish(.outputAmplitude3, bands[2].output.peakLevel)
    values.publish(.outputAmplitude4, bands[3].output.peakLevel)
  }
}
