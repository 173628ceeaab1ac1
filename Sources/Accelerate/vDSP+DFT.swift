// SPDX-License-Identifier: Apache-2.0

/// Numbers that `vDSP.DFT` transforms: Float and Double.
public protocol vDSP_DiscreteFourierTransformable: VectorNumber {
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

extension Float: vDSP_DiscreteFourierTransformable {
  public static var discreteFunctions: DiscreteFunctions<Float> {
    .init(
      createComplex: vDSP_DFT_zop_CreateSetup, createReal: vDSP_DFT_zrop_CreateSetup,
      execute: vDSP_DFT_Execute, destroy: vDSP_DFT_DestroySetup)
  }
}

extension Double: vDSP_DiscreteFourierTransformable {
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

  /// Why a transform was not made.
  public enum DFTError: Error, Sendable {
    /// The count is not 1, 3, 5 or 15 times a power of two that is large enough.
    case createSetupFailed
  }

  /// The transform of `count` numbers: 1, 3, 5 or 15 times a power of two that is at least 8, or 16
  /// for real numbers. Not scaled; the forward transform of real numbers gives twice the sums.
  public class DFT<T: vDSP_DiscreteFourierTransformable>: @unchecked Sendable {
    private let setup: OpaquePointer
    private let vectorCount: Int

    /// [control thread] Nil for other counts. `previous` may be a transform of another count or nil;
    /// transforms share nothing.
    public convenience init?(
      previous: DFT<T>? = nil, count: Int, direction: FourierTransformDirection,
      transformType: DFTTransformType, ofType: T.Type
    ) {
      try? self.init(count, direction, transformType)
    }

    init(
      _ count: Int, _ direction: FourierTransformDirection, _ transformType: DFTTransformType
    ) throws(DFTError) {
      let isReal = transformType == .complexReal
      let functions = T.discreteFunctions
      let create = isReal ? functions.createReal : functions.createComplex
      guard count > 0, let setup = create(nil, UInt(count), direction.dftDirection) else {
        throw .createSetupFailed
      }
      self.setup = setup
      vectorCount = isReal ? count / 2 : count
    }

    deinit { T.discreteFunctions.destroy(setup) }

    /// [any thread] Transforms numbers; the vectors of real transforms have `count / 2` elements.
    public func transform<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
      inputReal: U, inputImaginary: U, outputReal: inout V, outputImaginary: inout V
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

    /// [control thread] Transforms numbers; the vectors of real transforms have `count / 2` elements.
    public func transform<U: AccelerateBuffer>(
      inputReal: U, inputImaginary: U
    ) -> (real: [T], imaginary: [T]) where U.Element == T {
      var real = [T](repeating: 0, count: vectorCount)
      var imaginary = real
      transform(
        inputReal: inputReal, inputImaginary: inputImaginary, outputReal: &real,
        outputImaginary: &imaginary)
      return (real, imaginary)
    }
  }

  /// `DFT` with an initializer that throws.
  public final class DiscreteFourierTransform<
    T: vDSP_DiscreteFourierTransformable
  >: DFT<T>, @unchecked Sendable {
    /// [control thread] Throws `DFTError` for counts that have no transform.
    public init(
      previous: DiscreteFourierTransform<T>? = nil, count: Int,
      direction: FourierTransformDirection, transformType: DFTTransformType, ofType: T.Type
    ) throws(DFTError) {
      try super.init(count, direction, transformType)
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
  }

  /// A cosine transform of `count` real numbers: 1, 3, 5 or 15 times a power of two that is at least
  /// 16. Not scaled; see `vDSP_DCT_Execute`.
  public final class DCT: @unchecked Sendable {
    private let setup: OpaquePointer
    private let count: Int

    /// [control thread] Nil for other counts. `previous` may be a transform of another count or nil;
    /// transforms share nothing.
    public init?(previous: DCT? = nil, count: Int, transformType: DCTTransformType) {
      let types: [DCTTransformType: vDSP_DCT_Type] = [.II: .II, .III: .III, .IV: .IV]
      guard count > 0, let type = types[transformType],
        let setup = vDSP_DCT_CreateSetup(nil, UInt(count), type)
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
