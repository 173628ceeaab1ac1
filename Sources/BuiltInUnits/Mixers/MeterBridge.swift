// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Meters before and after the volume of some elements of one or two channels.
///
/// Plain memory; whoever made it deallocates it.
struct MeterBridge: BitwiseCopyable {
  /// What the meters of a channel show, in decibels.
  struct Readings: BitwiseCopyable {
    var preAverage: Float
    var prePeak: Float
    var postAverage: Float
    var postPeak: Float
  }

  private let meters: UnsafeMutablePointer<LevelMeter>
  private let count: Int

  /// [control thread]
  init(elements: Int, sampleRate: Double) {
    count = max(elements, 1) * 4
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
    // The mean of the squares along a straight line from a to b.
    let power = (a * a + a * b + b * b) * (1.0 / 3)
    let peakGain = max(a.magnitude, b.magnitude)
    for channel in 0..<min(slice.channelCount, 2) {
      let pre = meters + (element * 4 + channel * 2)
      guard !slice.isSilent else {
        pre[0].hear(energy: 0, peak: 0, count: slice.frameCount)
        pre[1].hear(energy: 0, peak: 0, count: slice.frameCount)
        continue
      }
      let heard = Samples.energyAndPeak(slice[channel], count: slice.frameCount)
      pre[0].hear(energy: heard.energy, peak: heard.peak, count: slice.frameCount)
      pre[1].hear(
        energy: heard.energy * power, peak: heard.peak * peakGain, count: slice.frameCount)
    }
  }

  /// [render thread] What the meters of a channel show; a channel that there is not is silent.
  @_noLocks
  func readings(_ element: Int, _ channel: Int) -> Readings {
    let pre = meters + (element * 4 + channel * 2)
    return Readings(
      preAverage: pre[0].averagePower, prePeak: pre[0].peakLevel,
      postAverage: pre[1].averagePower, postPeak: pre[1].peakLevel)
  }
}

extension ParameterSpec {
  /// What a meter shows, on input and output elements.
  static func meter(_ name: String) -> Self {
    Self(name, .decibels, -120...20, default: -120, isReadOnly: true)
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
