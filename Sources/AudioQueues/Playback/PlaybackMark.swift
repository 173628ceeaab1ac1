// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
internal import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// An event at a frame of the ring; the render thread receives it together with the frames.
struct PlaybackMark: BitwiseCopyable {
  enum Kind: BitwiseCopyable { case parameter, start, end }

  /// The frame before which it takes effect, counted over all frames ever written.
  var index: Int
  var kind: Kind
  /// The identifier of a parameter.
  var id: AudioQueueParameterID = 0
  var value: Float = 0
  /// The queue time of the frames that follow.
  var time: Int = 0
  /// The number of earlier flushes.
  var generation = 0

  init(_ kind: Kind, at index: Int, generation: Int) {
    self.kind = kind
    self.index = index
    self.generation = generation
  }
}

/// The marks at one frame, before they are written. A later value of a parameter replaces an earlier
/// one, so that buffers without frames need no more room than one.
struct Marks {
  /// The queue time before which the frame is not played.
  var start: Int?
  var values: [AudioQueueParameterID: Float] = [:]

  /// The most marks: a start, the parameters of the renderer, and the end.
  static let mostCount = 8

  var isEmpty: Bool { start == nil && values.isEmpty }
}
