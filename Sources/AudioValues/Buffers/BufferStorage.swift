// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import Glibc

/// The memory of a buffer, and two lists that describe it: the valid part of it, and all of it.
///
/// A C function that fills the memory through a list sets the list's byte counts. The next reader
/// takes them over, so that both lists and `validBytes` agree.
final class BufferStorage {
  let bufferCount: Int
  /// Bytes of each buffer.
  let capacity: UInt32
  private let valid: UnsafeMutablePointer<AudioBufferList>
  private let whole: UnsafeMutablePointer<AudioBufferList>
  private let free: () -> Void

  /// Allocates buffers of zeros; nil if there is not enough memory.
  init?(bufferCount: Int, channelsPerBuffer: UInt32, capacity: UInt32) {
    // Each buffer is aligned for vectors, and has an address even without capacity.
    let room = max(1, (Int(capacity) + 15) / 16) * 16
    guard let memory = calloc(bufferCount, room) else { return nil }
    self.bufferCount = bufferCount
    self.capacity = capacity
    valid = .allocate(bufferCount: bufferCount)
    whole = .allocate(bufferCount: bufferCount)
    free = { Glibc.free(memory) }
    for index in 0..<bufferCount {
      whole.buffers[index] = AudioBuffer(
        mNumberChannels: channelsPerBuffer, mDataByteSize: capacity, mData: memory + index * room)
      valid.buffers[index] = whole.buffers[index]
    }
    validBytes = 0
  }

  /// Uses the first `capacity` bytes of each buffer of a list, all of them valid. `free` is called
  /// once, when they are no longer used.
  init(
    _ list: UnsafePointer<AudioBufferList>, capacity: UInt32, free: @escaping () -> Void
  ) {
    let list = UnsafeMutablePointer(mutating: list)
    bufferCount = list.allBuffers.count
    self.capacity = capacity
    self.free = free
    valid = .allocate(bufferCount: bufferCount)
    whole = .allocate(bufferCount: bufferCount)
    for index in 0..<bufferCount {
      whole.buffers[index] = list.buffers[index]
      valid.buffers[index] = list.buffers[index]
    }
    validBytes = capacity
  }

  deinit {
    free()
    valid.deallocate()
    whole.deallocate()
  }

  /// Valid bytes of each buffer, at most its capacity.
  var validBytes: UInt32 {
    get {
      takeOver()
      return min(valid.buffers[0].mDataByteSize, capacity)
    }
    set {
      set(newValue, in: valid)
      set(capacity, in: whole)
    }
  }

  /// The list whose byte counts are those of the valid part.
  var validList: UnsafePointer<AudioBufferList> {
    takeOver()
    return UnsafePointer(valid)
  }

  /// The list whose byte counts are the capacity, until a C function sets them.
  var wholeList: UnsafeMutablePointer<AudioBufferList> {
    takeOver()
    set(capacity, in: whole)
    return whole
  }

  /// The memory of a buffer.
  func memory(_ index: Int) -> UnsafeMutableRawPointer? { whole.buffers[index].mData }

  /// Copies everything, valid or not: some programs write samples first and set their number later.
  func copy(from other: BufferStorage) {
    for index in 0..<bufferCount {
      guard let target = memory(index), let source = other.memory(index) else { continue }
      target.copyMemory(from: source, byteCount: Int(capacity))
    }
    validBytes = other.validBytes
  }

  private func takeOver() {
    let written = whole.buffers[0].mDataByteSize
    if written != capacity { set(min(written, capacity), in: valid) }
  }

  private func set(_ bytes: UInt32, in list: UnsafeMutablePointer<AudioBufferList>) {
    for index in 0..<bufferCount { list.buffers[index].mDataByteSize = bytes }
  }
}
