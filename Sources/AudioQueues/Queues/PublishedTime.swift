// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The position of a render thread: a frame, and the time it is played. One thread writes, any
/// thread reads. A reader retries when a write interrupted it.
struct PublishedTime: ~Copyable {
  private let version = Atomic(0)
  private let frame = Atomic(0)
  private let frameCount = Atomic(0)
  private let hostTime = Atomic<UInt64>(0)
  private let rateScalar = Atomic(Double(1).bitPattern)

  /// The published values of a cycle.
  struct Position {
    /// The first frame of the last cycle, and the number of its frames.
    var frame: Int
    var frameCount: Int
    /// The host time at which the first frame is or was played; 0 before the first cycle.
    var hostTime: UInt64
    /// The device's actual rate divided by its nominal rate.
    var rateScalar: Double

    @_noLocks
    init(frame: Int = 0, frameCount: Int = 0, hostTime: UInt64 = 0, rateScalar: Double = 1) {
      self.frame = frame
      self.frameCount = frameCount
      self.hostTime = hostTime
      self.rateScalar = rateScalar
    }
  }

  /// [the writer]
  @_noLocks
  borrowing func store(_ position: Position) {
    let begun = version.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
    frame.store(position.frame, ordering: .relaxed)
    frameCount.store(position.frameCount, ordering: .relaxed)
    hostTime.store(position.hostTime, ordering: .relaxed)
    rateScalar.store(position.rateScalar.bitPattern, ordering: .relaxed)
    version.store(begun + 1, ordering: .releasing)
  }

  /// [any thread]
  borrowing func load() -> Position {
    while true {
      let begun = version.load(ordering: .acquiring)
      let position = Position(
        frame: frame.load(ordering: .acquiring), frameCount: frameCount.load(ordering: .acquiring),
        hostTime: hostTime.load(ordering: .acquiring),
        rateScalar: Double(bitPattern: rateScalar.load(ordering: .acquiring)))
      if begun & 1 == 0, version.load(ordering: .acquiring) == begun { return position }
    }
  }
}
