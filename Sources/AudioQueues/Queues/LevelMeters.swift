// SPDX-License-Identifier: Apache-2.0
internal import CAudioToolbox
import SignalProcessing
import Synchronization

/// A level meter for each channel of a queue. The render thread measures; any thread reads.
struct LevelMeters: ~Copyable {
  private struct Level: ~Copyable {
    let average = Atomic(Float(0).bitPattern)
    let peak = Atomic(Float(0).bitPattern)
  }

  /// [any thread] Whether levels are measured.
  let isOn = Atomic(false)
  private let channelCount: Int
  private let memory = OwnedMemory()
  private let meters: UnsafeMutablePointer<LevelMeter>
  private let levels: UnsafeMutablePointer<Level>

  init(channelCount: Int, sampleRate: Double) {
    self.channelCount = channelCount
    meters = memory.array(channelCount, of: LevelMeter(sampleRate: sampleRate))
    levels = memory.cells(channelCount) { _ in Level() }
  }

  deinit { memory.deallocate() }

  /// [render thread] Measures a channel of a render.
  @_noLocks
  borrowing func measure(_ channel: Int, _ samples: UnsafePointer<Float>, count: Int) {
    guard isOn.load(ordering: .relaxed), count > 0 else { return }
    var (energy, peak) = Samples.energyAndPeak(samples, count: count)
    // Samples that are no numbers count as full scale; the meter would not recover from them.
    if !energy.isFinite || !peak.isFinite { (energy, peak) = (Float(count), 1) }
    meters[channel].measure(energy: energy, peak: peak, count: count)
    levels[channel].average.store(
      meters[channel].rootMeanSquare.bitPattern, ordering: .relaxed)
    levels[channel].peak.store(meters[channel].peak.bitPattern, ordering: .relaxed)
  }

  /// [while no thread renders] Resets the levels.
  borrowing func reset() {
    for channel in 0..<channelCount {
      meters[channel].reset()
      levels[channel].average.store(0, ordering: .relaxed)
      levels[channel].peak.store(0, ordering: .relaxed)
    }
  }

  /// [any thread] The levels from 0 to 1, or in decibels.
  borrowing func states(inDecibels: Bool) -> [AudioQueueLevelMeterState] {
    (0..<channelCount).map { channel in
      let isMeasured = isOn.load(ordering: .relaxed)
      func level(_ bits: UInt32) -> Float {
        let gain = isMeasured ? min(Float(bitPattern: bits), 1) : 0
        guard inDecibels else { return gain }
        return min(max(Decibels.level(ofPower: gain * gain), LevelMeter.floor), 0)
      }
      return AudioQueueLevelMeterState(
        mAveragePower: level(levels[channel].average.load(ordering: .relaxed)),
        mPeakPower: level(levels[channel].peak.load(ordering: .relaxed)))
    }
  }
}
