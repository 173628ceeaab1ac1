// SPDX-License-Identifier: Apache-2.0

/// Up to sixteen settings that ramp linearly to new values together, so that changes do not click.
///
/// The first values apply immediately. A new target during a ramp starts another ramp from the
/// current values.
public struct SettingsRamp: BitwiseCopyable, Sendable {
  private var target = SIMD16<Float>.zero
  private var step = SIMD16<Float>.zero
  private var remaining = 0
  private var isFresh = true
  private let length: Int

  /// Makes settings whose ramps last `frameCount` frames. [any thread]
  public init(frames frameCount: Int) { length = max(1, frameCount) }

  /// Applies the next values immediately, like the first ones. [any thread]
  @_noLocks
  public mutating func reset() {
    isFresh = true
    remaining = 0
    step = .zero
  }

  /// Sets the target. [any thread]
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

  /// Writes the linear gains of a setting in decibels for the next `count` frames, and moves on by
  /// them. [any thread]
  @_noLocks
  public mutating func writeGains(
    of index: Int, into gains: UnsafeMutablePointer<Float>, count: Int
  ) {
    var start = 0
    while start < count {
      let run = self.run(of: count - start)
      let (first, step) = (values[index], step[index])
      for frame in 0..<run {
        gains[start + frame] = Elementary.exp2((first + step * Float(frame)) * 0x1.542a5ap-3)
      }
      advance(by: run)
      start += run
    }
  }

  /// Whether no ramp is running. [any thread]
  public var isConstant: Bool { @_noLocks get { remaining == 0 } }

  /// How many of the next `count` frames have the same `steps`. [any thread]
  @_noLocks
  public func run(of count: Int) -> Int { remaining == 0 ? count : min(count, remaining) }

  /// Moves on by at most the frames that `run(of:)` returned. [any thread]
  @_noLocks
  public mutating func advance(by frameCount: Int) {
    guard remaining > 0 else { return }
    remaining -= frameCount
    if remaining == 0 { step = .zero }
  }
}
