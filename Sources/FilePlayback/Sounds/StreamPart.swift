// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A part of a file that a stream plays.
final class StreamPart: Sendable {
  /// What the render thread knows of a part.
  struct Shared: ~Copyable {
    /// The position of its end in the stream; `Int.max` until its last frame was read.
    let end = Atomic(Int.max)
  }

  /// For the reading thread.
  nonisolated(unsafe) let region: FileRegion
  /// For the render thread; exists as long as this object.
  nonisolated(unsafe) let shared: UnsafeMutablePointer<Shared> = .cell(Shared())

  init(_ region: FileRegion) { self.region = region }

  deinit { shared.endCell() }
}
