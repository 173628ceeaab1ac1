// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import SignalProcessing

/// The sample format of a new sound file: 32-bit float, or integers with a dither.
public struct SoundFileSamples: Equatable, Sendable {
  /// Bits of an integer, 16 or 24, or -32 for 32-bit float; nil for the kind's default: 32-bit
  /// float, in FLAC 24 bits without a dither.
  let bits: Int?
  /// The dither that is added before samples are rounded to integers.
  let dither: Dither.Kind

  /// The default of a file type.
  public static let native = SoundFileSamples(held: nil, .none)
  /// 32-bit float.
  public static let float = SoundFileSamples(held: -32, .none)

  private init(held bits: Int?, _ dither: Dither.Kind) {
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
    self.init(held: bits, dither)
  }

  /// [any thread] Throws when a file of that path cannot hold such samples, with the ones it can
  /// hold.
  public func check(path: String) throws(AudioError) {
    var encoding = try SoundFileEncoding(path: path)
    try encoding.adopt(self)
  }
}
