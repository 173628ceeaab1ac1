// SPDX-License-Identifier: Apache-2.0

import CKernels

/// The inner loop of filters without feedback.
enum ConvolutionKernel {
  /// Number of outputs that are computed together; the input is read up to the next multiple of it.
  static var lanes: Int { @_noLocks get { 8 } }

  /// Writes `count` weighted sums of `taps` adjacent samples. The last weight of `response` belongs
  /// to the latest sample. `past` begins with the samples of the first output; the buffers do not
  /// overlap. [any thread]
  @_noLocks
  static func convolve(
    _ past: UnsafePointer<Float>, _ response: UnsafePointer<Float>, taps: Int,
    into output: UnsafeMutablePointer<Float>, count: Int
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_convolution(output, past, response, taps, count)
    #else
      convolveReference(past, response, taps: taps, into: output, count: count)
    #endif
  }

  /// Same result as `convolve`, bit for bit, without the C kernel. [any thread]
  @_noLocks
  static func convolveReference(
    _ past: UnsafePointer<Float>, _ response: UnsafePointer<Float>, taps: Int,
    into output: UnsafeMutablePointer<Float>, count: Int
  ) {
    for index in 0..<count {
      var sum: Float = 0
      for tap in 0..<taps { sum += response[tap] * past[index + tap] }
      output[index] = sum
    }
  }
}
