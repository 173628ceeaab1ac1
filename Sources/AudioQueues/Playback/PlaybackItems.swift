// SPDX-License-Identifier: Apache-2.0
@_spi(TrappingConversions) import CheckedNumbers

/// What a playback queue has to play, and whether it may be decoded. The queue's `lock` guards it.
struct PlaybackItems {
  enum Item {
    case buffer(EnqueuedBuffer)
    /// The codec outputs all frames of earlier buffers.
    case flush
    /// The sound ends here.
    case end
  }

  private var items = FirstInFirstOut<Item>()
  /// Whether items may be decoded: the queue was primed or started, and is not paused.
  var mayDecode = false
  /// Whether the queue stops after the last enqueued buffer.
  private(set) var isEnding = false
  /// Whether no item can be decoded before the render thread has applied some marks.
  var needsRendering = false
  /// The number of returned buffers whose callbacks have not ended.
  var pendingCallbacks = 0

  /// Whether nothing but missing items keeps them from being decoded.
  var canDecode: Bool { mayDecode && !needsRendering }
  var isEmpty: Bool { items.isEmpty }
  var first: Item? { items.first }

  /// Adds an item behind all others.
  mutating func append(_ item: Item) { items.append(item) }

  /// Removes the first item.
  mutating func removeFirst() { items.removeFirst() }

  /// Has the queue stop after the last enqueued buffer.
  mutating func end() {
    isEnding = true
    items.append(.flush)
    items.append(.end)
  }

  /// Forgets a requested end.
  mutating func cancelEnd() { isEnding = false }

  /// Removes and returns all buffers. A requested end is still pending.
  mutating func removeBuffers() -> [EnqueuedBuffer] {
    let removed = items.removeAll()
    if isEnding { items.append(.end) }
    return removed.compactMap { if case .buffer(let enqueued) = $0 { enqueued } else { nil } }
  }

  /// Whether more frames will come without any call of the program. `isBusy`: a thread decodes.
  func expectsFrames(isBusy: Bool) -> Bool {
    mayDecode && (!items.isEmpty || isBusy || pendingCallbacks > 0)
  }

  /// The queue time, in frames, at which everything has been played, when all that is decoded ends
  /// at `frame` and the rest is played at this rate.
  func end(after frame: Double, rate: Float) -> Int {
    // Programs choose start times and sizes freely; a sum of them may exceed every integer.
    var frame = frame
    for case .buffer(let enqueued) in items {
      frame = max(frame, Double(enqueued.options.startFrame ?? 0))
      let frames = max(0, enqueued.playedFrames - (enqueued.decoded ?? 0))
      frame += (Double(frames) / Double(rate)).rounded()
    }
    return Int(saturating: frame)
  }
}
