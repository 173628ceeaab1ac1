// SPDX-License-Identifier: Apache-2.0

import CKernels

/// The Fourier transform of real samples and its inverse, in steps of about equal work.
///
/// Half as many complex numbers as samples, in eight lanes: each lane transforms every eighth
/// number by Stockham's passes of radix four, all lanes alike; a last pass joins them. Steps are
/// done one at a time, so that long transforms can be spread over short render calls. Uses plain
/// memory on the render thread.
struct SteppedTransform: BitwiseCopyable {
  /// Number of samples, and of complex numbers.
  let size: Int
  let count: Int
  /// Steps of a transform in either direction.
  let stepCount: Int
  private let passCount: Int
  private let tables: UnsafeMutablePointer<StretchTransform>
  private let factors: UnsafeMutablePointer<Float>
  /// Two buffers for intermediate results, each with real and imaginary parts.
  private let buffers: UnsafeMutablePointer<Float>
  private let stride: Int

  /// [control thread] Makes a transform for `size` samples, a power of two from 128 on, in
  /// `memory`.
  init(size: Int, in memory: OwnedMemory) {
    self.size = size
    count = size / 2
    let lane = count / 8
    stride = count + 16
    var passes = 0
    var length = lane
    while length > 1 {
      length /= length > 2 ? 4 : 2
      passes += 1
    }
    passCount = passes
    stepCount = passes + 3
    factors = memory.array(6 * lane, of: 0)
    var next = factors
    length = lane
    while length > 2 {
      for step in 0..<length / 4 {
        for times in 1...3 {
          let angle = Double(step * times) / Double(length)
          next[0] = Float(Self.cosine(turns: angle))
          next[1] = Float(-Self.sine(turns: angle))
          next += 2
        }
      }
      length /= 4
    }
    let last = memory.array(2 * count, of: Float(0))
    for step in 0..<lane {
      for index in 0..<8 {
        let angle = Double(index * step) / Double(count)
        last[step * 8 + index] = Float(Self.cosine(turns: angle))
        last[count + step * 8 + index] = Float(-Self.sine(turns: angle))
      }
    }
    let split = memory.array(2 * count, of: Float(0))
    for index in 0..<count {
      let angle = Double(index) / Double(size)
      split[index] = Float(Self.cosine(turns: angle))
      split[count + index] = Float(-Self.sine(turns: angle))
    }
    buffers = memory.array(4 * stride, of: 0)
    tables = memory.array(
      1,
      of: StretchTransform(
        count: count, factors: factors, lastReal: last, lastImaginary: last + count,
        splitReal: split, splitImaginary: split + count))
  }

  /// [any thread] Cosine and sine of an angle in full turns, the same on every processor.
  static func cosine(turns: Double) -> Double { sine(turns: turns + 0.25) }
  static func sine(turns: Double) -> Double {
    let quarters = 4 * (turns - turns.rounded(.down))
    switch quarters {
    case ..<1: return Elementary.sine(quarters: quarters)
    case ..<3: return Elementary.sine(quarters: 2 - quarters)
    default: return Elementary.sine(quarters: quarters - 4)
    }
  }

  @_noLocks
  private func buffer(_ index: Int) -> (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>) {
    let first = buffers + 2 * (index & 1) * stride
    return (first, first + stride)
  }

  /// [render thread] One pass from one buffer to the other; `swapped` parts give the inverse.
  @_noLocks
  private func pass(_ index: Int, swapped: Bool) {
    var (from, to) = (buffer(index), buffer(index + 1))
    if swapped { (from, to) = ((from.1, from.0), (to.1, to.0)) }
    if index == passCount {
      return kernel_stretch_join(to.0, to.1, from.0, from.1, tables)
    }
    var (size, stride, table) = (count / 8, 1, factors)
    for _ in 0..<index {
      table += 6 * (size / 4)
      size /= 4
      stride *= 4
    }
    kernel_stretch_pass(to.0, to.1, from.0, from.1, table, size, stride)
  }

  /// [render thread] Does a step, counted from zero, of the spectrum of windowed samples. The
  /// window has its even samples first, then its odd ones; the spectrum has room for eight more
  /// numbers.
  @_noLocks
  func forward(
    _ step: Int, _ samples: UnsafePointer<Float>, window: UnsafePointer<Float>,
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>
  ) {
    if step == 0 {
      let (even, odd) = buffer(0)
      kernel_stretch_window(even, odd, samples, window, count)
    } else if step <= passCount + 1 {
      pass(step - 1, swapped: false)
    } else {
      let (r, i) = buffer(passCount + 1)
      kernel_stretch_split(real, imaginary, r, i, tables)
    }
  }

  /// [render thread] Does a step of the inverse. The result, times a window and `size`, is added to
  /// `samples`.
  @_noLocks
  func inverse(
    _ step: Int, _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    window: UnsafePointer<Float>, adding samples: UnsafeMutablePointer<Float>
  ) {
    if step == 0 {
      let (r, i) = buffer(0)
      kernel_stretch_merge(r, i, real, imaginary, tables)
    } else if step <= passCount + 1 {
      pass(step - 1, swapped: true)
    } else {
      let (even, odd) = buffer(passCount + 1)
      kernel_stretch_add(samples, even, odd, window, count)
    }
  }
}
