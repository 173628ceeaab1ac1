// SPDX-License-Identifier: Apache-2.0

/// The recent past of one signal, kept in a ring.
///
/// Frames are processed in runs that end at the end of the ring, so that each is a straight loop. A
/// plain pointer: its owner deallocates it.
public struct DelayLine: BitwiseCopyable, @unchecked Sendable {
  /// Frames that are kept.
  public let capacity: Int
  private let samples: UnsafeMutablePointer<Float>
  /// Where the next frame goes.
  private var position = 0

  /// A silent line that remembers `capacity` frames. [control thread]
  public init(capacity: Int) {
    self.capacity = capacity
    samples = .allocate(capacity: capacity)
    samples.initialize(repeating: 0, count: capacity)
  }

  /// Frees the memory. [control thread]
  public func deallocate() { samples.deallocate() }

  /// Forgets everything. [render thread]
  @_noLocks
  public mutating func clear() {
    Samples.clear(samples, count: capacity)
    position = 0
  }

  /// Frames that can be written before the end of the ring. [render thread]
  public var room: Int { @_noLocks get { capacity - position } }

  /// Where the next frames are to be written, at most `room` of them. [render thread]
  public var end: UnsafeMutablePointer<Float> { @_noLocks get { samples + position } }

  /// Takes `count` frames at `end` as written. [render thread]
  @_noLocks
  public mutating func advance(by count: Int) {
    position += count
    if position >= capacity { position -= capacity }
  }

  /// Writes `count` frames. [render thread]
  @_noLocks
  public mutating func write(_ source: UnsafePointer<Float>, count: Int) {
    let first = min(count, room)
    Samples.copy(source, to: end, count: first)
    if first < count { Samples.copy(source + first, to: samples, count: count - first) }
    advance(by: count)
  }

  /// `count` frames in a row, of which the first was written `distance` frames before the next one
  /// (1 is the frame written last): where they lie, or a copy in `scratch`, of the same length, where
  /// the ring ends among them. Those that are not yet written are old ones. [render thread]
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
