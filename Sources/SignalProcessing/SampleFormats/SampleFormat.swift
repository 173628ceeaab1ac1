// SPDX-License-Identifier: Apache-2.0

/// The memory layout of one sample.
public struct SampleFormat: Equatable, Sendable {
  /// The encoding of the bits.
  public enum Kind: Sendable {
    /// IEEE 754, 32 or 64 bits.
    case float
    /// Two's complement, full scale at half the range.
    case signedInteger
    /// Offset binary: silence is half the range.
    case unsignedInteger
  }

  /// The encoding of the bits.
  public var kind: Kind
  /// Bits that carry the sample, 1 to 64.
  public var bits: Int
  /// Size of the container in bytes, which is the distance between packed samples: 1, 2, 3, 4 or 8.
  public var containerBytes: Int
  /// Bits below the binary point; zero means a range of -1 to 1.
  ///
  /// 8.24 fixed point has 24 of 32: its range is -128 to 128.
  public var fractionBits: Int
  /// Whether the most significant byte comes first.
  public var isBigEndian: Bool
  /// Whether the sample occupies the upper bits of a larger container, not the lower ones.
  public var isAlignedHigh: Bool

  /// Makes a format; by default the container is as large as the bits require. [any thread]
  @_noLocks
  public init(
    _ kind: Kind, bits: Int, containerBytes: Int? = nil, fractionBits: Int = 0,
    isBigEndian: Bool = false, isAlignedHigh: Bool = false
  ) {
    self.kind = kind
    self.bits = bits
    self.containerBytes = containerBytes ?? (bits + 7) / 8
    self.fractionBits = fractionBits
    self.isBigEndian = isBigEndian
    self.isAlignedHigh = isAlignedHigh
  }

  /// Native 32-bit float, the format in which everything is rendered.
  public static var float32: SampleFormat {
    @_noLocks get { SampleFormat(.float, bits: 32) }
  }
  /// Native 64-bit float.
  public static var float64: SampleFormat {
    @_noLocks get { SampleFormat(.float, bits: 64) }
  }
  /// Signed 16-bit integer.
  public static var int16: SampleFormat {
    @_noLocks get { SampleFormat(.signedInteger, bits: 16) }
  }
  /// Signed 24-bit integer in three bytes.
  public static var int24: SampleFormat {
    @_noLocks get { SampleFormat(.signedInteger, bits: 24) }
  }
  /// Signed 32-bit integer.
  public static var int32: SampleFormat {
    @_noLocks get { SampleFormat(.signedInteger, bits: 32) }
  }
  /// Signed fixed point with eight bits above the binary point.
  public static var fixed8_24: SampleFormat {
    @_noLocks get { SampleFormat(.signedInteger, bits: 32, fractionBits: 24) }
  }

  /// Whether samples of this format can be converted.
  public var isSupported: Bool {
    @_noLocks get {
      switch kind {
      case .float:
        return (bits == 32 || bits == 64) && containerBytes * 8 == bits && fractionBits == 0
      case .signedInteger, .unsignedInteger:
        let sizes = containerBytes >= 1 && containerBytes <= 8
        let known = containerBytes <= 4 || containerBytes == 8
        return sizes && known && bits >= 1 && bits <= containerBytes * 8
          && fractionBits >= 0 && fractionBits < bits
      }
    }
  }

  // Comparing cases with == counts as generic code, which is not allowed while rendering.

  /// Whether this format can represent every sample of another: nothing is rounded and nothing is
  /// clipped. [any thread]
  @_noLocks
  public func canRepresent(_ other: SampleFormat) -> Bool {
    switch (isFloat, other.isFloat) {
    case (true, true): return bits >= other.bits
    case (true, false): return other.bits <= (bits == 64 ? 53 : 24)
    case (false, true): return false
    case (false, false):
      return scale >= other.scale && Double(bits) - exponent >= Double(other.bits) - other.exponent
    }
  }

  /// Full scale as a power of two.
  private var exponent: Double {
    @_noLocks get { Double(fractionBits == 0 ? bits - 1 : fractionBits) }
  }

  /// Whether samples are floating-point numbers.
  public var isFloat: Bool {
    @_noLocks get { if case .float = kind { true } else { false } }
  }

  /// Significant bits of a sample: those of an integer, or of a float's significand.
  public var precision: Int {
    @_noLocks get { isFloat ? (bits == 32 ? 24 : 53) : bits }
  }

  /// Whether samples are integers around half their range.
  public var isUnsigned: Bool {
    @_noLocks get { if case .unsignedInteger = kind { true } else { false } }
  }

  /// Whether a sample is a Float32 in native byte order.
  public var isNativeFloat32: Bool {
    @_noLocks get { isFloat && bits == 32 && !isBigEndian }
  }
}
