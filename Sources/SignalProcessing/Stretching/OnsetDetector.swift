// SPDX-License-Identifier: Apache-2.0

import CKernels

/// Detects onsets.
///
/// Compares the energies of the signal and of its differences, in blocks of 64 frames over all
/// channels, with the maximum of the previous sixteen blocks (21 ms at 48 kHz). Steady tones,
/// chords, noise and voiced speech stay below the ratio. The result depends only on the input, not
/// on the sizes of the slices. Uses plain memory on the render thread.
struct OnsetDetector: BitwiseCopyable {
  static var blockFrames: Int { @_noLocks get { 64 } }
  private static var pastCount: Int { @_noLocks get { 16 } }
  private static var ratio: Float { @_noLocks get { 6 } }

  /// Energies of the latest blocks, of both kinds.
  private let past: UnsafeMutablePointer<Float>
  private let energies: UnsafeMutablePointer<Float>
  private let minimumDistance: Int
  private var block = 0
  private var last: Int

  /// [control thread] Makes a detector of onsets that are at least `minimumDistance` frames apart.
  init(minimumDistance: Int, in memory: OwnedMemory) {
    self.minimumDistance = minimumDistance
    past = memory.array(2 * Self.pastCount, of: 0)
    energies = memory.array(8, of: 0)
    last = -minimumDistance
  }

  @_noLocks
  mutating func reset() {
    block = 0
    last = -minimumDistance
    Samples.clear(past, count: 2 * Self.pastCount)
  }

  /// The frame up to which the input has been examined.
  var end: Int { @_noLocks get { block &* Self.blockFrames } }

  /// [render thread] Examines the next block, which must be complete. Returns the start of an onset
  /// in it, or nil.
  @_noLocks
  mutating func examineNextBlock(_ input: InputHistory) -> Int? {
    let start = end
    (energies[0], energies[1]) = (0, 0)
    for channel in 0..<input.channelCount {
      kernel_stretch_energies(energies, input.at(start, channel))
    }
    var (loudest, steepest): (Float, Float) = (0, 0)
    for index in 0..<Self.pastCount {
      loudest = max(loudest, past[index])
      steepest = max(steepest, past[Self.pastCount + index])
    }
    let slot = block & (Self.pastCount - 1)
    past[slot] = energies[0]
    past[Self.pastCount + slot] = energies[1]
    block += 1
    let isOnset =
      energies[1] > Self.ratio * steepest + 1e-7 || energies[0] > Self.ratio * loudest + 1e-6
    guard isOnset, end - last > minimumDistance else { return nil }
    last = end
    return onsetStart(input)
  }

  /// The start of an onset: slightly before the first frame in or just before the block whose slope
  /// has a tenth of the maximum energy.
  @_noLocks
  private func onsetStart(_ input: InputHistory) -> Int {
    var steepest: Float = 0
    for frame in end - 64..<end { steepest = max(steepest, slope(input, frame)) }
    for frame in end - 96..<end where slope(input, frame) > 0.1 * steepest { return frame - 4 }
    return end - 4
  }

  @_noLocks
  private func slope(_ input: InputHistory, _ frame: Int) -> Float {
    var energy: Float = 0
    for channel in 0..<input.channelCount {
      let samples = input.at(frame - 1, channel)
      let difference = samples[1] - samples[0]
      energy += difference * difference
    }
    return energy
  }
}
