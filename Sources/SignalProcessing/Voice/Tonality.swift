// SPDX-License-Identifier: Apache-2.0

/// Measures how much a sound is a single tone, steady or moving: the share of a spectrum's power in
/// its loudest bins, averaged over some tenths of a second. Speech and chords occupy many bins, if
/// not at every moment. From a single tone, neither the delay of an echo nor much of its path can
/// be learnt.
struct Tonality: BitwiseCopyable {
  /// Shares at which it begins to be a tone, and certainly is one. Speech has 0.1 to 0.3, chords
  /// 0.23 to 0.32, a tone that moves by two octaves per second 0.43, and a steady one 0.5 and more.
  private static var lower: Float { @_noLocks get { 0.33 } }
  private static var upper: Float { @_noLocks get { 0.42 } }
  private static var averageTime: Double { 0.4 }

  private let weight: Float
  private let audiblePower: Float
  private var share: Float = 0
  /// Number of processed spectra, up to those that the average covers.
  private var count: Float = 0
  /// 0 for sounds of many frequencies, 1 for one tone.
  var amount: Float {
    @_noLocks get { min(max((share - Self.lower) / (Self.upper - Self.lower), 0), 1) }
  }

  /// [control thread] Makes a detector for `rate` spectra per second; those with less power than
  /// `audiblePower` are ignored.
  init(rate: Double, audiblePower: Float) {
    weight = Float(1 - Math.exponential(-1 / (rate * Self.averageTime)))
    self.audiblePower = audiblePower
  }

  /// [render thread] Clears the average.
  @_noLocks
  mutating func reset() { (share, count) = (0, 0) }

  /// [render thread] Processes one more spectrum.
  @_noLocks
  mutating func update(_ spectrum: Spectrum, binCount: Int) {
    var (sum, squares): (Float, Float) = (0, 0)
    for bin in 0..<binCount {
      let power =
        spectrum.real[bin] * spectrum.real[bin] + spectrum.imaginary[bin] * spectrum.imaginary[bin]
      sum += power
      squares += power * power
    }
    guard sum > audiblePower else { return }
    count = min(count + 1, 1 / weight)
    share += (squares / (sum * sum) - share) / count
  }
}
