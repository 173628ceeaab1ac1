// SPDX-License-Identifier: Apache-2.0

/// Memory for the renders of a unit: contiguous pieces in the order of allocation, so that a render
/// touches few cache lines and pages.
struct RenderArena: @unchecked Sendable {
  /// The size of a cache line.
  static var line: Int { 64 }

  private var blocks: [UnsafeMutableRawPointer] = []
  private var next: UnsafeMutableRawPointer?
  private var left = 0

  /// [control thread] Room for `count` values, aligned to a cache line. The caller initialises the
  /// values, whose type must be trivial.
  mutating func allocate<Value: BitwiseCopyable>(_ count: Int, of type: Value.Type)
    -> UnsafeMutablePointer<Value>
  {
    allocate(max(count, 1) * MemoryLayout<Value>.stride).bindMemory(
      to: type, capacity: max(count, 1))
  }

  /// [control thread] Room for `size` bytes, aligned to a cache line.
  mutating func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    let size = (size + Self.line - 1) / Self.line * Self.line
    if let piece = next, size <= left {
      next = piece + size
      left -= size
      return piece
    }
    let capacity = max(size, 2048)
    let block = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: Self.line)
    blocks.append(block)
    // If this piece fills a whole block, later pieces can still use the rest of the previous block.
    if capacity > size {
      next = block + size
      left = capacity - size
    }
    return block
  }

  /// [control thread] Frees all memory; nothing may use it any more.
  func deallocate() { for block in blocks { block.deallocate() } }
}
