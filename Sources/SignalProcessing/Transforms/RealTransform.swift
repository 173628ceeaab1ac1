// SPDX-License-Identifier: Apache-2.0

/// The discrete Fourier transform of real samples in single precision: from a power of two of them
/// to their spectrum from zero to the Nyquist frequency, and back.
///
/// Half as many complex numbers pass Stockham's transform of radix 2, which needs no reordering and
/// whose inner loop runs over adjacent numbers; one more pass splits or merges the even and odd
/// samples. The bits of a result do not depend on the processor.
///
/// The owner frees the memory with `deallocate`.
public struct RealTransform: BitwiseCopyable, @unchecked Sendable {
  /// Length of the transform in samples.
  public let count: Int
  /// Length of a spectrum: from zero to the Nyquist frequency.
  public var binCount: Int { @_noLocks get { count / 2 + 1 } }

  private let half: Int
  private let memory = OwnedMemory()
  /// e^(-2πik/count) for the first half of a full turn.
  private let cosines: UnsafeMutablePointer<Float>
  private let sines: UnsafeMutablePointer<Float>
  private let real: UnsafeMutablePointer<Float>
  private let imaginary: UnsafeMutablePointer<Float>
  private let otherReal: UnsafeMutablePointer<Float>
  private let otherImaginary: UnsafeMutablePointer<Float>

  /// [control thread] Makes a transform for `count` samples, a power of two and at least four.
  public init(count: Int) {
    precondition(count >= 4 && count & (count - 1) == 0, "\(count) is not a power of two")
    self.count = count
    half = count / 2
    cosines = memory.array(half, of: 0)
    sines = memory.array(half, of: 0)
    real = memory.array(half, of: 0)
    imaginary = memory.array(half, of: 0)
    otherReal = memory.array(half, of: 0)
    otherImaginary = memory.array(half, of: 0)
    for index in 0..<half {
      let angle = 2 * Double.pi * Double(index) / Double(count)
      cosines[index] = Float(Math.cosine(angle))
      sines[index] = Float(-Math.sine(angle))
    }
  }

  /// [control thread] Frees the memory.
  public func deallocate() { memory.deallocate() }

  /// [one thread at a time] Computes the spectrum of `count` samples: the sum of x[n]
  /// e^(-2πikn/count), not scaled, in `binCount` numbers.
  @_noLocks
  public func forward(
    _ samples: UnsafePointer<Float>, _ spectrum: Spectrum
  ) {
    for index in 0..<half {
      real[index] = samples[2 * index]
      imaginary[index] = samples[2 * index + 1]
    }
    transform(forward: true)
    let (re, im) = (spectrum.real, spectrum.imaginary)
    re[0] = real[0] + imaginary[0]
    im[0] = 0
    re[half] = real[0] - imaginary[0]
    im[half] = 0
    for k in 1..<half {
      let (a, b) = (real[k], imaginary[k])
      let (c, d) = (real[half - k], -imaginary[half - k])
      // The even and the odd samples' terms of the bin.
      let (er, ei) = (0.5 * (a + c), 0.5 * (b + d))
      let (or, oi) = (0.5 * (b - d), -0.5 * (a - c))
      let (w, v) = (cosines[k], sines[k])
      re[k] = er + (or * w - oi * v)
      im[k] = ei + (or * v + oi * w)
    }
  }

  /// [one thread at a time] Computes the samples of a spectrum, scaled so that they equal the input
  /// of `forward`.
  @_noLocks
  public func inverse(_ spectrum: Spectrum, _ samples: UnsafeMutablePointer<Float>) {
    let (re, im) = (spectrum.real, spectrum.imaginary)
    real[0] = 0.5 * (re[0] + re[half])
    imaginary[0] = 0.5 * (re[0] - re[half])
    for k in 1..<half {
      let (a, b) = (re[k], im[k])
      let (c, d) = (re[half - k], -im[half - k])
      let (er, ei) = (0.5 * (a + c), 0.5 * (b + d))
      let (xr, xi) = (0.5 * (a - c), 0.5 * (b - d))
      let (w, v) = (cosines[k], -sines[k])
      let (or, oi) = (xr * w - xi * v, xr * v + xi * w)
      real[k] = er - oi
      imaginary[k] = ei + or
    }
    transform(forward: false)
    let scale = 1 / Float(half)
    for index in 0..<half {
      samples[2 * index] = scale * real[index]
      samples[2 * index + 1] = scale * imaginary[index]
    }
  }

  /// Transforms the complex numbers in `real` and `imaginary` in place.
  @_noLocks
  private func transform(forward: Bool) {
    var (fromReal, fromImaginary) = (real, imaginary)
    var (toReal, toImaginary) = (otherReal, otherImaginary)
    let sign: Float = forward ? 1 : -1
    var (length, stride) = (half, 1)
    while length > 1 {
      let middle = length / 2
      for p in 0..<middle {
        // Fractions of a turn of `length` steps; the table has twice `half` steps.
        let (w, v) = (cosines[2 * p * stride], sign * sines[2 * p * stride])
        let (ar, ai) = (fromReal + stride * p, fromImaginary + stride * p)
        let (br, bi) = (fromReal + stride * (p + middle), fromImaginary + stride * (p + middle))
        let (sr, si) = (toReal + stride * 2 * p, toImaginary + stride * 2 * p)
        let (dr, di) = (sr + stride, si + stride)
        for q in 0..<stride {
          let (xr, xi) = (ar[q] - br[q], ai[q] - bi[q])
          sr[q] = ar[q] + br[q]
          si[q] = ai[q] + bi[q]
          dr[q] = xr * w - xi * v
          di[q] = xr * v + xi * w
        }
      }
      swap(&fromReal, &toReal)
      swap(&fromImaginary, &toImaginary)
      length = middle
      stride *= 2
    }
    guard fromReal != real else { return }
    Samples.copy(fromReal, to: real, count: half)
    Samples.copy(fromImaginary, to: imaginary, count: half)
  }
}

/// A spectrum in two arrays: the real and the imaginary part of each bin.
public struct Spectrum: BitwiseCopyable, @unchecked Sendable {
  public let real: UnsafeMutablePointer<Float>
  public let imaginary: UnsafeMutablePointer<Float>

  /// [control thread] Makes `binCount` silent bins in `memory`.
  public init(_ memory: OwnedMemory, binCount: Int) {
    real = memory.array(binCount, of: 0)
    imaginary = memory.array(binCount, of: 0)
  }

  @_noLocks
  init(real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>) {
    self.real = real
    self.imaginary = imaginary
  }

  /// The same spectrum from a bin on. [any thread]
  @_noLocks
  public func from(_ bin: Int) -> Spectrum {
    Spectrum(real: real + bin, imaginary: imaginary + bin)
  }
}
