// SPDX-License-Identifier: Apache-2.0

import CKernels

/// The inner loops of stretching: in C, or their twins in Swift where there is no choice to be made.
enum StretchKernel {
  typealias Target = UnsafeMutablePointer<Float>
  typealias Source = UnsafePointer<Float>

  /// Parts windowed samples into even and odd ones. [any thread]
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

  /// One pass of the transform. [any thread]
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

  /// The last pass, which joins the lanes. [any thread]
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

  /// The spectrum of real samples, of the transform of their halves. [any thread]
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

  /// The reverse, for the inverse. [any thread]
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

  /// Adds a channel's part to power and products, or sets them to that of the first channel.
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

  /// Finds the peaks among some bins; how many there are. [any thread]
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

  /// Gives the bins of some peaks' regions their turn; where the last region ends.
  @_noLocks
  static func regions(
    _ turn: StretchSpectrum, _ power: Source, _ products: StretchSpectrum,
    _ peaks: UnsafePointer<Int32>,
    peakCount: Int, _ range: Range<Int>, start: Int, count: Int
  ) -> Int {
    #if arch(x86_64) && os(Linux)
      kernel_stretch_regions(
        turn.real, turn.imaginary, power, products.real, products.imaginary, peaks, peakCount,
        range.lowerBound, range.upperBound, start, count)
    #else
      regionsReference(
        turn, power, products, peaks, peakCount: peakCount, range, start: start, count: count)
    #endif
  }

  /// Gives each bin its own turn. [any thread]
  @_noLocks
  static func turns(_ turn: StretchSpectrum, _ products: StretchSpectrum, count: Int) {
    #if arch(x86_64) && os(Linux)
      kernel_stretch_turns(
        turn.real, turn.imaginary, products.real, products.imaginary, count)
    #else
      turnsReference(turn, products, count: count)
    #endif
  }

  /// Turns a spectrum. [any thread]
  @_noLocks
  static func turn(_ y: StretchSpectrum, _ a: StretchSpectrum, by turn: StretchSpectrum, count: Int)
  {
    #if arch(x86_64) && os(Linux)
      kernel_stretch_turn(
        y.real, y.imaginary, a.real, a.imaginary, turn.real, turn.imaginary, count)
    #else
      turnReference(y, a, by: turn, count: count)
    #endif
  }

  /// Turns what lies before an onset, and of the rest what `keep` says.
  @_noLocks
  static func turnBefore(
    _ y: StretchSpectrum, _ a: StretchSpectrum, before: StretchSpectrum, keep: Source,
    by turn: StretchSpectrum, count: Int
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_stretch_turn_before(
        y.real, y.imaginary, a.real, a.imaginary, before.real, before.imaginary, keep, turn.real,
        turn.imaginary, count)
    #else
      turnBeforeReference(y, a, before: before, keep: keep, by: turn, count: count)
    #endif
  }

  /// The sums of products with eight lags.
  @_noLocks
  static func correlate(_ sums: Target, _ samples: Source, _ others: Source, count: Int) {
    #if arch(x86_64) && os(Linux)
      kernel_stretch_correlate(sums, samples, others, count)
    #else
      correlateReference(sums, samples, others, count: count)
    #endif
  }

  /// Adds the sums of two samples each, times a gain, or sets them to those of the first channel.
  @_noLocks
  static func halve(_ halves: Target, _ samples: Source, gain: Float, count: Int, isFirst: Bool) {
    #if arch(x86_64) && os(Linux)
      kernel_stretch_halve(halves, samples, gain, count, isFirst ? 1 : 0)
    #else
      halveReference(halves, samples, gain: gain, count: count, isFirst: isFirst)
    #endif
  }

  /// Adds the energy of 64 samples, and of their differences.
  @_noLocks
  static func energies(_ energies: Target, _ samples: Source) {
    #if arch(x86_64) && os(Linux)
      kernel_stretch_energies(energies, samples)
    #else
      energiesReference(energies, samples)
    #endif
  }
}
