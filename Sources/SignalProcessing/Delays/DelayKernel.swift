// SPDX-License-Identifier: Apache-2.0

import CKernels

/// The inner loops of delays.
enum DelayKernel {
  /// The gains of an echo.
  struct Gains: BitwiseCopyable {
    var feedback: Float
    var dry: Float
    var wet: Float

    @_noLocks
    init(feedback: Float, dry: Float, wet: Float) {
      (self.feedback, self.dry, self.wet) = (feedback, dry, wet)
    }
  }

  /// Writes `samples` plus the fed-back echo to `past`, and mixes the echo into `samples`. The
  /// buffers do not overlap. [any thread]
  @_noLocks
  static func mix(
    _ samples: UnsafeMutablePointer<Float>, _ echo: UnsafePointer<Float>,
    into past: UnsafeMutablePointer<Float>, count: Int, _ gains: Gains
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_echo(samples, echo, past, count, gains.feedback, gains.dry, gains.wet)
    #else
      mixReference(samples, echo, into: past, count: count, gains)
    #endif
  }

  /// Same result as `mix`, bit for bit, without the C kernels. [any thread]
  @_noLocks
  static func mixReference(
    _ samples: UnsafeMutablePointer<Float>, _ echo: UnsafePointer<Float>,
    into past: UnsafeMutablePointer<Float>, count: Int, _ gains: Gains
  ) {
    for index in 0..<count {
      let (input, delayed) = (samples[index], echo[index])
      past[index] = input + delayed * gains.feedback
      samples[index] = input * gains.dry + delayed * gains.wet
    }
  }

  /// Writes weighted sums of adjacent samples: `taps` has eight weights for each group.
  /// [any thread]
  @_noLocks
  static func interpolate(
    _ past: UnsafePointer<Float>, _ taps: UnsafePointer<Float>, groups: Int,
    into output: UnsafeMutablePointer<Float>, count: Int
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_interpolation(output, past, taps, groups, count)
    #else
      interpolateReference(past, taps, groups: groups, into: output, count: count)
    #endif
  }

  /// Same result as `interpolate`, bit for bit, without the C kernels. [any thread]
  @_noLocks
  static func interpolateReference(
    _ past: UnsafePointer<Float>, _ taps: UnsafePointer<Float>, groups: Int,
    into output: UnsafeMutablePointer<Float>, count: Int
  ) {
    for group in 0..<groups {
      let (past, taps) = (past + 8 * group, taps + 8 * group)
      for index in 0..<count {
        let one = past[index] * taps[0] + past[index + 1] * taps[1]
        let two = past[index + 2] * taps[2] + past[index + 3] * taps[3]
        let three = past[index + 4] * taps[4] + past[index + 5] * taps[5]
        let four = past[index + 6] * taps[6] + past[index + 7] * taps[7]
        let sum = (one + two) + (three + four)
        output[index] = group == 0 ? sum : output[index] + sum
      }
    }
  }
}
