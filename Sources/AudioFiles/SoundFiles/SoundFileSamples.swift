// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import SignalProcessing

/// The sample format of a new sound file: 32-bit float, or dithered integers.
public struct SoundFileSamples: Equatable, Sendable {
  /// 16 or 24 for integers, -32 for 32-bit float; nil for the kind's default: 32-bit float, or 24
  /// bits without dither in FLAC.
  let bits: Int?
  /// The dither to add before samples are rounded to integers.
  let dither: Dither.Kind

  /// The default of the kind of file.
  public static let native = SoundFileSamples(stored: nil, .none)
  /// 32-bit float.
  public static let float = SoundFileSamples(stored: -32, .none)

  private init(stored bits: Int?, _ dither: Dither.Kind) {
    self.bits = bits
    self.dither = dither
  }

  /// Integers of 16 or 24 bits.
  ///
  /// - Throws: For other numbers of bits.
  public init(bits: Int, dither: Dither.Kind = .triangular) throws(AudioError) {
    guard [16, 24].contains(bits) else {
      throw .invalidArgument.because("samples of \(bits) bits; expected 16 or 24")
    }
    self.init(stored: bits, dither)
  }

  /// [any thread] Throws when a file at this path cannot hold such samples; the error lists those
  /// it can hold.
  public func check(path: String) throws(AudioError) {
    var encoding = try SoundFileEncoding(path: path)
    try encoding.adopt(self)
  }
}
