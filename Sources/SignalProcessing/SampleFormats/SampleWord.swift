// SPDX-License-Identifier: Apache-2.0

/// The container of an integer sample, read and written as the upper end of a 64-bit word.
///
/// Not generic over the container type: without optimisation the compiler does not allow generic
/// code to render. The size is a literal in every call, which gives the same code.
enum SampleWord {
  /// Reads a container of `bytes` bytes into the upper bits of a word.
  @inline(__always) @_noLocks
  static func load(_ memory: UnsafeRawPointer, bytes: Int, isBigEndian: Bool) -> Int64 {
    switch bytes {
    case 1:
      return Int64(memory.load(as: Int8.self)) << 56
    case 2:
      let word = memory.loadUnaligned(as: Int16.self)
      return Int64(isBigEndian ? word.byteSwapped : word) << 48
    case 3:
      let first = Int64(memory.load(as: UInt8.self))
      let middle = Int64(memory.load(fromByteOffset: 1, as: UInt8.self))
      let last = Int64(memory.load(fromByteOffset: 2, as: UInt8.self))
      return isBigEndian
        ? first << 56 | middle << 48 | last << 40 : last << 56 | middle << 48 | first << 40
    case 4:
      let word = memory.loadUnaligned(as: Int32.self)
      return Int64(isBigEndian ? word.byteSwapped : word) << 32
    default:
      let word = memory.loadUnaligned(as: Int64.self)
      return isBigEndian ? word.byteSwapped : word
    }
  }

  /// Writes the upper bits of a word as a container of `bytes` bytes.
  @inline(__always) @_noLocks
  static func store(
    _ word: Int64, to memory: UnsafeMutableRawPointer, bytes: Int, isBigEndian: Bool
  ) {
    switch bytes {
    case 1:
      memory.storeBytes(of: Int8(truncatingIfNeeded: word >> 56), as: Int8.self)
    case 2:
      let container = Int16(truncatingIfNeeded: word >> 48)
      memory.storeBytes(of: isBigEndian ? container.byteSwapped : container, as: Int16.self)
    case 3:
      let high = UInt8(truncatingIfNeeded: word >> 56)
      let low = UInt8(truncatingIfNeeded: word >> 40)
      memory.storeBytes(of: isBigEndian ? high : low, as: UInt8.self)
      memory.storeBytes(
        of: UInt8(truncatingIfNeeded: word >> 48), toByteOffset: 1, as: UInt8.self)
      memory.storeBytes(of: isBigEndian ? low : high, toByteOffset: 2, as: UInt8.self)
    case 4:
      let container = Int32(truncatingIfNeeded: word >> 32)
      memory.storeBytes(of: isBigEndian ? container.byteSwapped : container, as: Int32.self)
    default:
      memory.storeBytes(of: isBigEndian ? word.byteSwapped : word, as: Int64.self)
    }
  }
}
