// SPDX-License-Identifier: Apache-2.0
import Glibc
import SignalProcessing

/// The speed at which a source moves away, derived from a distance that hosts set in steps.
///
/// Programs move sources 30 or 60 times a second, and each step takes effect with the next slice:
/// the distance is a staircase with uneven steps. A linear-phase derivative filter, with a Hann
/// window of 0.36 s, measures its slope. At 60 Hz and 34 m/s this reduces the pitch steps to less
/// than two cents in slices of up to 512 frames at 44.1 kHz. It delays the Doppler shift by 0.18 s.
///
/// Plain memory for the render thread; the owner frees it.
struct RadialSpeed: BitwiseCopyable {
  private static let seconds = 0.36
  private static var count: Int { @_noLocks get { 128 } }

  /// A ring of the mean distances in metres of the latest cells, and the tap weight of each age.
  private let distances: UnsafeMutablePointer<Float>
  private let weights: UnsafeMutablePointer<Float>
  /// Frames per cell.
  private let cellFrames: Int
  /// The position of the next mean in the ring.
  private var position = 0
  /// Frames of the incomplete cell, and the sum of their distances.
  private var frames = 0
  private var sum = 0.0
  private var isFresh = true
  /// Metres per second.
  private(set) var speed: Float = 0

  /// [control thread] A source at rest; the ring is in `memory`.
  init(sampleRate: Double, in memory: OwnedMemory) {
    cellFrames = max(1, Int((Self.seconds * sampleRate / Double(Self.count)).rounded()))
    distances = memory.array(Self.count, of: 0)
    // The derivative of the window is a sine, scaled so that 1 m/s gives 1.
    let sine = (0..<Self.count).map { sin(2 * .pi * (Double($0) + 0.5) / Double(Self.count)) }
    let slope = sine.enumerated().reduce(0) { $0 - Double($1.offset) * $1.element }
    let scale = sampleRate / Double(cellFrames) / slope
    weights = memory.array(sine.map { Float($0 * scale) })
  }

  /// [render thread] Restarts with the source at rest, at its next distance.
  @_noLocks
  mutating func reset() {
    isFresh = true
    speed = 0
  }

  /// [render thread] Frames until the speed changes.
  var framesUntilNext: Int { @_noLocks get { cellFrames - frames } }

  /// [render thread] Advances by `count` frames, at most `framesUntilNext`, over which the distance
  /// moves from `first` to `last`.
  @_noLocks
  mutating func advance(_ count: Int, from first: Float, to last: Float) {
    if isFresh {
      for index in 0..<Self.count { distances[index] = first }
      (position, frames, sum, isFresh) = (0, 0, 0, false)
    }
    sum += Double(first + last) * 0.5 * Double(count)
    frames += count
    guard frames >= cellFrames else { return }
    let newest = Float(sum / Double(frames))
    distances[position] = newest
    (frames, sum) = (0, 0)
    var speed: Float = 0
    var index = position
    for age in 0..<Self.count {
      // Relative to the newest, so that far sources are as exact as near ones.
      speed += weights[age] * (distances[index] - newest)
      index = index == 0 ? Self.count - 1 : index - 1
    }
    self.speed = speed
    position = position + 1 == Self.count ? 0 : position + 1
  }
}
