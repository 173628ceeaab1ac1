// SPDX-License-Identifier: Apache-2.0

/// The memory of one owner: arrays of plain values, which end together.
///
/// Kernels and their parts see memory by plain pointers, so that a render counts no references. Whoever
/// has an `OwnedMemory` takes its arrays from it and calls `deallocate` once, so that none is forgotten.
public struct OwnedMemory: BitwiseCopyable, @unchecked Sendable {
  /// Arrays begin at lines of the cache.
  private static var alignment: Int { 64 }

  /// Before each array, in a line of its own: the array that was taken before it.
  private let last: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  /// [control thread] Memory without an array yet.
  public init() {
    last = .allocate(capacity: 1)
    last.initialize(to: nil)
  }

  /// [control thread] A new array of `count` values, each of them `value`; there may be none.
  public func array<Value: BitwiseCopyable>(_ count: Int, of value: Value)
    -> UnsafeMutablePointer<Value>
  {
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: Self.alignment + max(count, 1) * MemoryLayout<Value>.stride,
      alignment: Self.alignment)
    block.storeBytes(of: last.pointee, as: UnsafeMutableRawPointer?.self)
    last.pointee = block
    let array = (block + Self.alignment).bindMemory(to: Value.self, capacity: max(count, 1))
    array.initialize(repeating: value, count: count)
    return array
  }

  /// [control thread] Frees all of it; nothing may use the arrays any more.
  public func deallocate() {
    while let block = last.pointee {
      last.pointee = block.load(as: UnsafeMutableRawPointer?.self)
      block.deallocate()
    }
    last.deallocate()
  }
}
