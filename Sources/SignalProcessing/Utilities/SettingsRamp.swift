// SPDX-License-Identifier: Apache-2.0

/// Up to sixteen settings that move smoothly to new values together, so that changes do not click.
///
/// The first values apply immediately. A new target during a motion starts another one from the
/// current values. `FadeLanes` describes the motion: linear pieces of a few frames, which do not
/// depend on the slices.
public struct SettingsRamp: BitwiseCopyable, Sendable {
  private var lanes = FadeLanes()
  private var isFresh = true
  private let length: Int

  /// Makes settings whose motions last `frameCount` frames. [any thread]
  public init(frames frameCount: Int) { length = max(1, frameCount) }

  /// Applies the next values immediately, like the first ones. [any thread]
  @_noLocks
  public mutating func reset() {
    isFresh = true
    lanes.set(lanes.target)
  }

  /// Sets the target. [any thread]
  @_noLocks
  public mutating func move(to values: SIMD16<Float>) {
    if isFresh {
      lanes.set(values)
      isFresh = false
    } else if values != lanes.target {
      lanes.move(to: values, within: length)
    }
  }

  /// The values at the next frame. [any thread]
  public var values: SIMD16<Float> { @_noLocks get { lanes.values } }

  /// Their change per frame. [any thread]
  public var steps: SIMD16<Float> { @_noLocks get { lanes.steps } }

  /// Writes the linear gains of a setting in decibels for the next `count` frames, and moves on by
  /// them. [any thread]
  @_noLocks
  public mutating func writeGains(
    of index: Int, into gains: UnsafeMutablePointer<Float>, count: Int
  ) {
    var start = 0
    while start < count {
      let run = self.run(of: count - start)
      let (first, step) = (values[index], steps[index])
      for frame in 0..<run {
        gains[start + frame] = Elementary.exp2((first + step * Float(frame)) * 0x1.542a5ap-3)
      }
      advance(by: run)
      start += run
    }
  }

  /// Whether no motion is running. [any thread]
  public var isConstant: Bool { @_noLocks get { lanes.framesRemaining == 0 } }

  /// How many of the next `count` frames have the same `steps`. [any thread]
  @_noLocks
  public func run(of count: Int) -> Int { lanes.run(of: count) }

  /// Moves on by some frames. [any thread]
  @_noLocks
  public mutating func advance(by frameCount: Int) { lanes.advance(by: frameCount) }
}
