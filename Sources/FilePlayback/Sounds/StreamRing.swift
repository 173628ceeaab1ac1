// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Synchronization

/// The frames of a file on their way from the reading thread to the render thread.
struct StreamRing: ~Copyable {
  let ring: Ring<Float>
  /// The number of frames of the whole sound; `Int.max` until its last frame was read.
  let total = Atomic(Int.max)
  /// Whether the sound has ended, so that nobody will play more of its frames.
  let isOver = Atomic(false)

  init(_ ring: consuming Ring<Float>) { self.ring = ring }

  /// [render thread] Whether all frames have been played.
  var isPlayed: Bool { @_noLocks get { ring.read >= total.load(ordering: .acquiring) } }
}
