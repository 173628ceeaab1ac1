// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
internal import CAudioToolbox

/// An event at a frame of the ring, passed with the frames to the render thread.
struct PlaybackMark: BitwiseCopyable {
  enum Kind: UInt64, BitwiseCopyable { case parameter, start, end }

  /// The frame number, counted over all frames ever written, before which it takes effect.
  var index: Int
  var kind: Kind
  /// The number of a parameter.
  var id: AudioQueueParameterID = 0
  var value: Float = 0
  /// The queue time of the frames that follow.
  var time: Int = 0
  /// The number of earlier flushes.
  var generation = 0

  /// As words of a queue.
  var words: BoundedQueue.Words {
    @_noLocks get {
      (
        UInt64(bitPattern: Int64(index)), kind.rawValue, UInt64(id), UInt64(value.bitPattern),
        UInt64(bitPattern: Int64(time)), UInt64(bitPattern: Int64(generation)), 0
      )
    }
  }

  @_noLocks
  init(_ words: BoundedQueue.Words) {
    index = Int(Int64(bitPattern: words.0))
    kind = words.1 == 0 ? .parameter : words.1 == 1 ? .start : .end
    id = UInt32(truncatingIfNeeded: words.2)
    value = Float(bitPattern: UInt32(truncatingIfNeeded: words.3))
    time = Int(Int64(bitPattern: words.4))
    generation = Int(Int64(bitPattern: words.5))
  }

  init(_ kind: Kind, at index: Int, generation: Int) {
    self.kind = kind
    self.index = index
    self.generation = generation
  }
}
