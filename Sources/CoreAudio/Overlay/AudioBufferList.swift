// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc
@_spi(TrappingConversions) import CheckedNumbers

/// A buffer list as a collection of its buffers.
///
/// [any thread] It wraps a pointer, and does not own the memory. Everything can be inlined, because
/// render callbacks use it.
@frozen
public struct UnsafeMutableAudioBufferListPointer {
  /// The buffer list itself.
  public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

  /// Wraps a buffer list.
  @inlinable
  public init(_ p: UnsafeMutablePointer<AudioBufferList>) {
    unsafeMutablePointer = p
  }

  /// Wraps a buffer list, if there is one.
  @inlinable
  public init?(_ p: UnsafeMutablePointer<AudioBufferList>?) {
    guard let p else { return nil }
    unsafeMutablePointer = p
  }

  /// The buffer list itself, for reading.
  @inlinable
  public var unsafePointer: UnsafePointer<AudioBufferList> {
    UnsafePointer(unsafeMutablePointer)
  }

  /// The number of buffers: the field `mNumberBuffers`.
  @inlinable
  public var count: Int {
    get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
    nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(clamping: newValue) }
  }

  /// The first buffer, which is the last field of the C structure.
  @inlinable
  var buffers: UnsafeMutablePointer<AudioBuffer> {
    let offset = MemoryLayout<AudioBufferList>.stride - MemoryLayout<AudioBuffer>.stride
    return (UnsafeMutableRawPointer(unsafeMutablePointer) + offset)
      .assumingMemoryBound(to: AudioBuffer.self)
  }
}

extension UnsafeMutableAudioBufferListPointer: MutableCollection, RandomAccessCollection {
  /// Zero.
  @inlinable
  public var startIndex: Int { 0 }

  /// The number of buffers.
  @inlinable
  public var endIndex: Int { count }

  /// The buffer at an index, which must be less than the number of buffers.
  @inlinable
  public subscript(index: Int) -> AudioBuffer {
    get {
      precondition(index >= 0 && index < count, "The buffer list has no such buffer")
      return buffers[index]
    }
    nonmutating set {
      precondition(index >= 0 && index < count, "The buffer list has no such buffer")
      buffers[index] = newValue
    }
  }
}

extension AudioBufferList {
  /// The size in bytes of a list with this many buffers, at least one.
  @inlinable
  public static func sizeInBytes(maximumBuffers: Int) -> Int {
    precondition(maximumBuffers >= 1, "A buffer list has at least one buffer")
    return MemoryLayout<AudioBufferList>.stride
      + (maximumBuffers - 1) * MemoryLayout<AudioBuffer>.stride
  }

  /// Allocates a list with this many empty buffers; free it with `free(list.unsafeMutablePointer)`.
  ///
  /// [control thread]
  public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
    guard let memory = calloc(1, sizeInBytes(maximumBuffers: maximumBuffers)) else {
      fatalError("No memory for a list of \(maximumBuffers) buffers")
    }
    let list = UnsafeMutableAudioBufferListPointer(
      memory.bindMemory(to: AudioBufferList.self, capacity: 1))
    list.count = maximumBuffers
    return list
  }
}

extension AudioBuffer {
  /// A buffer in the caller's memory, with this many interleaved channels.
  @inlinable
  public init<Element>(
    _ typedBuffer: UnsafeMutableBufferPointer<Element>, numberOfChannels: Int
  ) {
    self.init(
      mNumberChannels: UInt32(clamping: numberOfChannels),
      mDataByteSize: UInt32(clamping: typedBuffer.count * MemoryLayout<Element>.stride),
      mData: UnsafeMutableRawPointer(typedBuffer.baseAddress))
  }
}

extension UnsafeBufferPointer {
  /// The samples of a buffer; none when it has no memory.
  @inlinable
  public init(_ audioBuffer: AudioBuffer) {
    self.init(UnsafeMutableBufferPointer(audioBuffer))
  }
}

extension UnsafeMutableBufferPointer {
  /// The samples of a buffer; none when it has no memory.
  @inlinable
  public init(_ audioBuffer: AudioBuffer) {
    let count = Int(audioBuffer.mDataByteSize) / MemoryLayout<Element>.stride
    let start = audioBuffer.mData?.assumingMemoryBound(to: Element.self)
    self.init(start: start, count: start == nil ? 0 : count)
  }
}
