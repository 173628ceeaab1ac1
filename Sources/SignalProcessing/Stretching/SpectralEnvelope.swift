// SPDX-License-Identifier: Apache-2.0

/// The envelope of a spectrum without its single tones, such as the formants of a voice. It
/// computes the gain of each bin that keeps the envelope in place while the pitch is shifted.
///
/// The envelope is the mean power of the surrounding bins, over the spacing of a high voice's
/// harmonics. Uses plain memory on the render thread.
struct SpectralEnvelope: BitwiseCopyable {
  private let count: Int
  private let width: Int
  private let sums: UnsafeMutablePointer<Double>
  let gains: UnsafeMutablePointer<Float>
  /// Gains are limited to 24 dB.
  private static var limit: Float { @_noLocks get { 16 } }

  /// [control thread] Makes an envelope for `count` bins up to half the sample rate.
  init(count: Int, sampleRate: Double, in memory: OwnedMemory) {
    self.count = count
    width = max(2, Int(220 * 2 * Double(count) / sampleRate))
    sums = memory.array(count + 1, of: 0)
    gains = memory.array(count + 16, of: 1)
  }

  /// [render thread] Computes the gains from the power of the bins, for a later pitch shift by the
  /// factor `pitch`.
  @_noLocks
  func update(_ power: UnsafePointer<Float>, pitch: Double) {
    sums[0] = 0
    for bin in 0..<count { sums[bin + 1] = sums[bin] + Double(power[bin]) }
    for bin in 0..<count {
      let shiftedBin = min(Int(Double(bin) * pitch + 0.5), count - 1)
      let ratio = Float(mean(shiftedBin) / (mean(bin) + 1e-12))
      gains[bin] = min(max(Math.squareRoot(ratio), 1 / Self.limit), Self.limit)
    }
  }

  @_noLocks @inline(__always)
  private func mean(_ bin: Int) -> Double {
    let (low, high) = (max(bin - width, 0), min(bin + width + 1, count))
    return (sums[high] - sums[low]) / Double(high - low)
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
