// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
import Synchronization

/// The position of a render thread: a frame, and the time it is played. One thread writes, any
/// thread reads.
struct PublishedTime: ~Copyable {
  private let lock = SequenceLock()
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

    /// The frame after the last one rendered.
    var end: Int { frame + frameCount }

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
    lock.beginWriting()
    frame.store(position.frame, ordering: .releasing)
    frameCount.store(position.frameCount, ordering: .releasing)
    hostTime.store(position.hostTime, ordering: .releasing)
    rateScalar.store(position.rateScalar.bitPattern, ordering: .releasing)
    lock.endWriting()
  }

  /// [any thread]
  borrowing func load() -> Position {
    lock.read {
      Position(
        frame: frame.load(ordering: .acquiring), frameCount: frameCount.load(ordering: .acquiring),
        hostTime: hostTime.load(ordering: .acquiring),
        rateScalar: Double(bitPattern: rateScalar.load(ordering: .acquiring)))
    } ?? Position()
  }
}
