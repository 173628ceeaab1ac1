// SPDX-License-Identifier: Apache-2.0
import CKernels

/// A linear-phase low-pass filter at a quarter of its rate, for doubling or halving sample rates.
///
/// Every second tap except the middle one is zero. So one of the two polyphase halves of the
/// doubled signal is only a delay; the taps belong to the other half. A sinc with a Kaiser window.
struct HalfBandFilter: BitwiseCopyable, @unchecked Sendable {
  /// What a filter does with the rate.
  enum Direction { case doubling, halving }

  private let memory = OwnedMemory()
  /// The coefficients of pairs of equal taps, the innermost first.
  private let pairs: UnsafeMutablePointer<Float>
  let tapCount: Int
  /// The history of both halves, followed by the new samples. A filter that doubles has silence in
  /// the second.
  private let filtered: UnsafeMutablePointer<Float>
  private let delayed: UnsafeMutablePointer<Float>
  /// The last outputs of a slice and up to seven unused numbers, which the kernel writes.
  private let rest: UnsafeMutablePointer<Float>

  /// Delay of the delayed half in samples at the lower rate, for doubling and for halving.
  private var upDelay: Int { @_noLocks get { tapCount / 2 - 1 } }
  private var downDelay: Int { @_noLocks get { tapCount / 2 } }

  /// [control thread] Makes a filter with `tapCount` taps besides the middle one, an even number,
  /// for slices of at most `maximumFrames` at the lower rate; `attenuation` is that of the stop
  /// band in decibels.
  init(
    _ direction: Direction, tapCount: Int, maximumFrames: Int, attenuation: Double = 100
  ) {
    self.tapCount = tapCount
    let window = KaiserWindow(attenuation: attenuation)
    let row = (0..<tapCount / 2).map { pair -> Double in
      let position = Double(2 * pair + 1)
      return KaiserWindow.sinc(position / 2) * window(position / Double(tapCount))
    }
    // All taps together are half the gain, the middle one is the other half.
    let gain = (direction == .doubling ? 0.5 : 0.25) / row.reduce(0, +)
    pairs = memory.array(row.map { Float($0 * gain) })
    let length = tapCount + maximumFrames + 8
    filtered = memory.array(length, of: 0)
    delayed = memory.array(length, of: 0)
    rest = memory.array(8, of: 0)
  }

  func deallocate() {
    memory.deallocate()
  }

  @_noLocks
  func reset() {
    Samples.clear(filtered, count: tapCount)
    Samples.clear(delayed, count: tapCount)
  }

  /// Doubles the rate; writes the even and the odd samples of the result separately. [any thread]
  @_noLocks
  func upsample(
    _ input: UnsafePointer<Float>, count: Int, even: UnsafeMutablePointer<Float>,
    odd: UnsafeMutablePointer<Float>
  ) {
    Samples.copy(input, to: filtered + tapCount, count: count)
    filter(into: even, count: count)
    Samples.copy(filtered + (tapCount - upDelay), to: odd, count: count)
    saveHistory(filtered, count)
  }

  /// Doubles the rate. `even` and `odd` are scratch memory for `count` samples. [any thread]
  @_noLocks
  func upsample(
    _ input: UnsafePointer<Float>, count: Int, into output: UnsafeMutablePointer<Float>,
    even: UnsafeMutablePointer<Float>, odd: UnsafeMutablePointer<Float>
  ) {
    upsample(input, count: count, even: even, odd: odd)
    for index in 0..<count {
      output[2 &* index] = even[index]
      output[2 &* index &+ 1] = odd[index]
    }
  }

  /// Halves the rate of a signal that is given as its even and its odd samples. [any thread]
  @_noLocks
  func downsample(
    even: UnsafePointer<Float>, odd: UnsafePointer<Float>, count: Int,
    output: UnsafeMutablePointer<Float>
  ) {
    Samples.copy(even, to: filtered + tapCount, count: count)
    Samples.copy(odd, to: delayed + tapCount, count: count)
    filter(into: output, count: count)
    saveHistory(filtered, count)
    saveHistory(delayed, count)
  }

  @_noLocks
  private func saveHistory(_ memory: UnsafeMutablePointer<Float>, _ count: Int) {
    Samples.move(memory + count, to: memory, count: tapCount)
  }

  @_noLocks
  private func filter(into output: UnsafeMutablePointer<Float>, count: Int) {
    let even = filtered + tapCount / 2
    let odd = delayed + (tapCount - downDelay)
    let whole = count & ~7
    if whole > 0 { kernel_halve(output, whole, even, odd, pairs, tapCount / 2) }
    guard whole < count else { return }
    kernel_halve(rest, count - whole, even + whole, odd + whole, pairs, tapCount / 2)
    Samples.copy(rest, to: output + whole, count: count - whole)
  }
}
