// SPDX-License-Identifier: Apache-2.0

/// How much of a sound is one tone, steady or moving: the share of a spectrum's power that its loudest bins
/// hold, on the average of some tenths of a second. Speech and chords hold theirs in many bins, if not in
/// each moment; of one tone neither the delay of an echo nor much of its way can be learnt.
struct Tonality: BitwiseCopyable {
  /// Shares at which it begins to be a tone, and is one. Speech comes to 0.1 to 0.3, chords to 0.23 to
  /// 0.32, a tone that moves by two octaves a second to 0.43 and a steady one to 0.5 and more.
  private static var lower: Float { @_noLocks get { 0.33 } }
  private static var upper: Float { @_noLocks get { 0.42 } }
  private static var memory: Double { 0.4 }

  private let follows: Float
  private let audible: Float
  private var share: Float = 0
  /// Spectra that were taken, up to those that the average remembers.
  private var count: Float = 0
  /// 0 for sounds of many frequencies, 1 for one tone.
  var amount: Float {
    @_noLocks get { min(max((share - Self.lower) / (Self.upper - Self.lower), 0), 1) }
  }

  /// [control thread] For `rate` spectra a second; what has less power than `audible` says nothing.
  init(rate: Double, audible: Float) {
    follows = Float(1 - Math.exponential(-1 / (rate * Self.memory)))
    self.audible = audible
  }

  /// [render thread] Forgets the sound.
  @_noLocks
  mutating func reset() { (share, count) = (0, 0) }

  /// [render thread] Takes one more spectrum.
  @_noLocks
  mutating func update(_ spectrum: Spectrum, binCount: Int) {
    var (sum, squares): (Float, Float) = (0, 0)
    for bin in 0..<binCount {
      let power =
        spectrum.real[bin] * spectrum.real[bin] + spectrum.imaginary[bin] * spectrum.imaginary[bin]
      sum += power
      squares += power * power
    }
    guard sum > audible else { return }
    count = min(count + 1, 1 / follows)
    share += (squares / (sum * sum) - share) / count
  }
}
