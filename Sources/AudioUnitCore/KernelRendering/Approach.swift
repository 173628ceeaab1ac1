// SPDX-License-Identifier: Apache-2.0
import Glibc
import SignalProcessing

/// The speed at which a source moves away, from a distance that hosts set in steps.
///
/// Programs move sources 30 or 60 times a second, and each step takes effect with the next slice:
/// the distance is a staircase with uneven steps. Its slope is measured through a Hann window of
/// 0.36 s (a linear-phase derivative filter). At 60 Hz and 34 m/s this reduces such steps to less
/// than two cents in slices of up to 512 frames at 44.1 kHz. A motion is heard 0.18 s late.
///
/// Plain memory for the render thread; its owner frees it.
struct Approach: BitwiseCopyable {
  private static let seconds = 0.36
  private static var count: Int { @_noLocks get { 128 } }

  /// A ring of the mean distances of the latest cells in metres, and the weight of each in the
  /// speed.
  private let distances: UnsafeMutablePointer<Float>
  private let weights: UnsafeMutablePointer<Float>
  /// Frames of a cell.
  private let cellFrames: Int
  /// The position in the ring of the next mean.
  private var place = 0
  /// Frames of the cell that is not yet complete, and the sum of their distances.
  private var frames = 0
  private var sum = 0.0
  private var isFresh = true
  /// Metres per second.
  private(set) var speed: Float = 0

  /// [control thread]
  init(sampleRate: Double, in memory: OwnedMemory) {
    cellFrames = max(1, Int((Self.seconds * sampleRate / Double(Self.count)).rounded()))
    distances = memory.array(Self.count, of: 0)
    // The derivative of the window is a sine. It gives 1 for a distance that grows by 1 m a second.
    let sine = (0..<Self.count).map { sin(2 * .pi * (Double($0) + 0.5) / Double(Self.count)) }
    let slope = sine.enumerated().reduce(0) { $0 - Double($1.offset) * $1.element }
    let scale = sampleRate / Double(cellFrames) / slope
    weights = memory.array(sine.map { Float($0 * scale) })
  }

  /// [render thread] The source is at rest wherever it is next.
  @_noLocks
  mutating func reset() {
    isFresh = true
    speed = 0
  }

  /// [render thread] Frames for which the speed stays the same.
  var framesUntilNext: Int { @_noLocks get { cellFrames - frames } }

  /// [render thread] Advances by frames, at most `framesUntilNext`, in which the distance moves
  /// from one value to another.
  @_noLocks
  mutating func pass(_ count: Int, from first: Float, to last: Float) {
    if isFresh {
      for index in 0..<Self.count { distances[index] = first }
      (place, frames, sum, isFresh) = (0, 0, 0, false)
    }
    sum += Double(first + last) * 0.5 * Double(count)
    frames += count
    guard frames >= cellFrames else { return }
    let newest = Float(sum / Double(frames))
    distances[place] = newest
    (frames, sum) = (0, 0)
    var speed: Float = 0
    var index = place
    for age in 0..<Self.count {
      // From the newest, so that far sources are as exact as near ones.
      speed += weights[age] * (distances[index] - newest)
      index = index == 0 ? Self.count - 1 : index - 1
    }
    self.speed = speed
    place = place + 1 == Self.count ? 0 : place + 1
  }
}
