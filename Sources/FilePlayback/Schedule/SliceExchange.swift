// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The data exchanged by a schedule, the reader of its files and its render thread.
struct SliceExchange: ~Copyable {
  let incoming = ItemHandoff()
  /// Slices that are over, for who calls their completion functions.
  let finished = ItemHandoff()
  /// Pieces that are over, for who reads the file.
  let returned = ItemHandoff()
  /// How often everything has been taken back.
  let epoch = Atomic<UInt32>(0)
  /// The position of the next frame; -1 before the start.
  let position = Atomic(-1)
  /// Up to here nothing is missing any more: what has a position before it has come in.
  let settled = Atomic(Int.max)
  /// Frames that were silent because their samples were not there in time, and how often that began.
  let missedFrames = Atomic(0)
  let misses = Atomic(0)
  /// What the reader has done: whoever waits for it gives up when it does nothing any more.
  let progress = Atomic(0)
  /// Whether the program says that nothing waits for what is rendered.
  let isOffline = Atomic(false)
  private let isEntered = Atomic(false)

  /// [any thread] Enters the timeline unless somebody is inside.
  @_noLocks
  borrowing func enter() -> Bool { !isEntered.exchange(true, ordering: .acquiring) }

  /// [who is inside]
  @_noLocks
  borrowing func leave() { isEntered.store(false, ordering: .releasing) }
}
