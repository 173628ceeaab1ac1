// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Synchronization

/// Whether something waits for the renders of a schedule, as far as the program has said.
package enum RenderPace: UInt8, BitwiseCopyable, AtomicRepresentable {
  case unknown, realTime, offline
}

/// The data that a schedule of sounds, its reader and its render thread share.
struct SoundExchange: ~Copyable {
  /// Entries that were scheduled, for the render thread.
  let incoming = Handoff()
  /// Entries that have ended, for the thread that calls the handlers.
  let finished = Handoff()
  /// The number of times everything was stopped.
  let epoch = Atomic<UInt32>(0)
  /// Admits one thread at a time to the timeline.
  let gate = RenderGate()
  /// Whether a render may wait for its file.
  let pace = Atomic(RenderPace.unknown)
  /// [any thread] Whether nothing waits for the renders.
  var isOffline: Bool {
    @_noLocks get { if case .offline = pace.load(ordering: .relaxed) { true } else { false } }
  }
  /// The number of gaps because a file was not read in time, and their frames.
  let gapCount = Atomic(0)
  let gapFrames = Atomic(0)
  /// The reader, which a render that waits wakes; it exists as long as the schedule.
  let reader = Atomic<UInt>(0)

  /// The time of the node at which position 0 of the player is.
  private struct Origin: BitwiseCopyable, Sendable {
    let position: Int
    let startNumber: Int

    @_noLocks
    init(_ position: Int, of startNumber: Int) {
      self.position = position
      self.startNumber = startNumber
    }
  }

  private let published = PublishedValue<Origin>()

  /// [render thread] Publishes the time of the node at which position 0 of the player is, since the
  /// start with this number.
  @_noLocks
  borrowing func publish(origin: Int, of startNumber: Int) {
    published.store(Origin(origin, of: startNumber))
  }

  /// [any thread] The time of the node at which position 0 is; nil until a render has seen the start
  /// with this number.
  borrowing func origin(of startNumber: Int) -> Int? {
    guard let origin = published.load(), origin.startNumber == startNumber else { return nil }
    return origin.position
  }
}
