// SPDX-License-Identifier: Apache-2.0
import Accelerate
import Testing

@Suite("Pairs of vectors")
struct PairTests {
  @Test("add the products of a ramp to two channels")
  func ramps() {
    var (start, left, right): (Float, [Float], [Float]) = (1, [10, 10, 10], [20, 20, 20])
    vDSP_vrampmuladd2([1, 1, 1], [2, 2, 2], 1, &start, [1], &left, &right, 1, 3)
    #expect(left == [11, 12, 13])
    #expect(right == [22, 24, 26])
    #expect(start == 4)
  }

  @Test("are multiplied by one ramp")
  func stereo() {
    var start = 1.0
    let (left, right) = vDSP.stereoRamp(
      withInitialValue: &start, multiplyingBy: [1, 1, 1] as [Double], [2, 2, 2], increment: 0.5)
    #expect(left == [1, 1.5, 2])
    #expect(right == [2, 3, 4])
    #expect(start == 2.5)
  }

  @Test("merge, add and subtract")
  func sums() {
    let a: [Float] = [1, 2, 3], b: [Float] = [5, 7, 9]
    #expect(vDSP.taperedMerge(a, b) == [1, 4.5, 9])
    var (sums, differences) = (a, a)
    vDSP.addSubtract(a, b, addResult: &sums, subtractResult: &differences)
    #expect(sums == [6, 9, 12])
    #expect(differences == [-4, -5, -6])
  }

  @Test("are filtered with two poles and two zeros from the third element on")
  func section() {
    let source: [Double] = [1, 2, 3, 4]
    // y[2] = 3 + 2 · 2 + 3 · 1; y[3] = 4 + 2 · 3 + 3 · 2 - y[2] / 2.
    #expect(
      vDSP.twoPoleTwoZeroFilter(source, coefficients: (1, 2, 3, 0.5, 0.25)) == [0, 0, 10, 11])
    var result: [Double] = [4, 8, 0, 0]
    vDSP.twoPoleTwoZeroFilter(source, coefficients: (0, 0, 0, 0.5, 0.25), result: &result)
    #expect(result == [4, 8, -5, 0.5])
    #expect(vDSP.twoPoleTwoZeroFilter([1.0, 2.0], coefficients: (1, 1, 1, 1, 1)) == [0, 0])
  }

  @Test("leave out elements whose gate is zero")
  func gates() {
    let numbers: [Float] = [1, 2, 3, 4], gate: [Float] = [0, 1, 0, -1]
    #expect(vDSP.compress(numbers, gatingVector: gate, nonZeroGatingCount: nil) == [2, 4])
    var result: [Float] = [9, 9, 9]
    vDSP.compress(numbers, gatingVector: gate, result: &result)
    #expect(result == [2, 4, 9])
  }

  @Test("of coordinates become magnitude and angle, and coordinates again")
  func polar() {
    let points: [Float] = [3, 4, 0, -2]
    let polar = vDSP.rectangularToPolar(points)
    for (a, b) in zip(polar, [5, 0.9272952, 2, -.pi / 2] as [Float]) { #expect(isNear(a, b)) }
    let again = vDSP.polarToRectangular(polar)
    #expect(again.count == 4)
    for (a, b) in zip(points, again) { #expect(isNear(a, b)) }
    var precise = [0.0, 0]
    vDSP.convert(polarCoordinates: [2, .pi], toRectangularCoordinates: &precise)
    #expect(isNear(precise[0], -2, 1e-15) && isNear(precise[1], 0, 1e-15))
    vDSP.convert(rectangularCoordinates: [0.0, 3], toPolarCoordinates: &precise)
    #expect(precise == [3, .pi / 2])
  }

  @Test("gather numbers by their addresses")
  func addresses() {
    let numbers: [Double] = [1, 2, 3]
    var result = numbers
    numbers.withUnsafeBufferPointer { numbers in
      let first = numbers.baseAddress.unsafelyUnwrapped
      vDSP_vgathraD([first + 2, first + 1, first, first + 1], 2, &result, 1, 2)
    }
    #expect(result == [3, 1, 3])
  }

  @Test("multiply a complex and a real matrix")
  func matrices() {
    var (re, im): ([Float], [Float]) = ([1, 2, 3, 4], [0, 1, 0, -1])
    var (resultRe, resultIm) = (re, im)
    re.withUnsafeMutableBufferPointer { re in
      im.withUnsafeMutableBufferPointer { im in
        resultRe.withUnsafeMutableBufferPointer { resultRe in
          resultIm.withUnsafeMutableBufferPointer { resultIm in
            var a = DSPSplitComplex(
              realp: re.baseAddress.unsafelyUnwrapped, imagp: im.baseAddress.unsafelyUnwrapped)
            var c = DSPSplitComplex(
              realp: resultRe.baseAddress.unsafelyUnwrapped,
              imagp: resultIm.baseAddress.unsafelyUnwrapped)
            vDSP_zrmmul(&a, 1, [1, 0, 2, 1], 1, &c, 1, 2, 2, 2)
          }
        }
      }
    }
    #expect(resultRe == [5, 2, 11, 4])
    #expect(resultIm == [2, 1, -2, -1])
  }
}
