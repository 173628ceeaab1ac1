// SPDX-License-Identifier: Apache-2.0

/// Numbers of buses, in order.
public struct BusNumbers: BitwiseCopyable {
  @usableFromInline let numbers: UnsafePointer<Int>
  public let count: Int

  @_noLocks
  init(numbers: UnsafePointer<Int>, count: Int) {
    self.numbers = numbers
    self.count = count
  }

  @_noLocks @inlinable @inline(__always)
  public subscript(index: Int) -> Int { numbers[index] }
}
