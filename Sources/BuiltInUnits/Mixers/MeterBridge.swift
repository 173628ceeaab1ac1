// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Meters before and after the volume of some elements, each of as many channels.
///
/// Plain memory; its owner deallocates it.
struct MeterBridge: BitwiseCopyable {
  /// Two for each channel: before the volume and after it.
  private let meters: UnsafeMutablePointer<LevelMeter>
  private let count: Int
  private let channelCount: Int

  /// [control thread]
  init(elements: Int, channels: Int = 2, sampleRate: Double) {
    channelCount = channels
    count = max(elements, 1) * channels * 2
    meters = .allocate(capacity: count)
    meters.initialize(repeating: LevelMeter(sampleRate: sampleRate), count: count)
  }

  /// [control thread] Frees the memory; nothing may use it any more.
  func deallocate() { meters.deallocate() }

  /// [render thread] Forgets everything.
  @_noLocks
  func reset() { for index in 0..<count { meters[index].reset() } }

  /// [render thread] Measures a slice as it is before a gain that goes from `a` to `b` over it.
  @_noLocks
  func measure(_ slice: Slice, element: Int, from a: Float, to b: Float) {
    for channel in 0..<min(slice.channelCount, channelCount) {
      measure(
        slice.isSilent ? nil : UnsafePointer(slice[channel]), slice.frameCount,
        channel: element * channelCount + channel, from: a, to: b)
    }
  }

  /// [render thread] The same of one channel, counted through all elements; nil is silence.
  @_noLocks
  func measure(
    _ samples: UnsafePointer<Float>?, _ frames: Int, channel: Int, from a: Float, to b: Float
  ) {
    // The mean of the squares along a straight line from a to b.
    let power = (a * a + a * b + b * b) * (1.0 / 3)
    let peakGain = max(a.magnitude, b.magnitude)
    let pre = meters + 2 * channel
    var level: (energy: Float, peak: Float) = (0, 0)
    if let samples { level = Samples.energyAndPeak(samples, count: frames) }
    pre[0].measure(energy: level.energy, peak: level.peak, count: frames)
    pre[1].measure(energy: level.energy * power, peak: level.peak * peakGain, count: frames)
  }

  /// [render thread] Publishes what the meters of an input of two channels show, in the order of
  /// `MeterSet.pairs`. A channel that there is not is silent.
  @_noLocks
  func publish(_ element: Int, to values: RawParameterValues, input: Int) {
    for index in 0..<8 { values.publish(meter: index, level(element, index), input: input) }
  }

  /// [render thread] The same of an output of two channels.
  @_noLocks
  func publish(_ element: Int, to values: RawParameterValues, output: Int) {
    for index in 0..<8 { values.publish(meter: index, level(element, index), output: output) }
  }

  /// What a meter of an element of two channels shows; by turns the left and the right one.
  @_noLocks
  private func level(_ element: Int, _ index: Int) -> Float {
    let meter = meters[4 * element + 2 * (index & 1) + (index >> 2)]
    return index & 2 == 0 ? meter.averagePower : meter.peakLevel
  }

  /// [render thread] Publishes what the meters of a channel of a matrix show, in the order of
  /// `MeterSet.channels`.
  @_noLocks
  func publish(channel: Int, to values: RawParameterValues) {
    for part in 0..<2 {
      let meter = meters[2 * channel + part]
      let first = 8 * channel + 2 * part
      values.publish(meter: first, meter.averagePower)
      values.publish(meter: first + 1, meter.peakLevel)
      values.publish(meter: first + 4, meter.rootMeanSquare)
      values.publish(meter: first + 5, meter.peak)
    }
  }
}

extension MeterSet {
  /// Meters in decibels before and after the volume of an element of two channels: average before, peak
  /// before, average after, peak after, left and right of each by turns.
  static func pairs(on scopes: [AudioUnitScope], reportsClipping: Bool = false) -> MeterSet {
    let sides = levels.flatMap { id, name in [(id, "\(name), left"), (id + 1, "\(name), right")] }
    return MeterSet(
      sides.map { id, name in (id, .meter(name, .decibels, -120...20, scopes)) },
      reportsClipping: reportsClipping)
  }

  /// Meters before and after the volume of each channel of a matrix: average and peak before, average and
  /// peak after, in decibels and then as gains.
  static let channels = MeterSet(
    levels.map { id, name in (id, .meter(name, .decibels, -120...20, busScopes)) }
      + levels.map { id, name in
        (id + 4000, .meter("\(name), linear", .linearGain, 0...10, busScopes))
      },
    reportsClipping: true)

  /// The scopes of what every input and output has.
  static let busScopes = [kAudioUnitScope_Input, kAudioUnitScope_Output]

  private static let levels: [(AudioUnitParameterID, String)] = [
    (1000, "pre-average power"), (2000, "pre-peak hold level"), (3000, "post-average power"),
    (4000, "post-peak hold level"),
  ]
}

extension ParameterSpec {
  fileprivate static func meter(
    _ name: String, _ unit: AudioUnitParameterUnit, _ range: ClosedRange<Float>,
    _ scopes: [AudioUnitScope]
  ) -> Self {
    var spec = Self(name, unit, range, default: range.lowerBound, isReadOnly: true)
    spec.scopes = scopes
    return spec
  }
}

extension SettingSpec {
  /// The switch of an element's meters; on the global scope, where it is in `scopes`, that of all.
  static func metering(in scopes: [AudioUnitScope]) -> Self {
    .choice(
      kAudioUnitProperty_MeteringMode, of: [0, 1], in: scopes,
      globalMeansAll: scopes.contains(kAudioUnitScope_Global))
  }
}
