// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Synchronization

/// The data that a schedule, its `ReadAhead` and its render thread share. An item is a slice of the
/// program or a piece of a file.
struct PlayExchange: ~Copyable {
  /// Items that were scheduled, for the render thread.
  let incoming = ItemHandoff()
  /// Items that have ended, for the notifier, which calls their completion functions.
  let finished = ItemHandoff()
  /// Pieces that have ended, for the file reader.
  let returned = ItemHandoff()
  /// The number of times everything was cancelled.
  let epoch = Atomic<UInt32>(0)
  /// The position of the next frame; -1 before the start.
  let position = Atomic(-1)
  /// Whether a render waits until the reader has passed `position`.
  let isAwaited = Atomic(false)
  /// The first region whose pieces have not all been passed on.
  let unread = PublishedValue<UnreadRegion>()
  /// The frames that were silent because they were not read in time, and the number of such gaps.
  let missedFrames = Atomic(0)
  let misses = Atomic(0)
  /// Counts the reader's work: a render that waits for the reader gives up if this stays the same.
  let progress = Atomic(0)
  /// Whether the program reports that it renders offline.
  let isOffline = Atomic(false)
  private let isEntered = Atomic(false)

  /// [any thread] Gets exclusive access to the timeline; false if another thread has it.
  @_noLocks
  borrowing func enter() -> Bool { !isEntered.exchange(true, ordering: .acquiring) }

  /// [the thread that has entered] Ends the exclusive access.
  @_noLocks
  borrowing func leave() { isEntered.store(false, ordering: .releasing) }
}

/// The first region, in the order in which they play, that has not been read to its end.
struct UnreadRegion: BitwiseCopyable, Sendable {
  /// Where it begins; `Int.max` if there is none.
  var rank = Int.max
  /// The position up to which its pieces have been passed on.
  var position = Int.max

  /// Whether what plays at a position may still have to be read, although an item of `other` would
  /// play there.
  @_noLocks
  func isMissing(at position: Int, before other: Int) -> Bool {
    position >= self.position && rank < other
  }
}
