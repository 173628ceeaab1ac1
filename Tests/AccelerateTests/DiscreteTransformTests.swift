// SPDX-License-Identifier: Apache-2.0
import Accelerate
import Testing

@Suite("Discrete Fourier transforms")
struct DiscreteTransformTests {
  @Test(
    "of complex numbers are the same in one vector and in two", arguments: [8, 16, 24, 80, 240])
  func interleaved(count: Int) throws {
    let re: [Double] = Random(count).copy(count), im: [Double] = Random(count + 1).copy(count)
    let numbers = zip(re, im).map { DSPDoubleComplex(real: $0, imag: $1) }
    for direction in [vDSP.FourierTransformDirection.forward, .inverse] {
      let two = try vDSP.DiscreteFourierTransform(
        count: count, direction: direction, transformType: .complexComplex, ofType: Double.self)
      let one = try vDSP.DiscreteFourierTransform(
        previous: nil, count: count, direction: direction, transformType: .complexComplex,
        ofType: DSPDoubleComplex.self)
      let expected = two.transform(real: re, imaginary: im)
      let result = one.transform(input: numbers)
      #expect(result.map(\.real) == expected.real && result.map(\.imag) == expected.imaginary)
      // In place, and as the class that it replaces.
      var inPlace = numbers
      one.transform(input: inPlace, output: &inPlace)
      #expect(inPlace.map(\.real) == expected.real)
      let old = try #require(
        vDSP.DFT(
          count: count, direction: direction, transformType: .complexComplex, ofType: Double.self))
      var (real, imaginary) = (re, im)
      old.transform(
        inputReal: re, inputImaginary: im, outputReal: &real, outputImaginary: &imaginary)
      #expect(real == expected.real && imaginary == expected.imaginary)
      two.transform(
        inputReal: re, inputImaginary: im, outputReal: &imaginary, outputImaginary: &real)
      #expect(imaginary == expected.real && real == expected.imaginary)
    }
  }

  @Test("of real numbers give the packed spectrum, and back the numbers times twice their count")
  func real() throws {
    let count = 48
    let numbers: [Float] = Random(3).copy(count)
    let pairs = stride(from: 0, to: count, by: 2).map {
      DSPComplex(real: numbers[$0], imag: numbers[$0 + 1])
    }
    let forward = try vDSP.DiscreteFourierTransform(
      count: count, direction: .forward, transformType: .complexReal, ofType: DSPComplex.self)
    let inverse = try vDSP.DiscreteFourierTransform(
      count: count, direction: .inverse, transformType: .complexReal, ofType: DSPComplex.self)
    let split = try vDSP.DiscreteFourierTransform(
      count: count, direction: .forward, transformType: .complexReal, ofType: Float.self)
    let spectrum = forward.transform(input: pairs)
    let expected = split.transform(real: pairs.map(\.real), imaginary: pairs.map(\.imag))
    #expect(spectrum.map(\.real) == expected.real && spectrum.map(\.imag) == expected.imaginary)
    #expect(isNear(spectrum[0].real, 2 * vDSP.sum(numbers), 1e-5))
    for (a, b) in zip(inverse.transform(input: spectrum), pairs) {
      #expect(isNear(a.real, b.real * Float(2 * count), 1e-4))
      #expect(isNear(a.imag, b.imag * Float(2 * count), 1e-4))
    }
  }

  @Test("of complex numbers in one vector have more lengths, with an impulse as their proof")
  func lengths() throws {
    for count in [8, 12, 20, 36, 60, 72, 100, 1_024] {
      let transform = try vDSP.DiscreteFourierTransform(
        count: count, direction: .forward, transformType: .complexComplex, ofType: DSPComplex.self)
      var impulse = [DSPComplex](repeating: DSPComplex(real: 0, imag: 0), count: count)
      impulse[0] = DSPComplex(real: 1, imag: -2)
      #expect(transform.transform(input: impulse).allSatisfy { $0.real == 1 && $0.imag == -2 })
    }
    for count in [0, -8, 4, 6, 18, 28, 108, 300] {
      #expect(throws: vDSP.DFTError.createSetupFailed) {
        try vDSP.DiscreteFourierTransform(
          count: count, direction: .forward, transformType: .complexComplex,
          ofType: DSPDoubleComplex.self)
      }
    }
    let kind = vDSP_DFT_RealtoComplex.interleaved_RealtoComplex
    #expect(vDSP_DFT_Interleaved_CreateSetup(nil, .max, .FORWARD, kind) == nil)
    vDSP_DFT_Interleaved_DestroySetup(nil)
  }

  @Test("are divided by a real vector")
  func quotient() {
    var (re, im): ([Float], [Float]) = ([2, 9], [4, -3])
    re.withUnsafeMutableBufferPointer { re in
      im.withUnsafeMutableBufferPointer { im in
        var split = DSPSplitComplex(
          realp: re.baseAddress.unsafelyUnwrapped, imagp: im.baseAddress.unsafelyUnwrapped)
        vDSP.divide(split, by: [2, 3] as [Float], result: &split)
      }
    }
    #expect(re == [1, 3] && im == [2, -1])
  }
}
