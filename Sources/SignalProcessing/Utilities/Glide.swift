// SPDX-License-Identifier: Apache-2.0

/// Up to sixteen settings that move to new values together, in a straight line, so that turning them
/// makes no click.
///
/// The first values are taken at once. A new target while they move starts a new line from where they
/// are.
public struct Glide: BitwiseCopyable, Sendable {
  private var target = SIMD16<Float>.zero
  private var step = SIMD16<Float>.zero
  private var remaining = 0
  private var isFresh = true
  private let length: Int

  /// Values that take `frameCount` frames to move. [any thread]
  public init(frames frameCount: Int) { length = max(1, frameCount) }

  /// Takes the next values at once, as at first. [any thread]
  @_noLocks
  public mutating func reset() {
    isFresh = true
    remaining = 0
    step = .zero
  }

  /// Sets where to go. [any thread]
  @_noLocks
  public mutating func move(to values: SIMD16<Float>) {
    if isFresh {
      target = values
      isFresh = false
    } else if values != target {
      step = (values - self.values) / Float(length)
      target = values
      remaining = length
    }
  }

  /// The values at the next frame. [any thread]
  public var values: SIMD16<Float> {
    @_noLocks get { remaining == 0 ? target : target - step * Float(remaining) }
  }

  /// Their change per frame. [any thread]
  public var steps: SIMD16<Float> { @_noLocks get { step } }

  /// Writes the linear gains of a setting in decibels at the next `count` frames, and passes them.
  /// [any thread]
  @_noLocks
  public mutating func writeGains(
    of place: Int, into gains: UnsafeMutablePointer<Float>, count: Int
  ) {
    var start = 0
    while start < count {
      let run = self.run(of: count - start)
      let (first, step) = (values[place], step[place])
      for index in 0..<run {
        gains[start + index] = Elementary.exp2((first + step * Float(index)) * 0x1.542a5ap-3)
      }
      advance(by: run)
      start += run
    }
  }

  /// Whether they stand still. [any thread]
  public var isStill: Bool { @_noLocks get { remaining == 0 } }

  /// Frames of the `count` next ones for which `steps` holds. [any thread]
  @_noLocks
  public func run(of count: Int) -> Int { remaining == 0 ? count : min(count, remaining) }

  /// Passes as many frames as `run(of:)` said, or fewer. [any thread]
  @_noLocks
  public mutating func advance(by frameCount: Int) {
    guard remaining > 0 else { return }
    remaining -= frameCount
    if remaining == 0 { step = .zero }
  }
}
