// SPDX-License-Identifier: Apache-2.0

/// Complex numbers in two arrays, of float or double.
public protocol vDSP_SplitComplex {
  /// The type of a part of a number.
  associatedtype Number: VectorNumber
  /// The type of complex numbers one after another.
  associatedtype Interleaved

  /// The addresses of the parts.
  var realp: UnsafeMutablePointer<Number> { get }
  /// The imaginary parts.
  var imagp: UnsafeMutablePointer<Number> { get }

  /// The C functions of these numbers. [any thread]
  static var complexFunctions: ComplexFunctions<Self> { get }
}

/// The C functions of split complex vectors.
public struct ComplexFunctions<Split: vDSP_SplitComplex>: Sendable {
  typealias Input = UnsafePointer<Split>
  typealias Reals = UnsafeMutablePointer<Split.Number>
  typealias Unary = @Sendable (Input, Int, Input, Int, UInt) -> Void
  typealias Binary = @Sendable (Input, Int, Input, Int, Input, Int, UInt) -> Void
  typealias ToReal = @Sendable (Input, Int, Reals, Int, UInt) -> Void
  typealias WithReals =
    @Sendable (Input, Int, UnsafePointer<Split.Number>, Int, Input, Int, UInt) -> Void
  let zvadd, zvsub, zvdiv: Binary
  let zvmul: @Sendable (Input, Int, Input, Int, Input, Int, UInt, Int32) -> Void
  let zvconj, zvmov: Unary
  let zvabs, zvmags, zvphas: ToReal
  let zrvmul, zrvdiv: WithReals
  let ctoz: @Sendable (UnsafePointer<Split.Interleaved>, Int, Input, Int, UInt) -> Void
  let ztoc: @Sendable (Input, Int, UnsafeMutablePointer<Split.Interleaved>, Int, UInt) -> Void
}

extension DSPSplitComplex: vDSP_SplitComplex {
  /// Complex numbers one after another.
  public typealias Interleaved = DSPComplex
  public static var complexFunctions: ComplexFunctions<DSPSplitComplex> {
    .init(
      zvadd: vDSP_zvadd, zvsub: vDSP_zvsub, zvdiv: vDSP_zvdiv, zvmul: vDSP_zvmul,
      zvconj: vDSP_zvconj, zvmov: vDSP_zvmov, zvabs: vDSP_zvabs, zvmags: vDSP_zvmags,
      zvphas: vDSP_zvphas, zrvmul: vDSP_zrvmul, zrvdiv: vDSP_zrvdiv, ctoz: vDSP_ctoz,
      ztoc: vDSP_ztoc)
  }

  /// Splits an array of pairs of a real and an imaginary part.
  public init(
    fromInputArray inputArray: [Float], realParts: inout [Float], imaginaryParts: inout [Float]
  ) {
    let count = min(inputArray.count / 2, realParts.count, imaginaryParts.count)
    let split = realParts.withUnsafeMutableBufferPointer { reals in
      imaginaryParts.withUnsafeMutableBufferPointer { imaginaries in
        for index in 0..<count {
          reals[index] = inputArray[2 * index]
          imaginaries[index] = inputArray[2 * index + 1]
        }
        return (reals.baseAddress, imaginaries.baseAddress)
      }
    }
    guard let reals = split.0, let imaginaries = split.1 else {
      fatalError("Accelerate: the arrays of the parts are empty")
    }
    self.init(realp: reals, imagp: imaginaries)
  }
}

extension Array where Element == Float {
  /// Pairs of the real and the imaginary part of complex numbers, times `scale`. There are `count`
  /// numbers in all, two for each complex number.
  public init(fromSplitComplex splitComplex: DSPSplitComplex, scale: Float, count: Int) {
    self.init(vector: count / 2 * 2) { numbers in
      for index in 0..<count / 2 {
        (numbers + 2 * index).initialize(to: splitComplex.realp[index] * scale)
        (numbers + 2 * index + 1).initialize(to: splitComplex.imagp[index] * scale)
      }
    }
  }
}

extension DSPDoubleSplitComplex: vDSP_SplitComplex {
  /// Complex numbers one after another.
  public typealias Interleaved = DSPDoubleComplex
  public static var complexFunctions: ComplexFunctions<DSPDoubleSplitComplex> {
    .init(
      zvadd: vDSP_zvaddD, zvsub: vDSP_zvsubD, zvdiv: vDSP_zvdivD, zvmul: vDSP_zvmulD,
      zvconj: vDSP_zvconjD, zvmov: vDSP_zvmovD, zvabs: vDSP_zvabsD, zvmags: vDSP_zvmagsD,
      zvphas: vDSP_zvphasD, zrvmul: vDSP_zrvmulD, zrvdiv: vDSP_zrvdivD, ctoz: vDSP_ctozD,
      ztoc: vDSP_ztocD)
  }

  /// Splits an array of pairs of a real and an imaginary part.
  public init(
    fromInputArray inputArray: [Double], realParts: inout [Double], imaginaryParts: inout [Double]
  ) {
    let count = min(inputArray.count / 2, realParts.count, imaginaryParts.count)
    let split = realParts.withUnsafeMutableBufferPointer { reals in
      imaginaryParts.withUnsafeMutableBufferPointer { imaginaries in
        for index in 0..<count {
          reals[index] = inputArray[2 * index]
          imaginaries[index] = inputArray[2 * index + 1]
        }
        return (reals.baseAddress, imaginaries.baseAddress)
      }
    }
    guard let reals = split.0, let imaginaries = split.1 else {
      fatalError("Accelerate: the arrays of the parts are empty")
    }
    self.init(realp: reals, imagp: imaginaries)
  }
}

extension Array where Element == Double {
  /// Pairs of the real and the imaginary part of complex numbers, times `scale`. There are `count`
  /// numbers in all, two for each complex number.
  public init(fromSplitComplex splitComplex: DSPDoubleSplitComplex, scale: Double, count: Int) {
    self.init(vector: count / 2 * 2) { numbers in
      for index in 0..<count / 2 {
        (numbers + 2 * index).initialize(to: splitComplex.realp[index] * scale)
        (numbers + 2 * index + 1).initialize(to: splitComplex.imagp[index] * scale)
      }
    }
  }
}
