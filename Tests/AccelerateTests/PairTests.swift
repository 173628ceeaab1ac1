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
