// SPDX-License-Identifier: Apache-2.0

import CKernels

/// Weighted sums of signals.
public enum MixKernel {
  /// Writes the sum of `sourceCount` sources, one or more, each times its gain. [any thread]
  ///
  /// The order of the additions is fixed: four sources at a time, as (a + b) + (c + d), then the
  /// rest one by one. The output does not overlap the sources.
  @_noLocks
  public static func mix(
    into output: UnsafeMutablePointer<Float>, count: Int,
    sources: UnsafePointer<UnsafePointer<Float>>, gains: UnsafePointer<Float>, sourceCount: Int
  ) {
    kernel_mix(output, count, sources, gains, sourceCount)
  }

  /// Adds a source whose gain changes by `step` with every sample. [any thread]
  @_noLocks
  public static func add(
    _ source: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, count: Int,
    gain: Float, step: Float
  ) {
    if step == 0 {
      for index in 0..<count { output[index] += source[index] * gain }
    } else {
      for index in 0..<count { output[index] += source[index] * (gain + step * Float(index)) }
    }
  }

  /// Adds `count` samples, each with its own gain. [any thread]
  @_noLocks
  public static func add(
    _ source: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, count: Int,
    gains: UnsafePointer<Float>
  ) {
    for index in 0..<count { output[index] += source[index] * gains[index] }
  }

  /// Multiplies samples by a gain that changes by `step` with every sample. [any thread]
  @_noLocks
  public static func scale(
    _ samples: UnsafeMutablePointer<Float>, count: Int, gain: Float, step: Float
  ) {
    for index in 0..<count { samples[index] *= gain + step * Float(index) }
  }
}
