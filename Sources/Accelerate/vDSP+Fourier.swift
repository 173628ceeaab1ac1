// SPDX-License-Identifier: Apache-2.0

/// Split complex numbers that `vDSP.FFT` transforms.
public protocol vDSP_FourierTransformable: vDSP_SplitComplex {
  /// The C functions of the transform. [any thread]
  static var fourierFunctions: FourierFunctions<Self> { get }
}

/// The C functions of transforms of powers of two.
public struct FourierFunctions<Split>: Sendable {
  typealias Transform =
    @Sendable (OpaquePointer, UnsafePointer<Split>, UnsafePointer<Split>, UInt, Int32) -> Void
  let create: @Sendable (UInt, Int32) -> OpaquePointer?
  let destroy: @Sendable (OpaquePointer?) -> Void
  let realTransform: Transform
}

extension DSPSplitComplex: vDSP_FourierTransformable {
  public static var fourierFunctions: FourierFunctions<DSPSplitComplex> {
    .init(create: vDSP_create_fftsetup, destroy: vDSP_destroy_fftsetup) {
      vDSP_fft_zrop($0, $1, 1, $2, 1, $3, $4)
    }
  }
}

extension DSPDoubleSplitComplex: vDSP_FourierTransformable {
  public static var fourierFunctions: FourierFunctions<DSPDoubleSplitComplex> {
    .init(create: vDSP_create_fftsetupD, destroy: vDSP_destroy_fftsetupD) {
      vDSP_fft_zropD($0, $1, 1, $2, 1, $3, $4)
    }
  }
}

extension vDSP {
  /// The radices of `FFT`, which transforms powers of two with each of them.
  public enum Radix: Int32, Sendable {
    /// Powers of two.
    case radix2 = 0
    /// Powers of two, as well.
    case radix3 = 1
    /// Powers of two, as well.
    case radix5 = 2

    /// The radix as an argument of the C functions. [any thread]
    public var fftRadix: FFTRadix { rawValue }
  }

  /// The direction of a transform. Neither is divided by the count.
  public enum FourierTransformDirection: Int32, Sendable {
    /// From time to frequency.
    case forward = 1
    /// From frequency to time.
    case inverse = -1

    /// The direction as an argument of `vDSP_fft_zop` and its like. [any thread]
    public var fftDirection: FFTDirection { rawValue }

    /// The direction as an argument of `vDSP_DFT_zop_CreateSetup` and its like. [any thread]
    public var dftDirection: vDSP_DFT_Direction { self == .forward ? .FORWARD : .INVERSE }
  }

  /// The transform of 2^log2n real numbers, in the packing of `vDSP_fft_zrop`. The forward transform
  /// gives twice the sums, so that both in turn multiply by 2^(log2n + 1).
  ///
  /// One thread at a time gets the memory that the setup has for intermediate results; others that
  /// transform at the same time allocate.
  public final class FFT<T: vDSP_FourierTransformable>: @unchecked Sendable {
    private let setup: OpaquePointer
    private let log2n: UInt

    /// [control thread] Nil for more than 2^24 numbers, or without memory.
    public init?(log2n: vDSP_Length, radix: Radix, ofType: T.Type) {
      guard let setup = T.fourierFunctions.create(log2n, radix.fftRadix) else { return nil }
      self.setup = setup
      self.log2n = log2n
    }

    deinit { T.fourierFunctions.destroy(setup) }

    /// [any thread] Computes the spectrum of real numbers.
    public func forward(input: T, output: inout T) {
      transform(input: input, output: &output, direction: .forward)
    }

    /// [any thread] Computes the real numbers of a spectrum.
    public func inverse(input: T, output: inout T) {
      transform(input: input, output: &output, direction: .inverse)
    }

    /// [any thread] Transforms in a direction.
    public func transform(input: T, output: inout T, direction: FourierTransformDirection) {
      withUnsafePointer(to: input) { input in
        withUnsafePointer(to: output) {
          T.fourierFunctions.realTransform(setup, input, $0, log2n, direction.fftDirection)
        }
      }
    }
  }
}
