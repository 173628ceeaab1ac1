// SPDX-License-Identifier: Apache-2.0
import Accelerate

/// Numbers that look random and are the same in each run.
struct Random: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }

  mutating func numbers<N: BinaryFloatingPoint>(_ count: Int, in range: ClosedRange<Double>) -> [N]
  {
    (0..<count).map { _ in N(Double.random(in: range, using: &self)) }
  }
}

/// A vector with a stride: memory, the place of its first element, and its elements.
struct Strided<N: VectorNumber> {
  var memory: [N]
  let stride: Int
  let count: Int
  /// The place of element 0; of a negative stride, the last.
  var origin: Int { stride < 0 ? (count - 1) * -stride : 0 }

  init(_ count: Int, stride: Int, _ random: inout Random, in range: ClosedRange<Double> = -4...4) {
    (self.stride, self.count) = (stride, count)
    memory = random.numbers(max(1, (count - 1) * abs(stride) + 1), in: range)
  }

  subscript(_ index: Int) -> N { memory[origin + index * stride] }

  /// Calls a function with the address of element 0.
  func read<R>(_ body: (UnsafePointer<N>) -> R) -> R {
    memory.withUnsafeBufferPointer { body($0.baseAddress.unsafelyUnwrapped + origin) }
  }

  mutating func write(_ body: (UnsafeMutablePointer<N>) -> Void) {
    let origin = origin
    memory.withUnsafeMutableBufferPointer { body($0.baseAddress.unsafelyUnwrapped + origin) }
  }
}

/// Sizes about those of vectors, and strides of every kind.
enum Shapes {
  static let counts = [1, 2, 7, 8, 15, 16, 17, 63, 64, 129]
  static let strides = [(1, 1, 1), (2, 1, 3), (-1, 1, 1), (1, -2, -3), (0, 1, 1), (1, 0, 2)]
}

/// Whether numbers are equal to 1e-6 of the larger, or of one.
func isNear<N: BinaryFloatingPoint>(_ a: N, _ b: N, _ tolerance: Double = 1e-6) -> Bool {
  abs(Double(a) - Double(b)) <= tolerance * max(1, abs(Double(a)), abs(Double(b)))
}
