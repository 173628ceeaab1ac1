// SPDX-License-Identifier: Apache-2.0

/// The envelope of a spectrum without its single tones, such as the formants of a voice. It
/// computes the gain of each bin that keeps the envelope in place while the pitch is shifted.
///
/// The envelope is the mean power of the surrounding bins, weighted by a triangle that is as wide on
/// each side as the harmonics are apart: a sum of harmonics then becomes the straight lines between
/// them. The spacing is the shortest at which the magnitudes up to 3 kHz resemble themselves. Uses
/// plain memory on the render thread.
struct SpectralEnvelope: BitwiseCopyable {
  private let count: Int
  /// The bins of 60, of 220 and of 480 Hz: the spacings, and that of sounds without harmonics.
  private let spacings: (lowest: Int, usual: Int, highest: Int)
  /// Bins in which harmonics are looked for.
  private let searchCount: Int
  private let sums: UnsafeMutablePointer<Double>
  private let means: UnsafeMutablePointer<Double>
  /// Magnitudes less their mean, and their products at each spacing.
  private let magnitudes: UnsafeMutablePointer<Float>
  private let products: UnsafeMutablePointer<Float>
  let gains: UnsafeMutablePointer<Float>
  /// Gains are limited to 24 dB.
  private static var limit: Float { @_noLocks get { 16 } }

  /// [control thread] Makes an envelope for `count` bins up to half the sample rate.
  init(count: Int, sampleRate: Double, in memory: OwnedMemory) {
    self.count = count
    let binsPerHertz = 2 * Double(count) / sampleRate
    spacings = (
      max(2, Int(60 * binsPerHertz)), max(3, Int(220 * binsPerHertz)),
      max(4, Int(480 * binsPerHertz))
    )
    searchCount = min(count, Int(3_000 * binsPerHertz))
    sums = memory.array(count + 1, of: 0)
    means = memory.array(count, of: 0)
    magnitudes = memory.array(searchCount + spacings.highest + 16, of: 0)
    products = memory.array(spacings.highest + 1, of: 0)
    gains = memory.array(count + 16, of: 1)
  }

  /// [render thread] Computes the gains from the power of the bins, for a later pitch shift by the
  /// factor `pitch`.
  @_noLocks
  func update(_ power: UnsafePointer<Float>, pitch: Double) {
    let spacing = harmonicSpacing(power)
    // Two means over half the spacing on each side make the triangle.
    let (near, far) = ((spacing - 1) / 2, spacing / 2)
    for bin in 0..<count { means[bin] = Double(power[bin]) }
    smooth(near, far)
    smooth(far, near)
    for bin in 0..<count {
      let place = min(Double(bin) * pitch, Double(count - 1))
      let below = Int(place)
      let above = min(below + 1, count - 1)
      let shifted = means[below] + (means[above] - means[below]) * (place - Double(below))
      let ratio = Float(shifted / (means[bin] + 1e-12))
      gains[bin] = min(max(Math.squareRoot(ratio), 1 / Self.limit), Self.limit)
    }
  }

  /// Replaces `means` by their means over some bins before and after each.
  @_noLocks
  private func smooth(_ before: Int, _ after: Int) {
    sums[0] = 0
    for bin in 0..<count { sums[bin + 1] = sums[bin] + means[bin] }
    for bin in 0..<count {
      let (low, high) = (max(bin - before, 0), min(bin + after + 1, count))
      means[bin] = (sums[high] - sums[low]) / Double(high - low)
    }
  }

  /// The bins from one harmonic to the next.
  @_noLocks
  private func harmonicSpacing(_ power: UnsafePointer<Float>) -> Int {
    for bin in 0..<count { means[bin] = Double(Math.squareRoot(power[bin])) }
    smooth(spacings.usual, spacings.usual)
    for bin in 0..<searchCount {
      magnitudes[bin] = Math.squareRoot(power[bin]) - Float(means[bin])
    }
    let whole = product(at: 0)
    guard whole > 0 else { return spacings.usual }
    var highest: Float = 0
    for spacing in spacings.lowest - 1...spacings.highest {
      products[spacing] = product(at: spacing)
      highest = max(highest, products[spacing])
    }
    guard highest > 0.3 * whole else { return spacings.usual }
    for spacing in spacings.lowest..<spacings.highest where products[spacing] > 0.8 * highest {
      if products[spacing] >= products[spacing - 1], products[spacing] >= products[spacing + 1] {
        return spacing
      }
    }
    return spacings.usual
  }

  /// The sum of the products of all magnitudes with those some bins above; beyond the last are
  /// zeros.
  @_noLocks
  private func product(at spacing: Int) -> Float {
    var sum = SIMD8<Float>.zero
    var bin = 0
    while bin < searchCount {
      let first = UnsafeRawPointer(magnitudes + bin).loadUnaligned(as: SIMD8<Float>.self)
      let second = UnsafeRawPointer(magnitudes + bin + spacing)
        .loadUnaligned(as: SIMD8<Float>.self)
      sum += first * second
      bin &+= 8
    }
    return sum.sum()
  }

  /// [render thread] Applies the gains to a spectrum.
  @_noLocks
  func shape(_ spectrum: Spectrum) {
    for bin in 0..<count {
      spectrum.real[bin] *= gains[bin]
      spectrum.imaginary[bin] *= gains[bin]
    }
  }
}
