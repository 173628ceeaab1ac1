// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SignalProcessing

@Suite("Memory of one owner")
struct OwnedMemoryTests {
  @Test("has arrays of the values that they were taken with, each in lines of the cache of its own")
  func arrays() {
    let memory = OwnedMemory()
    defer { memory.deallocate() }
    let samples = memory.array(1_000, of: Float(0.5))
    let counts = memory.array(3, of: 7)
    let none = memory.array(0, of: SIMD4<Float>.zero)
    for index in 0..<1_000 { samples[index] += Float(index) }
    #expect(samples[0] == 0.5 && samples[999] == 999.5)
    #expect((0..<3).allSatisfy { counts[$0] == 7 })
    for address in [UInt(bitPattern: samples), UInt(bitPattern: counts), UInt(bitPattern: none)] {
      #expect(address % 64 == 0)
    }
  }

  @Test("ends whether or not arrays were taken from it", arguments: [0, 1, 100])
  func end(count: Int) {
    let memory = OwnedMemory()
    for size in 0..<count { _ = memory.array(size, of: size) }
    memory.deallocate()
  }
}
