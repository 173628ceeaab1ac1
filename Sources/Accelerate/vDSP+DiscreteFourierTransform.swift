// SPDX-License-Identifier: Apache-2.0

/// What `vDSP.DiscreteFourierTransform` transforms: Float and Double, with real and imaginary parts in
/// two vectors, and DSPComplex and DSPDoubleComplex. [any thread]
public protocol vDSP_DiscreteFourierTransformable {
  /// The setup of a transform of this type.
  associatedtype TransformSetup

  /// A setup, or nil for counts that have none. [control thread]
  static func makeTransform(
    _ count: Int, _ direction: vDSP.FourierTransformDirection,
    _ transformType: vDSP.DFTTransformType
  ) -> TransformSetup?
}

/// The setup of a transform of numbers in two vectors.
public struct SplitTransformSetup<
  Number: vDSP_FloatingPointDiscreteFourierTransformable
>: @unchecked Sendable {
  let transform: SplitTransform<Number>
}

/// The setup of a transform of complex numbers in one vector.
public final class InterleavedTransformSetup<Complex>: @unchecked Sendable {
  let setup: OpaquePointer
  let count: Int
  private let destroy: (OpaquePointer) -> Void
  let execute: (OpaquePointer, UnsafePointer<Complex>, UnsafeMutablePointer<Complex>) -> Void

  init?(
    _ count: Int, _ direction: vDSP.FourierTransformDirection,
    _ transformType: vDSP.DFTTransformType,
    create: (OpaquePointer?, UInt, vDSP_DFT_Direction, vDSP_DFT_RealtoComplex) -> OpaquePointer?,
    execute:
      @escaping (OpaquePointer, UnsafePointer<Complex>, UnsafeMutablePointer<Complex>) ->
      Void, destroy: @escaping (OpaquePointer) -> Void
  ) {
    let isReal = transformType == .complexReal
    guard count > 0, !isReal || count.isMultiple(of: 2) else { return nil }
    self.count = isReal ? count / 2 : count
    let kind: vDSP_DFT_RealtoComplex =
      isReal ? .interleaved_RealtoComplex : .interleaved_ComplextoComplex
    guard let setup = create(nil, UInt(self.count), direction.dftDirection, kind) else {
      return nil
    }
    self.setup = setup
    self.execute = execute
    self.destroy = destroy
  }

  deinit { destroy(setup) }
}

extension Float: vDSP_DiscreteFourierTransformable {
  public static func makeTransform(
    _ count: Int, _ direction: vDSP.FourierTransformDirection,
    _ transformType: vDSP.DFTTransformType
  ) -> SplitTransformSetup<Float>? {
    SplitTransform(count, direction, transformType).map { SplitTransformSetup(transform: $0) }
  }
}

extension Double: vDSP_DiscreteFourierTransformable {
  public static func makeTransform(
    _ count: Int, _ direction: vDSP.FourierTransformDirection,
    _ transformType: vDSP.DFTTransformType
  ) -> SplitTransformSetup<Double>? {
    SplitTransform(count, direction, transformType).map { SplitTransformSetup(transform: $0) }
  }
}

extension DSPComplex: vDSP_DiscreteFourierTransformable {
  public static func makeTransform(
    _ count: Int, _ direction: vDSP.FourierTransformDirection,
    _ transformType: vDSP.DFTTransformType
  ) -> InterleavedTransformSetup<DSPComplex>? {
    InterleavedTransformSetup(
      count, direction, transformType, create: vDSP_DFT_Interleaved_CreateSetup,
      execute: vDSP_DFT_Interleaved_Execute, destroy: vDSP_DFT_Interleaved_DestroySetup)
  }
}

extension DSPDoubleComplex: vDSP_DiscreteFourierTransformable {
  public static func makeTransform(
    _ count: Int, _ direction: vDSP.FourierTransformDirection,
    _ transformType: vDSP.DFTTransformType
  ) -> InterleavedTransformSetup<DSPDoubleComplex>? {
    InterleavedTransformSetup(
      count, direction, transformType, create: vDSP_DFT_Interleaved_CreateSetupD,
      execute: vDSP_DFT_Interleaved_ExecuteD, destroy: vDSP_DFT_Interleaved_DestroySetupD)
  }
}

extension vDSP {
  /// Why a transform was not made.
  public enum DFTError: Error, Sendable {
    /// The count has no transform: see `vDSP_DFT_zop_CreateSetup` for numbers in two vectors, and
    /// `vDSP_DFT_Interleaved_CreateSetup` for complex numbers in one.
    case createSetupFailed
  }

  /// The transform of `count` numbers, whose real and imaginary parts are in two vectors or, for
  /// DSPComplex and DSPDoubleComplex, in one. Not scaled; the forward transform of real numbers gives
  /// twice the sums.
  public final class DiscreteFourierTransform<
    T: vDSP_DiscreteFourierTransformable
  >: @unchecked Sendable {
    private let setup: T.TransformSetup

    /// [control thread] Throws `DFTError` for counts that have no transform. `previous` may be a
    /// transform of another count or nil; transforms share nothing.
    public init(
      previous: DiscreteFourierTransform<T>? = nil, count: Int,
      direction: FourierTransformDirection, transformType: DFTTransformType, ofType: T.Type
    ) throws(DFTError) {
      guard let setup = T.makeTransform(count, direction, transformType) else {
        throw .createSetupFailed
      }
      self.setup = setup
    }

    /// [any thread] Transforms numbers; the vectors of real transforms have `count / 2` elements.
    public func transform<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
      inputReal: U, inputImaginary: U, outputReal: inout V, outputImaginary: inout V
    ) where T.TransformSetup == SplitTransformSetup<T>, U.Element == T, V.Element == T {
      setup.transform.transform(inputReal, inputImaginary, &outputReal, &outputImaginary)
    }

    /// [control thread] Transforms numbers; the vectors of real transforms have `count / 2` elements.
    public func transform<U: AccelerateBuffer>(
      real: U, imaginary: U
    ) -> (real: [T], imaginary: [T])
    where T.TransformSetup == SplitTransformSetup<T>, U.Element == T {
      setup.transform.transform(real, imaginary)
    }

    /// [any thread] Transforms complex numbers. Of a real transform, each is two successive numbers, or
    /// one of the spectrum in the packing of `vDSP_fft_zrop`.
    public func transform<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
      input: U, output: inout V
    ) where T.TransformSetup == InterleavedTransformSetup<T>, U.Element == T, V.Element == T {
      input.expect(setup.count)
      output.expect(setup.count)
      input.read { input in output.write { setup.execute(setup.setup, input, $0) } }
    }

    /// [control thread] Transforms complex numbers, as the form with `output`.
    public func transform<U: AccelerateBuffer>(
      input: U
    ) -> [T] where T.TransformSetup == InterleavedTransformSetup<T>, U.Element == T {
      input.expect(setup.count)
      return [T](vector: setup.count) { output in
        input.read { setup.execute(setup.setup, $0, output) }
      }
    }
  }
}
