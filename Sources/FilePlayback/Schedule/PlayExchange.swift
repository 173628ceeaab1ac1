// SPDX-License-Identifier: Apache-2.0
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
  /// The position up to which every piece has been read and passed on.
  let completeUntil = Atomic(Int.max)
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
