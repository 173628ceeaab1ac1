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
    #if arch(x86_64) && os(Linux)
      kernel_mix(output, count, sources, gains, sourceCount)
    #else
      mixReference(
        into: output, count: count, sources: sources, gains: gains, sourceCount: sourceCount)
    #endif
  }

  /// Same result as `mix`, bit for bit, without the C kernel. [any thread]
  @_noLocks
  static func mixReference(
    into output: UnsafeMutablePointer<Float>, count: Int,
    sources: UnsafePointer<UnsafePointer<Float>>, gains: UnsafePointer<Float>, sourceCount: Int
  ) {
    for index in 0..<count {
      var source = 0
      var sum: Float = 0
      if sourceCount >= 4 {
        sum = four(sources, gains, 0, index)
        source = 4
      } else {
        sum = gains[0] * sources[0][index]
        source = 1
      }
      while source + 4 <= sourceCount {
        sum += four(sources, gains, source, index)
        source += 4
      }
      while source < sourceCount {
        sum += gains[source] * sources[source][index]
        source += 1
      }
      output[index] = sum
    }
  }

  @inline(__always) @_noLocks
  private static func four(
    _ sources: UnsafePointer<UnsafePointer<Float>>, _ gains: UnsafePointer<Float>, _ first: Int,
    _ index: Int
  ) -> Float {
    (gains[first] * sources[first][index] + gains[first + 1] * sources[first + 1][index])
      + (gains[first + 2] * sources[first + 2][index]
        + gains[first + 3] * sources[first + 3][index])
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
