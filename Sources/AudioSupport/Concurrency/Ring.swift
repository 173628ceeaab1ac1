// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

/// A ring buffer of planar elements, usually samples, from one thread to another. Neither thread
/// ever waits, and it never grows.
///
/// Positions count the elements of a channel since the beginning; all channels have the same
/// positions. The writer fills the memory of the next positions and publishes them; the reader uses
/// them and releases them. For render threads see `MessageQueue`: this is as generic.
public struct Ring<Element: BitwiseCopyable>: ~Copyable {
  public let channelCount: Int
  /// The most elements of a channel.
  public let capacity: Int
  /// The memory of each channel, indexed by `index(of:)`.
  public let channels: UnsafePointer<UnsafeMutablePointer<Element>>
  private let table: UnsafeMutablePointer<UnsafeMutablePointer<Element>>
  private let memory: UnsafeMutableRawPointer
  @usableFromInline let writtenCount = Atomic(0)
  @usableFromInline let readCount = Atomic(0)

  /// [control thread] An empty ring. All of its memory is written now, so that render threads cause
  /// no page faults.
  public init(channelCount: Int, capacity: Int) {
    let byteCount = Self.byteCount(channelCount, capacity)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
    memset(memory, 0, byteCount)
    self.init(channelCount, capacity, memory)
  }

  /// [control thread] An empty ring for threads that may wait. Its memory costs nothing until it is
  /// used.
  public init(channelCount: Int, reserving capacity: Int) throws(AudioError) {
    let byteCount = Self.byteCount(channelCount, capacity)
    guard let memory = calloc(1, byteCount) else {
      throw .outOfMemory.because("\(byteCount) bytes for \(capacity) frames of samples")
    }
    self.init(channelCount, capacity, memory)
  }

  private init(_ channelCount: Int, _ capacity: Int, _ memory: UnsafeMutableRawPointer) {
    self.channelCount = channelCount
    self.capacity = capacity
    self.memory = memory
    table = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      (table + channel).initialize(
        to: (memory + channel * Self.stride(capacity)).bindMemory(
          to: Element.self, capacity: capacity))
    }
    channels = UnsafePointer(table)
  }

  deinit {
    table.deallocate()
    free(memory)
  }

  /// The bytes of one channel: whole cache lines.
  private static func stride(_ capacity: Int) -> Int {
    (capacity * MemoryLayout<Element>.stride + 63) / 64 * 64
  }

  private static func byteCount(_ channelCount: Int, _ capacity: Int) -> Int {
    max(channelCount * stride(capacity), 64)
  }

  /// [any thread] The position after the last published element.
  @inlinable public var written: Int { writtenCount.load(ordering: .acquiring) }
  /// [any thread] The position of the first element that was not released.
  @inlinable public var read: Int { readCount.load(ordering: .acquiring) }
  /// [any thread] The number of elements that can be read.
  @inlinable public var fill: Int { written &- read }
  /// [any thread] The number of elements that can be written.
  @inlinable public var room: Int { capacity &- fill }

  /// [the writer] Lets the reader use the elements before a position.
  @inlinable
  public borrowing func publish(upTo position: Int) {
    writtenCount.store(position, ordering: .releasing)
  }

  /// [the reader] Lets the writer replace the elements before a position.
  @inlinable
  public borrowing func release(upTo position: Int) {
    readCount.store(position, ordering: .releasing)
  }

  /// The index of a position in the memory of a channel.
  @inlinable
  public borrowing func index(of position: Int) -> Int { position % capacity }

  /// Calls `body` for each contiguous part of `count` elements from a position on, with its index in
  /// the memory of a channel, the number of elements before it, and its length.
  @inlinable @inline(__always)
  public borrowing func forEachPart(
    from position: Int, count: Int, _ body: (_ index: Int, _ done: Int, _ count: Int) -> Void
  ) {
    var done = 0
    while done < count {
      let index = index(of: position &+ done)
      let part = min(count &- done, capacity &- index)
      body(index, done, part)
      done &+= part
    }
  }

  /// [the writer] The indices of the elements to write next, as far as they are contiguous: none if
  /// the ring is full.
  @inlinable public var writable: Range<Int> {
    let index = index(of: written)
    return index..<index + min(room, capacity - index)
  }

  /// [the reader] The indices of the elements to read next, as far as they are contiguous: none if
  /// the ring is empty.
  @inlinable public var readable: Range<Int> {
    let index = index(of: read)
    return index..<index + min(fill, capacity - index)
  }

  /// [the writer] Writes and publishes as many of `count` elements as there is room for; returns how
  /// many. They start at `offset` in the memory of each source.
  @inlinable
  public borrowing func write(
    _ sources: UnsafePointer<UnsafeMutablePointer<Element>>, from offset: Int = 0, count: Int
  ) -> Int {
    let count = min(count, room)
    let start = written
    for channel in 0..<channelCount {
      let (source, ring) = (sources[channel] + offset, channels[channel])
      forEachPart(from: start, count: count) { index, done, part in
        UnsafeMutableRawPointer(ring + index).copyMemory(
          from: source + done, byteCount: part &* MemoryLayout<Element>.stride)
      }
    }
    publish(upTo: start &+ count)
    return count
  }

  /// [the reader] Copies the next `count` elements of a channel, which must be there; releases none.
  @inlinable
  public borrowing func copy(
    channel: Int, to target: UnsafeMutablePointer<Element>, count: Int
  ) {
    let ring = channels[channel]
    forEachPart(from: read, count: count) { index, done, part in
      UnsafeMutableRawPointer(target + done).copyMemory(
        from: ring + index, byteCount: part &* MemoryLayout<Element>.stride)
    }
  }
}

// An element belongs to one thread at a time.
extension Ring: @unchecked Sendable where Element: Sendable {}
