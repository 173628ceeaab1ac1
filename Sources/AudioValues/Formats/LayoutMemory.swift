// SPDX-License-Identifier: Apache-2.0

/// The bytes of an `AudioChannelLayout`, at an address that programs may keep.
final class LayoutMemory: @unchecked Sendable {  // it never changes
  let address: UnsafeRawPointer

  init(_ bytes: [UInt8]) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 8)
    memory.copyMemory(from: bytes, byteCount: bytes.count)
    address = UnsafeRawPointer(memory)
  }

  deinit { address.deallocate() }
}
