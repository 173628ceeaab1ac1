// SPDX-License-Identifier: Apache-2.0

/// How one sample lies in memory.
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
  /// Bytes from one sample to the next in packed memory: 1, 2, 3, 4 or 8.
  public var containerBytes: Int
  /// Bits below the binary point; zero means that the whole range is -1 to 1.
  ///
  /// 8.24 fixed point has 24 of 32: its range is -128 to 128.
  public var fractionBits: Int
  /// True when the most significant byte comes first.
  public var isBigEndian: Bool
  /// True when the sample fills the upper bits of a larger container, and not the lower ones.
  public var isAlignedHigh: Bool

  /// Describes a format; the container is as large as the bits need unless given. [any thread]
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

  /// True when samples of this format can be converted.
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

  // Comparing cases with == is generic code to the compiler, and not allowed while rendering.

  /// True for floating point.
  public var isFloat: Bool {
    @_noLocks get { if case .float = kind { true } else { false } }
  }

  /// Bits of a sample that a Float has to hold: those of an integer, or of a float's significand.
  public var precision: Int {
    @_noLocks get { isFloat ? (bits == 32 ? 24 : 53) : bits }
  }

  /// True for integers around half their range.
  public var isUnsigned: Bool {
    @_noLocks get { if case .unsignedInteger = kind { true } else { false } }
  }

  /// True when a sample is a Float32 as this processor has it.
  public var isNativeFloat32: Bool {
    @_noLocks get { isFloat && bits == 32 && !isBigEndian }
  }
}
