// SPDX-License-Identifier: Apache-2.0
import Accelerate
import Testing

/// Numbers in contiguous storage, without functions of their own for its address.
private struct Line: MutableCollection, AccelerateMutableBuffer {
  typealias Element = Float
  var numbers: [Float]

  var startIndex: Int { 0 }
  var endIndex: Int { numbers.count }

  func index(after index: Int) -> Int { index + 1 }

  subscript(index: Int) -> Float {
    get { numbers[index] }
    set { numbers[index] = newValue }
  }

  func withContiguousStorageIfAvailable<R>(
    _ body: (UnsafeBufferPointer<Float>) throws -> R
  ) rethrows -> R? { try numbers.withContiguousStorageIfAvailable(body) }

  mutating func withContiguousMutableStorageIfAvailable<R>(
    _ body: (inout UnsafeMutableBufferPointer<Float>) throws -> R
  ) rethrows -> R? { try numbers.withContiguousMutableStorageIfAvailable(body) }
}

@Suite("Buffers of vectors")
struct BufferTests {
  @Test("are collections with contiguous storage")
  func collections() {
    var line = Line(numbers: [1, 2, 3])
    #expect(vDSP.sum(line) == 6)
    vDSP.fill(&line, with: 4)
    #expect(line.numbers == [4, 4, 4])
  }

  @Test("are slices of buffers, which are written in place")
  func slices() {
    var numbers: [Float] = [1, 2, 3, 4, 5]
    var sum: Float = 0
    numbers.withUnsafeMutableBufferPointer { numbers in
      sum = vDSP.sum(UnsafeBufferPointer(numbers)[1..<4])
      var middle = numbers[2..<4]
      vDSP.fill(&middle, with: 9)
    }
    #expect(sum == 9)
    #expect(numbers == [1, 2, 9, 9, 5])
    #expect(vDSP.sum(numbers[3...]) == 14)
  }

  @Test("of unequal counts end the program with a sentence")
  func counts() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = vDSP.add([1, 2, 3] as [Float], [1, 2, 3, 4] as [Float]) }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("Accelerate: a vector of 4 elements, not of 3"))
  }
}
