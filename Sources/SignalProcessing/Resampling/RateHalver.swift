// SPDX-License-Identifier: Apache-2.0

import CKernels

/// Halves the rate of planar channels with a half-band filter, in which every second coefficient is
/// zero.
///
/// Uses plain pointers; the owner deallocates them.
struct RateHalver: BitwiseCopyable {
  /// Pairs of equal coefficients.
  private let pairs: Int
  /// Innermost pairs that are summed in double precision.
  private let innerPairs: Int
  private let coefficients: UnsafeMutablePointer<Float>
  private let inner: UnsafeMutablePointer<Double>
  private let channelCount: Int
  private let capacity: Int
  /// The even and the odd frames of each channel, `capacity` frames apart.
  private let even: UnsafeMutablePointer<Float>
  private let odd: UnsafeMutablePointer<Float>
  private let memory = OwnedMemory()
  /// Start of the next output's window.
  private var start = 0
  /// Pairs of frames that the first output still needs after priming.
  private var missing = 0
  /// Whether the next input frame is an odd one; true after the first frame.
  private var startsOdd = false

  /// Makes a stage for outputs of at most `maximumFrames` at a time. Its filter falls from 1 below
  /// `edge` to zero above 1 - `edge`, as fractions of half the input rate. [control thread]
  init(
    channelCount: Int, attenuation: Double, edge: Double, isFine: Bool, maximumFrames: Int
  ) {
    // Symmetric around a quarter of the rate: the pass-band error equals the stop-band gain.
    let transition = 1 - 2 * edge
    let pairs = Int(
      ((attenuation - 7.95) / (2.285 * .pi * transition) / 4).rounded(.up))
    self.pairs = pairs
    self.channelCount = channelCount
    innerPairs = isFine ? min(3, pairs) : 0
    let window = KaiserWindow(attenuation: attenuation)
    let values = (0..<pairs).map { pair in
      let time = Double(2 * pair + 1)
      return KaiserWindow.sinc(time / 2) * window(time / Double(2 * pairs))
    }
    let sum = values.reduce(0, +)
    coefficients = memory.array(values.map { Float($0 / sum * 0.25) })
    inner = memory.array(values.map { $0 / sum * 0.25 })
    // The kernel reads up to 7 frames further. Full lines are moved back to their start.
    capacity = 2 * pairs + 8 + max(1_024, 2 * maximumFrames)
    even = memory.array(channelCount * capacity, of: 0)
    odd = memory.array(channelCount * capacity, of: 0)
  }

  /// [control thread] Frees the memory; nothing may use the halver afterwards.
  func deallocate() { memory.deallocate() }

  /// Delay in frames at the input rate.
  var delay: Int { 2 * pairs - 1 }

  /// Input frames needed for the next `outputFrames`, at least one. [render thread]
  @_noLocks
  func inputFramesNeeded(for outputFrames: Int) -> Int {
    2 * (outputFrames + missing) - (startsOdd ? 0 : 1)
  }

  /// Output frames that `inputFrames` are enough for. [render thread]
  @_noLocks
  func outputFramesAvailable(from inputFrames: Int) -> Int {
    max(0, (inputFrames + (startsOdd ? 0 : 1)) / 2 - missing)
  }

  /// Makes room for the input of `outputFrames`. [render thread]
  @_noLocks
  mutating func prepare(for outputFrames: Int) {
    guard start + 2 * pairs + outputFrames + 8 > capacity else { return }
    for channel in 0..<channelCount {
      let line = channel * capacity
      Samples.move(even + (line + start), to: even + line, count: 2 * pairs)
      Samples.move(odd + (line + start), to: odd + line, count: 2 * pairs)
    }
    start = 0
  }

  /// Writes `frames` frames of a channel, and up to 7 unused numbers after them. [render thread]
  ///
  /// Missing input frames are silent. With `fine`, it also writes the output in double precision.
  @_noLocks
  func halve(
    _ input: UnsafePointer<Float>, inputFrames: Int, channel: Int,
    into output: UnsafeMutablePointer<Float>, fine: UnsafeMutablePointer<Double>?, frames: Int
  ) {
    let even = even + (channel * capacity + start)
    let odd = odd + (channel * capacity + start)
    let next = 2 * pairs - 1 - missing
    if inputFrames < inputFramesNeeded(for: frames) {
      readAvailable(input, inputFrames, even + next, odd + next, inputFramesNeeded(for: frames))
    } else if startsOdd {
      kernel_split_pairs(odd + (next - 1), even + next, input, frames + missing)
    } else {
      even[next] = input[0]
      kernel_split_pairs(odd + next, even + (next + 1), input + 1, frames - 1)
    }
    let first = pairs - 1
    if let fine {
      kernel_halve_fine(
        fine, output, frames, even + first, odd + first, coefficients, pairs, inner, innerPairs)
    } else {
      kernel_halve(output, frames, even + first, odd + first, coefficients, pairs)
    }
  }

  /// Moves on after all channels have written `frames`. [render thread]
  @_noLocks
  mutating func advance(by frames: Int) {
    guard frames > 0 else { return }
    start += frames
    missing = 0
    startsOdd = true
  }

  /// Clears the signal history. [render thread]
  @_noLocks
  mutating func reset() {
    start = 0
    missing = 0
    startsOdd = false
    for channel in 0..<channelCount {
      Samples.clear(even + channel * capacity, count: 2 * pairs)
      Samples.clear(odd + channel * capacity, count: 2 * pairs)
    }
  }

  /// Continues from the state of a halver that was made alike. [one thread]
  mutating func copyState(of other: RateHalver) {
    (start, missing, startsOdd) = (other.start, other.missing, other.startsOdd)
    Samples.copy(other.even, to: even, count: channelCount * capacity)
    Samples.copy(other.odd, to: odd, count: channelCount * capacity)
  }

  /// Clears the signal history, and centres the next output on the next frame. [render thread]
  @_noLocks
  mutating func prime() {
    reset()
    missing = pairs - 1
    startsOdd = true
  }

  /// Reads fewer input frames than `needed`, followed by silence.
  @_noLocks
  private func readAvailable(
    _ input: UnsafePointer<Float>, _ inputFrames: Int, _ even: UnsafeMutablePointer<Float>,
    _ odd: UnsafeMutablePointer<Float>, _ needed: Int
  ) {
    // The first even frame goes to `even`; an odd frame before it goes to the slot before `odd`.
    let first = startsOdd ? -1 : 0
    for index in 0..<needed {
      let sample = index < inputFrames ? input[index] : 0
      let slot = index + first
      if slot & 1 == 0 { even[slot >> 1] = sample } else { odd[slot >> 1] = sample }
    }
  }
}
