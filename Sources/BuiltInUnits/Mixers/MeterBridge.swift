// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Meters before and after the volume of elements that have the same number of channels.
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

  /// [control thread] Frees the memory; nothing may use it afterwards.
  func deallocate() { meters.deallocate() }

  /// [render thread] Resets all meters.
  @_noLocks
  func reset() { for index in 0..<count { meters[index].reset() } }

  /// [render thread] Measures a slice before its gain is applied, which goes from `a` to `b`.
  @_noLocks
  func measure(_ slice: Slice, element: Int, from a: Float, to b: Float) {
    for channel in 0..<min(slice.channelCount, channelCount) {
      measure(
        slice.isSilent ? nil : UnsafePointer(slice[channel]), slice.frameCount,
        channel: element * channelCount + channel, from: a, to: b)
    }
  }

  /// [render thread] Measures one channel, numbered across all elements; nil is silence.
  @_noLocks
  func measure(
    _ samples: UnsafePointer<Float>?, _ frames: Int, channel: Int, from a: Float, to b: Float
  ) {
    // The mean square of a gain that goes linearly from a to b.
    let power = (a * a + a * b + b * b) * (1.0 / 3)
    let peakGain = max(a.magnitude, b.magnitude)
    let pre = meters + 2 * channel
    var level: (energy: Float, peak: Float) = (0, 0)
    if let samples { level = Samples.energyAndPeak(samples, count: frames) }
    pre[0].measure(energy: level.energy, peak: level.peak, count: frames)
    pre[1].measure(energy: level.energy * power, peak: level.peak * peakGain, count: frames)
  }

  /// [render thread] Publishes the meter values of an input with two channels, in the order of
  /// `MeterSet.pairs`. A missing channel is silent.
  @_noLocks
  func publish(_ element: Int, to values: RawParameterValues, input: Int) {
    for index in 0..<8 { values.publish(meter: index, level(element, index), input: input) }
  }

  /// [render thread] Publishes the meter values of an output with two channels.
  @_noLocks
  func publish(_ element: Int, to values: RawParameterValues, output: Int) {
    for index in 0..<8 { values.publish(meter: index, level(element, index), output: output) }
  }

  /// A meter value of an element with two channels: even indices are left, odd ones right.
  @_noLocks
  private func level(_ element: Int, _ index: Int) -> Float {
    let meter = meters[4 * element + 2 * (index & 1) + (index >> 2)]
    return index & 2 == 0 ? meter.averagePower : meter.peakLevel
  }

  /// [render thread] Publishes the meter values of a channel of a matrix mixer, in the order of
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
  /// Meters in decibels before and after the volume of an element with two channels: average
  /// before, peak before, average after, peak after; each left and then right.
  static func pairs(on scopes: [AudioUnitScope], reportsClipping: Bool = false) -> MeterSet {
    let channels = levels.flatMap { id, name in [(id, "\(name), left"), (id + 1, "\(name), right")]
    }
    return MeterSet(
      channels.map { id, name in (id, .meter(name, .decibels, -120...20, scopes)) },
      reportsClipping: reportsClipping)
  }

  /// Meters before and after the volume of each channel of a matrix mixer: average and peak before,
  /// average and peak after; in decibels and then as linear gains.
  static let channels = MeterSet(
    levels.map { id, name in (id, .meter(name, .decibels, -120...20, busScopes)) }
      + levels.map { id, name in
        (id + 4000, .meter("\(name), linear", .linearGain, 0...10, busScopes))
      },
    reportsClipping: true)

  /// The scopes of values that every input and output has.
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
  /// The switch of an element's meters. If `scopes` includes the global one, that switches all
  /// meters.
  static func metering(in scopes: [AudioUnitScope]) -> Self {
    .choice(
      kAudioUnitProperty_MeteringMode, of: [0, 1], in: scopes,
      globalMeansAll: scopes.contains(kAudioUnitScope_Global))
  }
}
