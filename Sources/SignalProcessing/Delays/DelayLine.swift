// SPDX-License-Identifier: Apache-2.0

/// The recent samples of one signal, in a ring buffer.
///
/// Frames are processed in runs that stop at the end of the ring, so that each run is a straight
/// loop. Uses a plain pointer; the owner deallocates it.
public struct DelayLine: BitwiseCopyable, @unchecked Sendable {
  /// Length of the ring in frames.
  public var capacity: Int { @_noLocks get { memory.count } }
  private let memory: HistoryMemory
  private var samples: UnsafeMutablePointer<Float> { @_noLocks get { memory.samples } }
  /// Index of the next frame to write.
  private var position = 0
  /// Whether the ring was written to its end since it was silent: before that, what follows `position` is
  /// silence.
  private var hasWrapped = false

  /// Makes a silent line of `capacity` frames; offline, its memory comes when it is used. [control thread]
  public init(capacity: Int, isOffline: Bool = false) {
    memory = HistoryMemory(count: capacity, isOffline: isOffline)
  }

  /// Frees the memory. [control thread]
  public func deallocate() { memory.deallocate() }

  /// Clears the signal history. [render thread]
  @_noLocks
  public mutating func clear() {
    Samples.clear(samples, count: hasWrapped ? capacity : position)
    position = 0
    hasWrapped = false
  }

  /// Frames that fit before the end of the ring. [render thread]
  public var room: Int { @_noLocks get { capacity - position } }

  /// Address at which to write the next frames, at most `room`; `advance` follows. [render thread]
  public var end: UnsafeMutablePointer<Float> { @_noLocks get { samples + position } }

  /// Marks `count` frames at `end` as written. [render thread]
  @_noLocks
  public mutating func advance(by count: Int) {
    position += count
    guard position >= capacity else { return }
    position -= capacity
    hasWrapped = true
  }

  /// Writes `count` frames. [render thread]
  @_noLocks
  public mutating func write(_ source: UnsafePointer<Float>, count: Int) {
    let first = min(count, room)
    Samples.copy(source, to: end, count: first)
    if first < count { Samples.copy(source + first, to: samples, count: count - first) }
    advance(by: count)
  }

  /// Returns `count` consecutive frames; the first was written `distance` frames before the next
  /// one (1 is the most recent frame). Points into the ring, or, when the range wraps around, to a
  /// copy in `scratch`, which holds `count` frames. Frames that are not written yet read as old
  /// ones. [render thread]
  @_noLocks
  public func past(
    _ distance: Int, count: Int, scratch: UnsafeMutablePointer<Float>
  ) -> UnsafePointer<Float> {
    var start = position - distance
    if start < 0 { start += capacity }
    let first = capacity - start
    if first >= count { return UnsafePointer(samples + start) }
    Samples.copy(samples + start, to: scratch, count: first)
    Samples.copy(samples, to: scratch + first, count: count - first)
    return UnsafePointer(scratch)
  }
}
