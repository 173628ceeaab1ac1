// SPDX-License-Identifier: Apache-2.0

import CKernels

/// Finds the position whose signal is most similar to that at another position: the largest
/// normalized cross-correlation, with a mild preference for the middle.
///
/// First compares every second position at half the rate, spread over time; then those near the
/// best at the full rate. Uses plain memory on the render thread.
struct SimilaritySearch: BitwiseCopyable {
  /// Positions on each side of the best one that are compared at the full rate.
  private static var neighbourhood: Int { @_noLocks get { 8 } }
  /// Frames that may be read beyond the compared ones.
  static var margin: Int { @_noLocks get { 32 } }

  /// Number of frames that are compared.
  private let length: Int
  private let gains: UnsafeMutablePointer<Float>
  private let sums: UnsafeMutablePointer<Float>
  private let sources: UnsafeMutablePointer<UnsafePointer<Float>>
  /// The mixed signals at the reference position and at the candidates.
  private let reference: UnsafeMutablePointer<Float>
  private let candidates: UnsafeMutablePointer<Float>
  private var halves: InputHistory

  private var natural = 0
  private var first = 0
  private var count = 1
  private var middle = 0
  private var penalty = 0.0
  /// Number of every second position that were compared, and the energy at the next one.
  private var compared = 0
  private var energy = 0.0
  private var best = 0
  /// Squared correlation and energy at the best position.
  private var bestPower = 0.0
  private var bestEnergy = 1.0

  /// Makes a search that compares `length` frames, a multiple of 16, of an input history of
  /// `historyFrames`. [control thread]
  init(channelCount: Int, length: Int, historyFrames: Int, in memory: OwnedMemory) {
    self.length = length
    halves = InputHistory(
      channelCount: 1, frames: InputHistory.capacity(historyFrames) / 2, in: memory)
    // Every second channel has less weight, so that opposite ones do not cancel.
    gains = memory.array(channelCount, of: 1)
    for channel in stride(from: 1, to: channelCount, by: 2) { gains[channel] = 0.7 }
    sums = memory.array(8, of: 0)
    reference = memory.array(length, of: 0)
    candidates = memory.array(length + 2 * Self.neighbourhood + 8, of: 0)
    sources = memory.array(channelCount, of: UnsafePointer(reference))
  }

  /// [render thread] Clears the signal history.
  @_noLocks
  mutating func reset() { halves.reset() }

  /// [render thread] Processes new input.
  @_noLocks
  mutating func update(_ input: InputHistory) { halves.appendHalves(of: input, gains: gains) }

  /// [render thread] Starts a search from `low` to `high` for the position most similar to
  /// `natural`; positions `breadth` frames from the middle have a tenth less weight.
  @_noLocks
  mutating func begin(natural: Int, from low: Int, to high: Int, middle: Int, breadth: Int) {
    self.natural = natural
    // Both start at even positions or both at odd ones, so that their distance is preserved at half
    // the rate.
    first = (low ^ natural) & 1 == 1 && low < high ? low + 1 : low
    count = high - first + 1
    self.middle = middle
    penalty = 0.1 / Double(breadth * breadth)
    compared = 0
    clearBest()
    let samples = halves.at(first >> 1, 0)
    kernel_stretch_correlate(sums, samples, samples, length / 2)
    energy = Double(sums[0])
  }

  @_noLocks
  private mutating func clearBest() { (best, bestPower, bestEnergy) = (middle, 0, 1) }

  /// [render thread] Continues until `part` of `whole` of the work is done.
  @_noLocks
  mutating func advance(_ part: Int, of whole: Int) {
    let halfCount = (count + 1) / 2
    let due = halfCount * part / whole
    let from = halves.at(natural >> 1, 0)
    while compared < due {
      let to = halves.at(first >> 1 + compared, 0)
      kernel_stretch_correlate(sums, from, to, length / 2)
      for index in 0..<min(8, halfCount - compared) {
        compare(sums[index], first + 2 * (compared + index))
        slide(to + index, length / 2)
      }
      compared += 8
    }
  }

  @_noLocks @inline(__always)
  private mutating func slide(_ samples: UnsafePointer<Float>, _ length: Int) {
    let (removed, added) = (Double(samples[0]), Double(samples[length]))
    energy = max(0, energy + added * added - removed * removed)
  }

  /// Accepts a position that is more similar than the best so far.
  @_noLocks @inline(__always)
  private mutating func compare(_ sum: Float, _ position: Int) {
    guard sum > 0 else { return }
    let distance = Double(position - middle)
    let product = Double(sum) * (1 - penalty * distance * distance)
    let (power, energy) = (product * product, energy + 1e-9)
    if power * bestEnergy > bestPower * energy {
      (bestPower, bestEnergy, best) = (power, energy, position)
    }
  }

  /// [render thread] Returns the best position, once all work is done.
  @_noLocks
  mutating func finish(_ input: InputHistory) -> Int {
    guard count > 1 else { return first }
    let from = max(first, best - Self.neighbourhood)
    let number = min(first + count, best + Self.neighbourhood) - from
    mix(input, natural, into: reference, count: length)
    mix(input, from, into: candidates, count: length + 2 * Self.neighbourhood + 8)
    clearBest()
    kernel_stretch_correlate(sums, candidates, candidates, length)
    energy = Double(sums[0])
    var lag = 0
    while lag < number {
      kernel_stretch_correlate(sums, reference, candidates + lag, length)
      for index in 0..<min(8, number - lag) {
        compare(sums[index], from + lag + index)
        slide(candidates + (lag + index), length)
      }
      lag += 8
    }
    return best
  }

  @_noLocks
  private func mix(
    _ input: InputHistory, _ position: Int, into target: UnsafeMutablePointer<Float>, count: Int
  ) {
    for channel in 0..<input.channelCount {
      sources[channel] = UnsafePointer(input.at(position, channel))
    }
    MixKernel.mix(
      into: target, count: count, sources: sources, gains: gains,
      sourceCount: input.channelCount)
  }
}
