// SPDX-License-Identifier: Apache-2.0

/// Finds the place where the sound is most like another place of it: the largest normalised correlation, with
/// a mild preference for the middle.
///
/// Every second place is compared at half the rate first, bit by bit over time; then those around
/// the best at the full rate. Plain memory for the render thread.
struct PieceSearch: BitwiseCopyable {
  /// How many places beside the best of every second one are compared at the full rate, on each side.
  private static var nearby: Int { @_noLocks get { 8 } }
  /// By how many frames it may look past the frames that it compares.
  static var margin: Int { @_noLocks get { 32 } }

  /// Frames that are compared.
  private let length: Int
  private let gains: UnsafeMutablePointer<Float>
  private let sums: UnsafeMutablePointer<Float>
  private let sources: UnsafeMutablePointer<UnsafePointer<Float>>
  /// The mix around both places.
  private let model: UnsafeMutablePointer<Float>
  private let candidates: UnsafeMutablePointer<Float>
  private var halves: InputHistory

  private var natural = 0
  private var first = 0
  private var count = 1
  private var middle = 0
  private var penalty = 0.0
  /// How many of every second place were compared, and the energy at the next one.
  private var compared = 0
  private var energy = 0.0
  private var best = 0
  /// Squared correlation and energy at the best place.
  private var bestPower = 0.0
  private var bestEnergy = 1.0

  /// Compares `length` frames, a multiple of 16, of an input that keeps `historyFrames`. [control thread]
  init(channelCount: Int, length: Int, historyFrames: Int, in memory: OwnedMemory) {
    self.length = length
    halves = InputHistory(
      channelCount: 1, frames: InputHistory.capacity(historyFrames) / 2, in: memory)
    // Every second channel counts less, so that opposite ones do not cancel.
    gains = memory.array(channelCount, of: 1)
    for channel in stride(from: 1, to: channelCount, by: 2) { gains[channel] = 0.7 }
    sums = memory.array(8, of: 0)
    model = memory.array(length, of: 0)
    candidates = memory.array(length + 2 * Self.nearby + 8, of: 0)
    sources = memory.array(channelCount, of: UnsafePointer(model))
  }

  /// [render thread] Forgets the signal.
  @_noLocks
  mutating func reset() { halves.reset() }

  /// [render thread] Follows what is new of the input.
  @_noLocks
  mutating func update(_ input: InputHistory) { halves.appendHalves(of: input, gains: gains) }

  /// [render thread] Begins to look for the one of `places` that is most like `natural`; `breadth` frames
  /// beside the middle count a tenth less.
  @_noLocks
  mutating func begin(natural: Int, from low: Int, to high: Int, middle: Int, breadth: Int) {
    self.natural = natural
    // Both begin at even places or both at odd ones, so that half the rate shows what lies between them.
    first = (low ^ natural) & 1 == 1 && low < high ? low + 1 : low
    count = high - first + 1
    self.middle = middle
    penalty = 0.1 / Double(breadth * breadth)
    compared = 0
    forgetBest()
    let samples = halves.at(first >> 1, 0)
    StretchKernel.correlate(sums, samples, samples, count: length / 2)
    energy = Double(sums[0])
  }

  @_noLocks
  private mutating func forgetBest() { (best, bestPower, bestEnergy) = (middle, 0, 1) }

  /// [render thread] Compares until `part` of `whole` of the work is done.
  @_noLocks
  mutating func advance(_ part: Int, of whole: Int) {
    let halfCount = (count + 1) / 2
    let due = halfCount * part / whole
    let from = halves.at(natural >> 1, 0)
    while compared < due {
      let to = halves.at(first >> 1 + compared, 0)
      StretchKernel.correlate(sums, from, to, count: length / 2)
      for index in 0..<min(8, halfCount - compared) {
        compare(sums[index], first + 2 * (compared + index))
        slide(to + index, length / 2)
      }
      compared += 8
    }
  }

  @_noLocks @inline(__always)
  private mutating func slide(_ samples: UnsafePointer<Float>, _ length: Int) {
    let (gone, come) = (Double(samples[0]), Double(samples[length]))
    energy = max(0, energy + come * come - gone * gone)
  }

  /// Takes a place that is more like the natural one than the best so far.
  @_noLocks @inline(__always)
  private mutating func compare(_ sum: Float, _ place: Int) {
    guard sum > 0 else { return }
    let away = Double(place - middle)
    let product = Double(sum) * (1 - penalty * away * away)
    let (power, energy) = (product * product, energy + 1e-9)
    if power * bestEnergy > bestPower * energy {
      (bestPower, bestEnergy, best) = (power, energy, place)
    }
  }

  /// [render thread] The place, when all the work is done.
  @_noLocks
  mutating func finish(_ input: InputHistory) -> Int {
    guard count > 1 else { return first }
    let from = max(first, best - Self.nearby)
    let number = min(first + count, best + Self.nearby) - from
    mix(input, natural, into: model, count: length)
    mix(input, from, into: candidates, count: length + 2 * Self.nearby + 8)
    forgetBest()
    StretchKernel.correlate(sums, candidates, candidates, count: length)
    energy = Double(sums[0])
    var lag = 0
    while lag < number {
      StretchKernel.correlate(sums, model, candidates + lag, count: length)
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
    _ input: InputHistory, _ place: Int, into target: UnsafeMutablePointer<Float>, count: Int
  ) {
    for channel in 0..<input.channelCount {
      sources[channel] = UnsafePointer(input.at(place, channel))
    }
    MixKernel.mix(
      into: target, count: count, sources: sources, gains: gains,
      sourceCount: input.channelCount)
  }
}
