// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Synchronization

/// Lets one thread publish several words that others read together: whole or not at all.
///
/// The words are atomic; the writer stores them in releasing order, and readers load them in
/// acquiring order. The writer never waits. A reader that meets a change reads again.
package struct SequenceLock: ~Copyable {
  /// Odd while the writer changes the words; 0 before the first change.
  private let sequence = Atomic<UInt64>(0)

  package init() {}

  /// [the only writer] Begins to change the words.
  @_noLocks
  package borrowing func beginWriting() {
    sequence.wrappingAdd(1, ordering: .acquiringAndReleasing)
  }

  /// [the only writer] Ends the change.
  @_noLocks
  package borrowing func endWriting() { sequence.wrappingAdd(1, ordering: .releasing) }

  /// [any thread] The words as `body` reads them between two changes. Nil before the first change.
  package borrowing func read<Words>(_ body: () -> Words) -> Words? {
    while true {
      let before = sequence.load(ordering: .acquiring)
      guard before > 0 else { return nil }
      let words = body()
      if before & 1 == 0, sequence.load(ordering: .sequentiallyConsistent) == before {
        return words
      }
      rt_pause()
    }
  }
}
