// SPDX-License-Identifier: Apache-2.0
import SignalProcessing

/// The filter of the room of a 3D mixer: it filters what the inputs send to the room.
///
/// Plain memory; its owner deallocates it.
struct RoomFilter: BitwiseCopyable {
  /// The values of the filter: kind, frequency in hertz, bandwidth in octaves, gain in decibels.
  struct Values: BitwiseCopyable {
    let isOn: Bool
    let type: Float
    let frequency: Float
    let bandwidth: Float
    let gain: Float

    @_noLocks
    init(isOn: Bool, type: Float, frequency: Float, bandwidth: Float, gain: Float) {
      self.isOn = isOn
      self.type = type
      self.frequency = frequency
      self.bandwidth = bandwidth
      self.gain = gain
    }

    /// A filter that changes nothing.
    static var flat: Self {
      @_noLocks get { Self(isOn: false, type: 0, frequency: 800, bandwidth: 3, gain: 0) }
    }
  }

  private let design: FilterDesign
  private let cascade: FilterCascade
  /// Whether it has ever changed the sound; until then it costs no time.
  private var isUsed = false

  /// [control thread]
  init(sampleRate: Double) {
    design = FilterDesign(sampleRate: sampleRate)
    cascade = .allocate(sectionCount: 1, channelCount: 1, sampleRate: sampleRate)
  }

  /// [control thread] Frees the memory; nothing may use it afterwards.
  func deallocate() { cascade.deallocate() }

  /// [render thread] Clears the signal history.
  @_noLocks
  mutating func reset() {
    cascade.reset()
    isUsed = false
  }

  /// [any thread] How long it rings, in frames.
  @_noLocks
  func memoryFrames(_ values: Values) -> Double { section(values).memoryFrames(decibels: 120) }

  /// [render thread] Filters samples in place.
  @_noLocks
  mutating func render(_ samples: UnsafeMutablePointer<Float>, count: Int, _ values: Values) {
    let section = section(values)
    guard isUsed || !section.isFlat else { return }
    // The first filter fades in from a flat one if there was sound before.
    isUsed = true
    cascade.set(0, to: section)
    let buffer = cascade.samples(0)
    var done = 0
    while done < count {
      let run = min(count - done, FilterCascade.maximumFrames)
      for frame in 0..<run { buffer[frame] = Double(samples[done + frame]) }
      cascade.run(run)
      for frame in 0..<run { samples[done + frame] = Float(buffer[frame]) }
      done += run
    }
  }

  @_noLocks
  private func section(_ values: Values) -> FilterSection {
    let type = Int32(Elementary.whole(Double(values.type)))
    // A bell or a shelf without gain changes nothing.
    let hasGain = type == 0 || type >= 7
    guard values.isOn, !hasGain || values.gain != 0 else { return .flat }
    return BandFilter.section(
      type, Double(values.frequency), decibels: Double(values.gain),
      octaves: Double(values.bandwidth), design)
  }
}
