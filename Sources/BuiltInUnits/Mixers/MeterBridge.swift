// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Meters before and after the volume of some elements, each of as many channels.
///
/// Plain memory; whoever made it deallocates it.
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

  /// [render thread] Hears a slice as it is before a gain that goes from `a` to `b` over it.
  @_noLocks
  func hear(_ slice: Slice, element: Int, from a: Float, to b: Float) {
    for channel in 0..<min(slice.channelCount, channelCount) {
      hear(
        slice.isSilent ? nil : UnsafePointer(slice[channel]), slice.frameCount,
        channel: element * channelCount + channel, from: a, to: b)
    }
  }

  /// [render thread] The same of one channel, counted through all elements; nil is silence.
  @_noLocks
  func hear(
    _ samples: UnsafePointer<Float>?, _ frames: Int, channel: Int, from a: Float, to b: Float
  ) {
    // The mean of the squares along a straight line from a to b.
    let power = (a * a + a * b + b * b) * (1.0 / 3)
    let peakGain = max(a.magnitude, b.magnitude)
    let pre = meters + 2 * channel
    var heard: (energy: Float, peak: Float) = (0, 0)
    if let samples { heard = Samples.energyAndPeak(samples, count: frames) }
    pre[0].hear(energy: heard.energy, peak: heard.peak, count: frames)
    pre[1].hear(energy: heard.energy * power, peak: heard.peak * peakGain, count: frames)
  }

  /// [render thread] Tells hosts what the meters of an input of two channels show: values from `slot`
  /// on: average before, peak before, average after, peak after, left and right of each by turns. A
  /// channel that there is not is silent.
  @_noLocks
  func publish(_ element: Int, to values: RawParameterValues, slot: Int, input: Int) {
    for index in 0..<8 { values.publish(slot: slot + index, level(element, index), input: input) }
  }

  /// [render thread] The same of an output of two channels.
  @_noLocks
  func publish(_ element: Int, to values: RawParameterValues, slot: Int, output: Int) {
    for index in 0..<8 { values.publish(slot: slot + index, level(element, index), output: output) }
  }

  /// What a meter of an element of two channels shows; by turns the left and the right one.
  @_noLocks
  private func level(_ element: Int, _ index: Int) -> Float {
    let meter = meters[4 * element + 2 * (index & 1) + (index >> 2)]
    return index & 2 == 0 ? meter.averagePower : meter.peakLevel
  }

  /// [render thread] Tells hosts what the meters of a channel of a matrix show: global values from
  /// `slot` on, average and peak before and after, in decibels and then as gains.
  @_noLocks
  func publish(channel: Int, to values: RawParameterValues, slot: Int) {
    for part in 0..<2 {
      let meter = meters[2 * channel + part]
      values.publish(slot: slot + 2 * part, meter.averagePower)
      values.publish(slot: slot + 2 * part + 1, meter.peakLevel)
      values.publish(slot: slot + 2 * part + 4, meter.rootMeanSquare)
      values.publish(slot: slot + 2 * part + 5, meter.peak)
    }
  }
}

extension ParameterSpec {
  /// What a meter shows in decibels, on input and output elements.
  static func meter(_ name: String) -> Self {
    Self(name, .decibels, -120...20, default: -120, isReadOnly: true)
      .on(kAudioUnitScope_Input, kAudioUnitScope_Output)
  }

  /// The same on input elements alone.
  static func inputMeter(_ name: String) -> Self { meter(name).on(kAudioUnitScope_Input) }

  /// What a meter shows as a gain, on input and output elements.
  static func linearMeter(_ name: String) -> Self {
    Self(name, .linearGain, 0...10, default: 0, isReadOnly: true)
      .on(kAudioUnitScope_Input, kAudioUnitScope_Output)
  }
}

extension KernelProperty {
  /// The switch of an element's meters, kept under a key.
  static func metering<Key: ParameterKey>(_ key: Key) -> KernelProperty {
    .choice(
      kAudioUnitProperty_MeteringMode, key, of: [0, 1],
      in: [kAudioUnitScope_Input, kAudioUnitScope_Output])
  }
}
