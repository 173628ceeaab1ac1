// SPDX-License-Identifier: Apache-2.0

import CKernels

/// The converter's inner loops: dot products of a moving window with rows of coefficients.
enum ResamplingKernel {
  /// Writes `count` outputs from rows that are there for each phase. [any thread]
  @_noLocks
  static func resample(
    into output: UnsafeMutablePointer<Float>, count: Int, from input: UnsafePointer<Float>,
    table: UnsafePointer<Float>, taps: Int, walk: ResamplingWalk
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_resample(output, count, input, table, taps, walk)
    #else
      resampleReference(
        into: output, count: count, from: input, table: table, taps: taps, walk: walk)
    #endif
  }

  /// Writes `count` outputs from rows interpolated for each phase. [any thread]
  @_noLocks
  static func resampleInterpolated(
    into output: UnsafeMutablePointer<Float>, count: Int, from input: UnsafePointer<Float>,
    table: UnsafePointer<Float>, taps: Int, divisions: Int, walk: ResamplingWalk
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_resample_interpolated(output, count, input, table, taps, divisions, walk)
    #else
      resampleInterpolatedReference(
        into: output, count: count, from: input, table: table, taps: taps, divisions: divisions,
        walk: walk)
    #endif
  }

  /// Writes what `resample` writes, to the bit, without the C kernels. [any thread]
  @_noLocks
  static func resampleReference(
    into output: UnsafeMutablePointer<Float>, count: Int, from input: UnsafePointer<Float>,
    table: UnsafePointer<Float>, taps: Int, walk: ResamplingWalk
  ) {
    var walk = walk
    var window = input
    for index in 0..<count {
      let row = table + Int(walk.phase) * taps
      var even = SIMD16<Float>.zero
      var odd = SIMD16<Float>.zero
      var tap = 0
      while tap &+ 32 <= taps {
        even += load(window + tap) * load(row + tap)
        odd += load(window + tap + 16) * load(row + tap + 16)
        tap &+= 32
      }
      if tap < taps { even += load(window + tap) * load(row + tap) }
      output[index] = sum(even + odd)
      advance(&window, &walk)
    }
  }

  /// Writes what `resampleInterpolated` writes, to the bit, without the C kernels. [any thread]
  @_noLocks
  static func resampleInterpolatedReference(
    into output: UnsafeMutablePointer<Float>, count: Int, from input: UnsafePointer<Float>,
    table: UnsafePointer<Float>, taps: Int, divisions: Int, walk: ResamplingWalk
  ) {
    var walk = walk
    var window = input
    let scale = Double(divisions) / Double(walk.modulus)
    for index in 0..<count {
      let place = Double(walk.phase) * scale
      // The last phase may round up to the next frame.
      let line = min(Int(place), divisions - 1)
      let t = Float(place - Double(line))
      // Lagrange's cubic through the rows at -1, 0, 1 and 2.
      let w0 = t * (t - 1) * (t - 2) * (-1.0 / 6)
      let w1 = (t + 1) * (t - 1) * (t - 2) * 0.5
      let w2 = (t + 1) * t * (t - 2) * -0.5
      let w3 = (t + 1) * t * (t - 1) * (1.0 / 6)
      let row = table + line * taps
      var total = SIMD16<Float>.zero
      var tap = 0
      while tap < taps {
        let before = w0 * load(row + tap) + w1 * load(row + (tap + taps))
        let after = w2 * load(row + (tap + 2 * taps)) + w3 * load(row + (tap + 3 * taps))
        total += load(window + tap) * (before + after)
        tap &+= 16
      }
      output[index] = sum(total)
      advance(&window, &walk)
    }
  }

  @inline(__always) @_noLocks
  private static func load(_ samples: UnsafePointer<Float>) -> SIMD16<Float> {
    UnsafeRawPointer(samples).loadUnaligned(as: SIMD16<Float>.self)
  }

  /// Sum of all lanes, in the order of the C kernels.
  @inline(__always) @_noLocks
  private static func sum(_ lanes: SIMD16<Float>) -> Float {
    let eight = lanes.lowHalf + lanes.highHalf
    let four = eight.lowHalf + eight.highHalf
    return (four.x + four.z) + (four.y + four.w)
  }

  @inline(__always) @_noLocks
  private static func advance(_ window: inout UnsafePointer<Float>, _ walk: inout ResamplingWalk) {
    window += Int(walk.whole)
    walk.phase += walk.part
    if walk.phase >= walk.modulus {
      walk.phase -= walk.modulus
      window += 1
    }
  }
}
