// SPDX-License-Identifier: Apache-2.0

/// A linear-phase low-pass filter at a quarter of its rate, for doubling and halving sample rates.
///
/// Every second tap except the middle one is zero. So one of the two polyphase halves of the
/// doubled signal is only a delay; `taps` belong to the other half. A windowed sinc with a stop
/// band of -100 dB.
struct HalfBandFilter: BitwiseCopyable, @unchecked Sendable {
  /// The taps of the filtered half: an even number, symmetric, with a sum of one half.
  private let memory = OwnedMemory()
  private let taps: UnsafeMutablePointer<Float>
  let tapCount: Int
  /// The history of both halves, followed by the new samples.
  private let filtered: UnsafeMutablePointer<Float>
  private let delayed: UnsafeMutablePointer<Float>

  /// Delay of the delayed half in samples at the lower rate, for doubling and for halving.
  private var upDelay: Int { @_noLocks get { tapCount / 2 - 1 } }
  private var downDelay: Int { @_noLocks get { tapCount / 2 } }

  /// [control thread] Makes a filter with `tapCount` taps besides the middle one, for slices of at
  /// most `maximumFrames` at the lower rate.
  init(tapCount: Int, maximumFrames: Int) {
    self.tapCount = tapCount
    taps = memory.array(tapCount, of: 0)
    let window = KaiserWindow(attenuation: 100)
    var row: [Double] = []
    for tap in 0..<tapCount {
      let position = Double(2 * tap - tapCount + 1)
      row.append(KaiserWindow.sinc(position / 2) * window(position / Double(tapCount)))
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

  /// Doubles the rate; writes the even and the odd samples of the result separately. [any thread]
  @_noLocks
  func upsample(
    _ input: UnsafePointer<Float>, count: Int, even: UnsafeMutablePointer<Float>,
    odd: UnsafeMutablePointer<Float>
  ) {
    Samples.copy(input, to: filtered + tapCount, count: count)
    filter(into: even, count: count, gain: 2)
    Samples.copy(filtered + (tapCount - upDelay), to: odd, count: count)
    saveHistory(filtered, count)
  }

  /// Halves the rate of a signal that is given as its even and its odd samples. [any thread]
  @_noLocks
  func downsample(
    even: UnsafePointer<Float>, odd: UnsafePointer<Float>, count: Int,
    output: UnsafeMutablePointer<Float>
  ) {
    Samples.copy(even, to: filtered + tapCount, count: count)
    Samples.copy(odd, to: delayed + tapCount, count: count)
    filter(into: output, count: count, gain: 1)
    let late = delayed + (tapCount - downDelay)
    for index in 0..<count { output[index] += 0.5 * late[index] }
    saveHistory(filtered, count)
    saveHistory(delayed, count)
  }

  @_noLocks
  private func saveHistory(_ memory: UnsafeMutablePointer<Float>, _ count: Int) {
    Samples.move(memory + count, to: memory, count: tapCount)
  }

  /// Computes eight samples at a time; equal taps share a multiplication.
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
