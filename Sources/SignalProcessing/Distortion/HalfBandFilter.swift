// SPDX-License-Identifier: Apache-2.0

/// A linear-phase low-pass filter at a quarter of its rate, for doubling and halving sample rates.
///
/// Every second tap but the middle one is zero, so that of the two halves into which a doubled signal
/// falls one is only delayed: `taps` are those of the other. A windowed sinc; 100 dB down where it stops.
struct HalfBandFilter: BitwiseCopyable, @unchecked Sendable {
  /// The taps of the filtered half, an even number of them, symmetric, with the sum one half.
  private let memory = OwnedMemory()
  private let taps: UnsafeMutablePointer<Float>
  let tapCount: Int
  /// The history of both halves, before the new samples.
  private let filtered: UnsafeMutablePointer<Float>
  private let delayed: UnsafeMutablePointer<Float>

  /// Samples at the lower rate by which the delayed half lags when a signal is doubled, and when it
  /// is halved.
  private var upDelay: Int { @_noLocks get { tapCount / 2 - 1 } }
  private var downDelay: Int { @_noLocks get { tapCount / 2 } }

  /// [control thread] A filter with `tapCount` taps beside the middle one, for slices of at most
  /// `maximumFrames` at the lower rate.
  init(tapCount: Int, maximumFrames: Int) {
    self.tapCount = tapCount
    taps = memory.array(tapCount, of: 0)
    let window = KaiserWindow(attenuation: 100)
    var row: [Double] = []
    for tap in 0..<tapCount {
      let place = Double(2 * tap - tapCount + 1)
      row.append(KaiserWindow.sinc(place / 2) * window(place / Double(tapCount)))
    }
    let sum = row.reduce(0, +)
    for tap in 0..<tapCount { (taps + tap).initialize(to: Float(row[tap] / sum / 2)) }
    let length = tapCount + maximumFrames
    filtered = memory.array(length, of: 0)
    delayed = memory.array(length, of: 0)
  }

  func deallocate() {
    memory.deallocate()
  }

  @_noLocks
  func reset() {
    filtered.initialize(repeating: 0, count: tapCount)
    delayed.initialize(repeating: 0, count: tapCount)
  }

  /// Doubles the rate: the samples between those of the doubled signal that come at even places, and
  /// at odd ones. [any thread]
  @_noLocks
  func raise(
    _ input: UnsafePointer<Float>, count: Int, even: UnsafeMutablePointer<Float>,
    odd: UnsafeMutablePointer<Float>
  ) {
    Samples.copy(input, to: filtered + tapCount, count: count)
    filter(into: even, count: count, gain: 2)
    Samples.copy(filtered + (tapCount - upDelay), to: odd, count: count)
    keep(filtered, count)
  }

  /// Halves the rate of a signal given as its samples at even and odd places. [any thread]
  @_noLocks
  func lower(
    even: UnsafePointer<Float>, odd: UnsafePointer<Float>, count: Int,
    output: UnsafeMutablePointer<Float>
  ) {
    Samples.copy(even, to: filtered + tapCount, count: count)
    Samples.copy(odd, to: delayed + tapCount, count: count)
    filter(into: output, count: count, gain: 1)
    let late = delayed + (tapCount - downDelay)
    for index in 0..<count { output[index] += 0.5 * late[index] }
    keep(filtered, count)
    keep(delayed, count)
  }

  @_noLocks
  private func keep(_ memory: UnsafeMutablePointer<Float>, _ count: Int) {
    Samples.move(memory + count, to: memory, count: tapCount)
  }

  /// Eight samples at a time; taps that are equal share a multiplication.
  @_noLocks
  private func filter(into output: UnsafeMutablePointer<Float>, count: Int, gain: Float) {
    let half = tapCount / 2
    let newest = filtered + tapCount
    let oldest = filtered + 1
    var index = 0
    while index &+ 8 <= count {
      var sum = SIMD8<Float>.zero
      for tap in 0..<half {
        let pair =
          UnsafeRawPointer(newest + (index &- tap)).loadUnaligned(as: SIMD8<Float>.self)
          + UnsafeRawPointer(oldest + (index &+ tap)).loadUnaligned(as: SIMD8<Float>.self)
        sum += pair * taps[tap]
      }
      UnsafeMutableRawPointer(output + index).storeBytes(of: sum * gain, as: SIMD8<Float>.self)
      index &+= 8
    }
    while index < count {
      var sum: Float = 0
      for tap in 0..<half {
        sum += (newest[index &- tap] + oldest[index &+ tap]) * taps[tap]
      }
      output[index] = sum * gain
      index &+= 1
    }
  }
}
