// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SignalProcessing

@Suite("Memory of one owner")
struct OwnedMemoryTests {
  @Test("has arrays with their initial values, each in its own cache lines")
  func arrays() {
    let memory = OwnedMemory()
    defer { memory.deallocate() }
    let samples = memory.array(1_000, of: Float(0.5))
    let counts = memory.array(3, of: 7)
    let none = memory.array(0, of: SIMD4<Float>.zero)
    let copies = memory.array([1.5, 2.5, 3.5])
    let bytes = memory.bytes(7)
    for index in 0..<1_000 { samples[index] += Float(index) }
    bytes.initializeMemory(as: UInt8.self, repeating: 9)
    #expect(samples[0] == 0.5 && samples[999] == 999.5)
    #expect((0..<3).allSatisfy { counts[$0] == 7 })
    #expect((0..<3).map { copies[$0] } == [1.5, 2.5, 3.5])
    #expect(bytes.count == 7 && bytes.allSatisfy { $0 == 9 })
    #expect(memory.bytes(0).isEmpty)
    for address in [
      UInt(bitPattern: samples), UInt(bitPattern: counts), UInt(bitPattern: none),
      UInt(bitPattern: copies), UInt(bitPattern: bytes.baseAddress),
    ] {
      #expect(address % 64 == 0)
    }
  }

  @Test("can be freed with and without arrays", arguments: [0, 1, 100])
  func end(count: Int) {
    let memory = OwnedMemory()
    for size in 0..<count { _ = memory.array(size, of: size) }
    memory.deallocate()
  }

  private final class List {
    var ended: [Int] = []
  }

  /// Records its number when it is deinitialized.
  private struct Ending: ~Copyable {
    let number: Int
    let list: List

    deinit { list.ended.append(number) }
  }

  @Test("deinitializes each value once, in reverse order of allocation")
  func values() {
    let list = List()
    let memory = OwnedMemory()
    let first = memory.cell(Ending(number: 1, list: list))
    let others = memory.cells(2) { Ending(number: 2 + $0, list: list) }
    _ = memory.array(3, of: 0)
    _ = memory.cell(Ending(number: 4, list: list))
    #expect(first.pointee.number == 1)
    #expect(others[1].number == 3)
    #expect(list.ended.isEmpty)
    memory.deallocate()
    #expect(list.ended == [4, 2, 3, 1])
  }

  private struct Header {
    let owner: OwnedMemory
    let values: UnsafeMutablePointer<Int>
    let list: List
  }

  @Test("can be freed through a value that is stored in it")
  func holdsItself() {
    weak var watched: List?
    do {
      let owner = OwnedMemory()
      let list = List()
      watched = list
      let header = owner.cell(Header(owner: owner, values: owner.array([7, 8]), list: list))
      #expect(header.pointee.values[1] == 8)
      header.pointee.owner.deallocate()
    }
    #expect(watched == nil)
  }

  @Test("is not needed for a single value, which is deinitialized with its cell")
  func singleValue() {
    let list = List()
    let cell = UnsafeMutablePointer.cell(Ending(number: 9, list: list))
    #expect(cell.pointee.number == 9)
    #expect(list.ended.isEmpty)
    cell.endCell()
    #expect(list.ended == [9])
  }
}
