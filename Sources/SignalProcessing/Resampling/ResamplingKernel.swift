// SPDX-License-Identifier: Apache-2.0

import CKernels

/// The inner loops of the converter: dot products of a sliding window with rows of coefficients,
/// and halving.
enum ResamplingKernel {
  /// Writes `count` outputs from row `first` on; `input` is the start of its group's window.
  /// [any thread]
  ///
  /// `fine` is the same input in double precision.
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

  /// Writes `count` outputs of each channel from rows that are interpolated for each phase.
  /// [any thread]
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

  /// Writes `count` outputs at half the rate, and up to 7 unused numbers after them. [any thread]
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

  /// As `halve`, in single and double precision, with the innermost pairs summed in double
  /// precision. [any thread]
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

  /// Converts `count` samples to double precision. [any thread]
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

  /// Splits pairs of frames into the first and the second frame of each. [any thread]
  @_noLocks
  static func splitPairs(
    _ input: UnsafePointer<Float>, pairs: Int, first: UnsafeMutablePointer<Float>,
    second: UnsafeMutablePointer<Float>
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_split_pairs(first, second, input, pairs)
    #else
      for index in 0..<pairs {
        first[index] = input[2 * index]
        second[index] = input[2 * index + 1]
      }
    #endif
  }
}
