// SPDX-License-Identifier: Apache-2.0

import CKernels

/// The converter's inner loops: dot products of a moving window with rows of coefficients, and halving.
enum ResamplingKernel {
  /// Writes `count` outputs from row `first` on, the window of whose group starts at `input`. [any thread]
  ///
  /// `fine` is the same input in doubles.
  @_noLocks
  static func resample(
    into output: UnsafeMutablePointer<Float>, count: Int, from input: UnsafePointer<Float>,
    fine: UnsafePointer<Double>, rows: UnsafePointer<ResamplingRows>, first: Int
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_resample(output, count, input, fine, rows, first)
    #else
      resampleReference(
        into: output, count: count, from: input, fine: fine, rows: rows, first: first)
    #endif
  }

  /// Writes `count` outputs of each channel from rows interpolated for each phase. [any thread]
  @_noLocks
  static func resampleInterpolated(
    into output: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, count: Int,
    from input: UnsafePointer<Float>, stride: Int, channelCount: Int,
    table: UnsafePointer<Float>, taps: Int, divisions: Int, walk: ResamplingWalk
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_resample_interpolated(
        output, offset, count, input, stride, channelCount, table, taps, divisions, walk)
    #else
      for channel in 0..<channelCount {
        resampleInterpolatedReference(
          into: output[channel] + offset, count: count, from: input + channel * stride,
          table: table, taps: taps, divisions: divisions, walk: walk)
      }
    #endif
  }

  /// Writes `count` outputs at half the rate, and up to 7 numbers behind them. [any thread]
  @_noLocks
  static func halve(
    into output: UnsafeMutablePointer<Float>, count: Int, even: UnsafePointer<Float>,
    odd: UnsafePointer<Float>, coefficients: UnsafePointer<Float>, pairs: Int
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_halve(output, count, even, odd, coefficients, pairs)
    #else
      halveReference(
        into: output, count: count, even: even, odd: odd, coefficients: coefficients, pairs: pairs)
    #endif
  }

  /// The same in floats and in doubles, with the innermost pairs summed in doubles. [any thread]
  @_noLocks
  static func halveFine(
    into fine: UnsafeMutablePointer<Double>, and output: UnsafeMutablePointer<Float>, count: Int,
    even: UnsafePointer<Float>, odd: UnsafePointer<Float>, coefficients: UnsafePointer<Float>,
    pairs: Int, inner: UnsafePointer<Double>, innerPairs: Int
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_halve_fine(
        fine, output, count, even, odd, coefficients, pairs, inner, innerPairs)
    #else
      halveFineReference(
        into: fine, and: output, count: count, even: even, odd: odd, coefficients: coefficients,
        pairs: pairs, inner: inner, innerPairs: innerPairs)
    #endif
  }

  /// Writes `count` samples in doubles. [any thread]
  @_noLocks
  static func widen(
    _ input: UnsafePointer<Float>, into output: UnsafeMutablePointer<Double>, count: Int
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_widen(output, input, count)
    #else
      for index in 0..<count { output[index] = Double(input[index]) }
    #endif
  }

  /// Parts pairs of frames into the first and the second of each. [any thread]
  @_noLocks
  static func part(
    _ input: UnsafePointer<Float>, pairs: Int, first: UnsafeMutablePointer<Float>,
    second: UnsafeMutablePointer<Float>
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_part(first, second, input, pairs)
    #else
      for index in 0..<pairs {
        first[index] = input[2 * index]
        second[index] = input[2 * index + 1]
      }
    #endif
  }
}
