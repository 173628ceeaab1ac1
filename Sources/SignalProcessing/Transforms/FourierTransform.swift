// SPDX-License-Identifier: Apache-2.0

/// The discrete Fourier transform of a power of two of complex numbers, in place.
///
/// Radix 2, decimation in time, after Cooley and Tukey (1965). The factors are computed once, each
/// independently, so that long transforms are as exact as short ones.
public struct FourierTransform: ~Copyable {
  /// Length of the transform.
  public let count: Int

  private let memory = OwnedMemory()
  /// Cosine and minus sine of the first half of a full turn, `count / 2` each.
  private let cosines: UnsafeMutablePointer<Double>
  private let sines: UnsafeMutablePointer<Double>

  /// [control thread] Computes the factors for `count` numbers, a power of two.
  public init(count: Int) {
    precondition(count > 0 && count & (count - 1) == 0, "\(count) is not a power of two")
    self.count = count
    let angles = (0..<max(1, count / 2)).map { 2 * Double.pi * Double($0) / Double(count) }
    cosines = memory.array(angles.map { Math.cosine($0) })
    sines = memory.array(angles.map { -Math.sine($0) })
  }

  deinit { memory.deallocate() }

  /// [any thread] Replaces numbers by their spectrum: the sum of x[n] e^(-2πikn/N), not scaled.
  @_noLocks
  public borrowing func forward(
    _ real: UnsafeMutablePointer<Double>, _ imaginary: UnsafeMutablePointer<Double>
  ) {
    reorder(real, imaginary)
    var size = 2
    while size <= count {
      let half = size / 2
      let stride = count / size
      var start = 0
      while start < count {
        for offset in 0..<half {
          let (c, s) = (cosines[offset * stride], sines[offset * stride])
          let (low, high) = (start + offset, start + offset + half)
          let r = real[high] * c - imaginary[high] * s
          let i = real[high] * s + imaginary[high] * c
          real[high] = real[low] - r
          imaginary[high] = imaginary[low] - i
          real[low] += r
          imaginary[low] += i
        }
        start += size
      }
      size *= 2
    }
  }

  /// Sorts the numbers into bit-reversed order.
  @_noLocks
  private borrowing func reorder(
    _ real: UnsafeMutablePointer<Double>, _ imaginary: UnsafeMutablePointer<Double>
  ) {
    var reversed = 0
    for index in 1..<max(1, count) {
      var bit = count >> 1
      while reversed & bit != 0 {
        reversed ^= bit
        bit >>= 1
      }
      reversed |= bit
      if index < reversed {
        let (r, i) = (real[index], imaginary[index])
        real[index] = real[reversed]
        imaginary[index] = imaginary[reversed]
        real[reversed] = r
        imaginary[reversed] = i
      }
    }
  }
}
