// SPDX-License-Identifier: Apache-2.0

/// Numbers that `vDSP.DFT` transforms: Float and Double.
public protocol vDSP_FloatingPointDiscreteFourierTransformable: VectorNumber {
  /// The C functions of the transform. [any thread]
  static var discreteFunctions: DiscreteFunctions<Self> { get }
}

/// The C functions of transforms of lengths with the factors three and five.
public struct DiscreteFunctions<Number>: Sendable {
  typealias Input = UnsafePointer<Number>
  typealias Output = UnsafeMutablePointer<Number>
  typealias Create = @Sendable (OpaquePointer?, UInt, vDSP_DFT_Direction) -> OpaquePointer?
  let createComplex, createReal: Create
  let execute: @Sendable (OpaquePointer, Input, Input, Output, Output) -> Void
  let destroy: @Sendable (OpaquePointer?) -> Void
}

extension Float: vDSP_FloatingPointDiscreteFourierTransformable {
  public static var discreteFunctions: DiscreteFunctions<Float> {
    .init(
      createComplex: vDSP_DFT_zop_CreateSetup, createReal: vDSP_DFT_zrop_CreateSetup,
      execute: vDSP_DFT_Execute, destroy: vDSP_DFT_DestroySetup)
  }
}

extension Double: vDSP_FloatingPointDiscreteFourierTransformable {
  public static var discreteFunctions: DiscreteFunctions<Double> {
    .init(
      createComplex: vDSP_DFT_zop_CreateSetupD, createReal: vDSP_DFT_zrop_CreateSetupD,
      execute: vDSP_DFT_ExecuteD, destroy: vDSP_DFT_DestroySetupD)
  }
}

extension vDSP {
  /// What `DFT` transforms.
  public enum DFTTransformType: Sendable {
    /// Complex numbers.
    case complexComplex
    /// Real numbers, in the packing of `vDSP_fft_zrop`.
    case complexReal
  }

  /// The transform of `count` numbers: 1, 3, 5 or 15 times a power of two that is at least 8, or 16
  /// for real numbers. Not scaled; the forward transform of real numbers gives twice the sums.
  public final class DFT<T: vDSP_FloatingPointDiscreteFourierTransformable>: @unchecked Sendable {
    private let setup: SplitTransform<T>

    /// [control thread] Nil for other counts. `previous` may be a transform of another count or nil;
    /// transforms share nothing.
    public init?(
      previous: DFT<T>? = nil, count: Int, direction: FourierTransformDirection,
      transformType: DFTTransformType, ofType: T.Type
    ) {
      guard let setup = SplitTransform<T>(count, direction, transformType) else { return nil }
      self.setup = setup
    }

    /// [any thread] Transforms numbers; the vectors of real transforms have `count / 2` elements.
    public func transform<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
      inputReal: U, inputImaginary: U, outputReal: inout V, outputImaginary: inout V
    ) where U.Element == T, V.Element == T {
      setup.transform(inputReal, inputImaginary, &outputReal, &outputImaginary)
    }

    /// [control thread] Transforms numbers; the vectors of real transforms have `count / 2` elements.
    public func transform<U: AccelerateBuffer>(
      inputReal: U, inputImaginary: U
    ) -> (real: [T], imaginary: [T]) where U.Element == T {
      setup.transform(inputReal, inputImaginary)
    }
  }

  /// The type of a cosine transform.
  public enum DCTTransformType: UInt32, CaseIterable, Sendable {
    /// The usual one, whose inverse is the third.
    case II = 2
    /// The inverse of the second.
    case III = 3
    /// Its own inverse, but for a factor.
    case IV = 4

    /// The type as an argument of `vDSP_DCT_CreateSetup`. [any thread]
    public var dctType: vDSP_DCT_Type {
      switch self {
      case .II: .II
      case .III: .III
      case .IV: .IV
      }
    }
  }

  /// A cosine transform of `count` real numbers: 1, 3, 5 or 15 times a power of two that is at least
  /// 16. Not scaled; see `vDSP_DCT_Execute`.
  public final class DCT: @unchecked Sendable {
    private let setup: OpaquePointer
    private let count: Int

    /// [control thread] Nil for other counts. `previous` may be a transform of another count or nil;
    /// transforms share nothing.
    public init?(previous: DCT? = nil, count: Int, transformType: DCTTransformType) {
      guard count > 0, let setup = vDSP_DCT_CreateSetup(nil, UInt(count), transformType.dctType)
      else { return nil }
      self.setup = setup
      self.count = count
    }

    deinit { vDSP_DFT_DestroySetup(setup) }

    /// [any thread] Transforms `count` numbers.
    public func transform<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
      _ vector: U, result: inout V
    ) where U.Element == Float, V.Element == Float {
      vector.expect(count)
      result.expect(count)
      vector.read { vector in result.write { vDSP_DCT_Execute(setup, vector, $0) } }
    }

    /// [control thread] Transforms `count` numbers.
    public func transform<U: AccelerateBuffer>(_ vector: U) -> [Float] where U.Element == Float {
      filled(count) { transform(vector, result: &$0) }
    }
  }
}

/// The setup of a transform of numbers in two arrays.
final class SplitTransform<T: vDSP_FloatingPointDiscreteFourierTransformable> {
  private let setup: OpaquePointer
  private let vectorCount: Int

  init?(
    _ count: Int, _ direction: vDSP.FourierTransformDirection,
    _ transformType: vDSP.DFTTransformType
  ) {
    let isReal = transformType == .complexReal
    let functions = T.discreteFunctions
    let create = isReal ? functions.createReal : functions.createComplex
    guard count > 0, let setup = create(nil, UInt(count), direction.dftDirection) else {
      return nil
    }
    self.setup = setup
    vectorCount = isReal ? count / 2 : count
  }

  deinit { T.discreteFunctions.destroy(setup) }

  func transform<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ inputReal: U, _ inputImaginary: U, _ outputReal: inout V, _ outputImaginary: inout V
  ) where U.Element == T, V.Element == T {
    inputReal.expect(vectorCount)
    inputImaginary.expect(vectorCount)
    outputReal.expect(vectorCount)
    outputImaginary.expect(vectorCount)
    inputReal.read { inputReal in
      inputImaginary.read { inputImaginary in
        outputReal.write { outputReal in
          outputImaginary.write {
            T.discreteFunctions.execute(setup, inputReal, inputImaginary, outputReal, $0)
          }
        }
      }
    }
  }

  func transform<U: AccelerateBuffer>(
    _ inputReal: U, _ inputImaginary: U
  ) -> (real: [T], imaginary: [T]) where U.Element == T {
    var real = [T](repeating: 0, count: vectorCount)
    var imaginary = real
    transform(inputReal, inputImaginary, &real, &imaginary)
    return (real, imaginary)
  }
}
