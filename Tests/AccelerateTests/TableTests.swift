// SPDX-License-Identifier: Apache-2.0
import Accelerate
import Testing

@Suite("Tables and sliding windows")
struct TableTests {
  @Test("of a window may replace their input, also where a sum is not computed anew")
  func inPlace() {
    var sums: [Float] = [1, 2, 4, 8, 16, 32, 64]
    sums.withUnsafeMutableBufferPointer { sums in
      let address = sums.baseAddress.unsafelyUnwrapped
      vDSP_vswsum(address, 1, address, 1, 5, 3)
    }
    #expect(sums == [7, 14, 28, 56, 112, 32, 64])
    var maxima = sums
    maxima.withUnsafeMutableBufferPointer { maxima in
      let address = maxima.baseAddress.unsafelyUnwrapped
      vDSP_vswmax(address, 1, address, 1, 5, 3)
    }
    #expect(maxima == [28, 56, 112, 112, 112, 32, 64])
  }

  @Test("that are too small have results")
  func small() {
    let table: [Double] = [7, 8], places: [Double] = [0, 1, 2]
    let scale = [1.0], offset = [0.0]
    func results(_ body: (UnsafeMutablePointer<Double>) -> Void) -> [Double] {
      var results: [Double] = [5, 5, 5]
      body(&results)
      return results
    }
    let firsts: [Double] = [7, 7, 7], zeros: [Double] = [0, 0, 0]
    #expect(results { vDSP_vlintD(table, places, 1, $0, 1, 3, 1) } == firsts)
    #expect(results { vDSP_vlintD(table, places, 1, $0, 1, 3, 0) } == zeros)
    #expect(results { vDSP_vqintD(table, places, 1, $0, 1, 3, 2) } == firsts)
    #expect(results { vDSP_vqintD(table, places, 1, $0, 1, 3, 0) } == zeros)
    #expect(results { vDSP_vtabiD(places, 1, scale, offset, table, 0, $0, 1, 3) } == zeros)
    #expect(results { vDSP_vgenpD(table, 1, places, 1, $0, 1, 3, 0) } == zeros)
    let least = [Double](repeating: -.infinity, count: 3)
    #expect(results { vDSP_vswmaxD(table, 1, $0, 1, 3, 0) } == least)
  }

  @Test("are looked up between their elements, and points are connected by lines")
  func lines() {
    #expect(
      vDSP.linearInterpolate(values: [0, 100] as [Double], atIndices: [0, 4]) == [
        0, 25, 50, 75, 100,
      ])
    var ends = [Float](repeating: 0, count: 5)
    vDSP.linearInterpolate(values: [1, 3] as [Float], atIndices: [1, 3] as [Float], result: &ends)
    #expect(ends == [1, 1, 2, 3, 3])
    #expect(vDSP.linearInterpolate(values: [] as [Float], atIndices: [] as [Float]) == [])
    let table: [Float] = [-10, 0, 100]
    #expect(
      vDSP.linearInterpolate(lookupTable: table, withOffsets: [0, 0.5, 1, 1.5, 2]) == [
        -10, -5, 0, 50, 100,
      ])
    #expect(
      vDSP.linearInterpolate(
        lookupTable: table, withOffsets: [-9, 1, 9], scale: 0.5, baseOffset: 1) == [-10, 50, 100])
  }
}
