// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The position of a render thread: a frame, and the time it is played. Written by one thread, read
/// by any; the reader tries again when it was written meanwhile.
struct PublishedTime: ~Copyable {
  private let version = Atomic(0)
  private let frame = Atomic(0)
  private let frameCount = Atomic(0)
  private let hostTime = Atomic<UInt64>(0)
  private let rateScalar = Atomic(Double(1).bitPattern)

  /// The published values of a cycle.
  struct Moment {
    /// The first frame of the last cycle, and its number of frames.
    var frame = 0
    var frameCount = 0
    /// When the first frame is or was played, in host time; 0 before the first cycle.
    var hostTime: UInt64 = 0
    /// The real rate of the device over its nominal one.
    var rateScalar = 1.0
  }

  /// [the one writer]
  @_noLocks
  borrowing func store(_ moment: Moment) {
    let begun = version.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
    frame.store(moment.frame, ordering: .relaxed)
    frameCount.store(moment.frameCount, ordering: .relaxed)
    hostTime.store(moment.hostTime, ordering: .relaxed)
    rateScalar.store(moment.rateScalar.bitPattern, ordering: .relaxed)
    version.store(begun + 1, ordering: .releasing)
  }

  /// [any thread]
  borrowing func load() -> Moment {
    while true {
      let begun = version.load(ordering: .acquiring)
      let moment = Moment(
        frame: frame.load(ordering: .acquiring), frameCount: frameCount.load(ordering: .acquiring),
        hostTime: hostTime.load(ordering: .acquiring),
        rateScalar: Double(bitPattern: rateScalar.load(ordering: .acquiring)))
      if begun & 1 == 0, version.load(ordering: .acquiring) == begun { return moment }
    }
  }
}
