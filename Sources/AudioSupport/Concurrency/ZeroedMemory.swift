// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Memory of zeros whose pages, as far as the heap has none, come when they are used: a page that nobody
/// uses costs nothing.
public enum ZeroedMemory {
  /// Memory begins at a cache line, and behind the address of its block.
  private static var line: Int { 64 }

  /// [control thread] Allocates bytes, until `free`.
  public static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
    guard let block = calloc(1, byteCount + 2 * line) else { fatalError("no memory") }
    let memory = (block + 2 * line - 1).alignedDown(toMultipleOf: line)
    (memory - MemoryLayout<UnsafeMutableRawPointer>.size).storeBytes(
      of: block, as: UnsafeMutableRawPointer.self)
    return memory
  }

  /// [control thread] Makes all pages of allocated memory come now, so that no render thread waits for
  /// them.
  public static func touch(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
    memset(memory, 0, byteCount)
  }

  /// [control thread] Frees memory from `allocate`; nothing may use it any more.
  public static func free(_ memory: UnsafeMutableRawPointer) {
    Glibc.free(
      (memory - MemoryLayout<UnsafeMutableRawPointer>.size).load(as: UnsafeMutableRawPointer.self))
  }
}
