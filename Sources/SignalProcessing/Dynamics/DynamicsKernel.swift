// SPDX-License-Identifier: Apache-2.0

import CKernels

/// The loops of a compressor in which frames are independent of each other.
enum DynamicsKernel {
  /// A setting in decibels at the first frame of a run, and its change per frame.
  struct Line: BitwiseCopyable {
    var start: Float
    var step: Float

    @_noLocks
    init(_ start: Float, step: Float) {
      self.start = start
      self.step = step
    }

    @inline(__always) @_noLocks
    func value(at frame: Int) -> Float { step * Float(frame) + start }
  }

  /// Replaces linear levels by the gain reduction in decibels that `LevelCurve` gives above its
  /// threshold. [any thread]
  @_noLocks
  static func compress(
    _ levels: UnsafeMutablePointer<Float>, count: Int, threshold: Line, headRoom: Line
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_compression(
        levels, count, threshold.start, threshold.step, headRoom.start, headRoom.step)
    #else
      compressReference(levels, count: count, threshold: threshold, headRoom: headRoom)
    #endif
  }

  /// Replaces gain reductions in decibels by linear gains: `gain` minus the reduction. [any thread]
  @_noLocks
  static func makeGains(_ decibels: UnsafeMutablePointer<Float>, count: Int, gain: Line) {
    #if arch(x86_64) && os(Linux)
      kernel_gains(decibels, count, gain.start, gain.step)
    #else
      makeGainsReference(decibels, count: count, gain: gain)
    #endif
  }

  /// Same result as `compress`, bit for bit, without the C kernels. [any thread]
  @_noLocks
  static func compressReference(
    _ levels: UnsafeMutablePointer<Float>, count: Int, threshold: Line, headRoom: Line
  ) {
    for frame in 0..<count {
      let level = levels[frame] > 0x1p-40 ? levels[frame] : 0x1p-40
      let decibels = Elementary.log2(level) * Elementary.decibelsPerOctave
      let over = decibels - threshold.value(at: frame)
      let above = over > 0 ? over : 0
      levels[frame] = above * above / (headRoom.value(at: frame) + above)
    }
  }

  /// Same result as `makeGains`, bit for bit, without the C kernels. [any thread]
  @_noLocks
  static func makeGainsReference(
    _ decibels: UnsafeMutablePointer<Float>, count: Int, gain: Line
  ) {
    for frame in 0..<count {
      decibels[frame] = Elementary.exp2(
        (gain.value(at: frame) - decibels[frame]) * 0x1.542a5ap-3)
    }
  }
}
