// SPDX-License-Identifier: Apache-2.0

import CKernels

/// The inner loops of stretching: in C, or in Swift on processors without run-time dispatch.
enum StretchKernel {
  typealias Target = UnsafeMutablePointer<Float>
  typealias Source = UnsafePointer<Float>

  /// Splits windowed samples into even and odd ones. [any thread]
  @_noLocks
  static func window(
    _ even: Target, _ odd: Target, _ samples: Source, _ window: Source, count: Int
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_stretch_window(even, odd, samples, window, count)
    #else
      windowReference(even, odd, samples, window, count: count)
    #endif
  }

  /// Does one pass of the transform. [any thread]
  @_noLocks
  static func pass(
    _ real: Target, _ imaginary: Target, _ fromReal: Source, _ fromImaginary: Source,
    _ factors: Source, size: Int, stride: Int
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_stretch_pass(real, imaginary, fromReal, fromImaginary, factors, size, stride)
    #else
      passReference(
        real, imaginary, fromReal, fromImaginary, factors, size: size, stride: stride)
    #endif
  }

  /// Does the last pass, which joins the lanes. [any thread]
  @_noLocks
  static func join(
    _ real: Target, _ imaginary: Target, _ fromReal: Source, _ fromImaginary: Source,
    _ transform: UnsafePointer<StretchTransform>
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_stretch_join(real, imaginary, fromReal, fromImaginary, transform)
    #else
      joinReference(real, imaginary, fromReal, fromImaginary, transform)
    #endif
  }

  /// Computes the spectrum of real samples from the transform of their even and odd samples.
  /// [any thread]
  @_noLocks
  static func split(
    _ real: Target, _ imaginary: Target, _ fromReal: Target, _ fromImaginary: Target,
    _ transform: UnsafePointer<StretchTransform>
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_stretch_split(real, imaginary, fromReal, fromImaginary, transform)
    #else
      splitReference(real, imaginary, fromReal, fromImaginary, transform)
    #endif
  }

  /// The reverse of `split`, for the inverse transform. [any thread]
  @_noLocks
  static func merge(
    _ real: Target, _ imaginary: Target, _ fromReal: Source, _ fromImaginary: Source,
    _ transform: UnsafePointer<StretchTransform>
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_stretch_merge(real, imaginary, fromReal, fromImaginary, transform)
    #else
      mergeReference(real, imaginary, fromReal, fromImaginary, transform)
    #endif
  }

  /// Adds windowed even and odd samples. [any thread]
  @_noLocks
  static func add(
    _ samples: Target, _ even: Source, _ odd: Source, _ window: Source, count: Int
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_stretch_add(samples, even, odd, window, count)
    #else
      addReference(samples, even, odd, window, count: count)
    #endif
  }

  /// Adds a channel's terms to power and products, or sets them to those of the first channel.
  @_noLocks
  static func products(
    _ power: Target, _ real: Target, _ imaginary: Target, x: StretchSpectrum, y: StretchSpectrum,
    b: StretchSpectrum,
    count: Int, isFirst: Bool
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_stretch_products(
        power, real, imaginary, x.real, x.imaginary, y.real, y.imaginary, b.real, b.imaginary,
        count, isFirst ? 1 : 0)
    #else
      productsReference(
        power, real, imaginary, x: x, y: y, b: b, count: count, isFirst: isFirst)
    #endif
  }

  /// Finds the peaks in a range of bins; returns their number. [any thread]
  @_noLocks
  static func peaks(
    _ peaks: UnsafeMutablePointer<Int32>, _ power: Source, _ bins: Range<Int>
  ) -> Int {
    #if arch(x86_64) && os(Linux)
      kernel_stretch_peaks(peaks, power, bins.lowerBound, bins.upperBound)
    #else
      peaksReference(peaks, power, bins)
    #endif
  }

  /// Sets the phase rotation in the regions around some peaks; returns the end of the last region.
  @_noLocks
  static func regions(
    _ rotation: StretchSpectrum, _ power: Source, _ products: StretchSpectrum,
    _ peaks: UnsafePointer<Int32>,
    peakCount: Int, _ range: Range<Int>, start: Int, count: Int
  ) -> Int {
    #if arch(x86_64) && os(Linux)
      kernel_stretch_regions(
        rotation.real, rotation.imaginary, power, products.real, products.imaginary, peaks,
        peakCount,
        range.lowerBound, range.upperBound, start, count)
    #else
      regionsReference(
        rotation, power, products, peaks, peakCount: peakCount, range, start: start, count: count)
    #endif
  }

  /// Sets the phase rotation of each bin to that of its own product. [any thread]
  @_noLocks
  static func rotations(_ rotation: StretchSpectrum, _ products: StretchSpectrum, count: Int) {
    #if arch(x86_64) && os(Linux)
      kernel_stretch_rotations(
        rotation.real, rotation.imaginary, products.real, products.imaginary, count)
    #else
      rotationsReference(rotation, products, count: count)
    #endif
  }

  /// Rotates the phases of a spectrum. [any thread]
  @_noLocks
  static func rotate(
    _ y: StretchSpectrum, _ a: StretchSpectrum, by rotation: StretchSpectrum, count: Int
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_stretch_rotate(
        y.real, y.imaginary, a.real, a.imaginary, rotation.real, rotation.imaginary, count)
    #else
      rotateReference(y, a, by: rotation, count: count)
    #endif
  }

  /// Rotates the part of a spectrum before an onset, and the share `keep` of the rest.
  @_noLocks
  static func rotateBefore(
    _ y: StretchSpectrum, _ a: StretchSpectrum, before: StretchSpectrum, keep: Source,
    by rotation: StretchSpectrum, count: Int
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_stretch_rotate_before(
        y.real, y.imaginary, a.real, a.imaginary, before.real, before.imaginary, keep,
        rotation.real,
        rotation.imaginary, count)
    #else
      rotateBeforeReference(y, a, before: before, keep: keep, by: rotation, count: count)
    #endif
  }

  /// Computes the sums of products at eight lags.
  @_noLocks
  static func correlate(_ sums: Target, _ samples: Source, _ others: Source, count: Int) {
    #if arch(x86_64) && os(Linux)
      kernel_stretch_correlate(sums, samples, others, count)
    #else
      correlateReference(sums, samples, others, count: count)
    #endif
  }

  /// Adds sums of two samples each, times a gain, or sets them to those of the first channel.
  @_noLocks
  static func halve(_ halves: Target, _ samples: Source, gain: Float, count: Int, isFirst: Bool) {
    #if arch(x86_64) && os(Linux)
      kernel_stretch_halve(halves, samples, gain, count, isFirst ? 1 : 0)
    #else
      halveReference(halves, samples, gain: gain, count: count, isFirst: isFirst)
    #endif
  }

  /// Adds the energies of 64 samples, and of their differences.
  @_noLocks
  static func energies(_ energies: Target, _ samples: Source) {
    #if arch(x86_64) && os(Linux)
      kernel_stretch_energies(energies, samples)
    #else
      energiesReference(energies, samples)
    #endif
  }
}
