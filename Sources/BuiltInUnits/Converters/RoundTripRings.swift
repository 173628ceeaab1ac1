// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import SignalProcessing
import Synchronization

/// Two ring buffers that pass the signal to a codec and back. Positions count frames from the first
/// frame on.
///
/// The delay is constant: output frame n belongs to input frame n, and is played `latency` frames
/// later.
struct RoundTripRings: ~Copyable {
  /// Frames of an AAC block.
  static var block: Int { 1_024 }
  /// Frames by which a codec's output lags its input: the overlap of its windows, and the encoder's
  /// lookahead.
  private static var codecFrames: Int { 2 * block }

  let channelCount: Int
  let latency: Int
  private let toCodec: Ring<Float>
  /// Nothing is released: a frame is played before its memory is written again.
  private let fromCodec: Ring<Float>
  private let signal: UnsafeMutablePointer<WorkSignal>

  /// The number of frames that the codec has processed.
  let encoded = Atomic(0)
  /// The frame from which on the codec restarts, in all but the lower eight bits, which change with
  /// each restart.
  private let restartWord = Atomic(0)
  /// The requested settings of the codec, as one word.
  let requestedSettings = Atomic<UInt32>(0)
  let lateness = Lateness()

  /// The latency: filling a block, the delay of the codec, and its computing time.
  static func latency(maximumFrames: Int) -> Int { codecFrames + block + max(block, maximumFrames) }

  private static func capacity(_ maximumFrames: Int) -> Int {
    latency(maximumFrames: maximumFrames) + maximumFrames + 8 * block
  }

  /// The memory of both rings in bytes.
  static func memory(channelCount: Int, maximumFrames: Int) -> Int {
    8 * channelCount * capacity(maximumFrames)
  }

  /// [control thread] Allocates both rings.
  init(channelCount: Int, maximumFrames: Int, _ signal: UnsafeMutablePointer<WorkSignal>) {
    self.channelCount = channelCount
    self.signal = signal
    latency = Self.latency(maximumFrames: maximumFrames)
    let capacity = Self.capacity(maximumFrames)
    toCodec = Ring(channelCount: channelCount, capacity: capacity)
    fromCodec = Ring(channelCount: channelCount, capacity: capacity)
  }

  // MARK: The render thread

  /// [render thread] Clears the signal history: the codec restarts with the next frame.
  @_noLocks
  borrowing func reset() {
    let number = restartWord.load(ordering: .relaxed) &+ 1
    restartWord.store(toCodec.written << 8 | number & 0xFF, ordering: .releasing)
  }

  /// The frame from which on the codec restarts.
  private var restartFrame: Int { @_noLocks get { restartWord.load(ordering: .relaxed) >> 8 } }

  /// [render thread] Passes a slice to the codec, and fills it with frames from the codec.
  @_noLocks
  borrowing func exchange(_ slice: Slice) {
    let (first, count) = (toCodec.written, slice.frameCount)
    write(slice, first, count)
    let restartFrame = restartFrame
    let blocks = (first + count - restartFrame) / Self.block
    if blocks > 0, signal.pointee.mayWait {
      signal.pointee.wait(for: encoded, toReach: restartFrame + blocks * Self.block)
    }
    read(slice, first - latency, count)
  }

  @_noLocks
  private borrowing func write(_ slice: Slice, _ first: Int, _ count: Int) {
    // A codec that has fallen behind by the whole ring restarts with the next frames.
    guard count <= toCodec.room else {
      toCodec.publish(upTo: first + count)
      return reset()
    }
    for channel in 0..<channelCount {
      let (from, to) = (slice[channel], toCodec.channels[channel])
      toCodec.forEachPart(from: first, count: count) { index, done, run in
        UnsafeMutableRawPointer(to + index).copyMemory(from: from + done, byteCount: 4 * run)
      }
    }
    toCodec.publish(upTo: first + count)
  }

  @_noLocks
  private borrowing func read(_ slice: Slice, _ first: Int, _ count: Int) {
    let restartFrame = restartFrame
    let silent = min(max(restartFrame - first, 0), count)
    let end = max(fromCodec.written, restartFrame)
    let available = min(max(end - first - silent, 0), count - silent)
    for channel in 0..<channelCount {
      let (to, from) = (slice[channel], fromCodec.channels[channel])
      for frame in 0..<silent { to[frame] = 0 }
      if available > 0 {
        fromCodec.forEachPart(from: first + silent, count: available) { index, done, run in
          UnsafeMutableRawPointer(to + silent + done).copyMemory(
            from: from + index, byteCount: 4 * run)
        }
      }
      for frame in silent + available..<count { to[frame] = 0 }
    }
    lateness.note(missing: count - silent - available)
  }

  // MARK: The worker

  /// [worker] The frame from which on the codec must restart; nil if there was no restart since
  /// `lastWord`.
  borrowing func restart(_ lastWord: inout Int) -> Int? {
    let word = restartWord.load(ordering: .acquiring)
    guard word != lastWord else { return nil }
    lastWord = word
    toCodec.release(upTo: word >> 8)
    fromCodec.publish(upTo: word >> 8)
    return word >> 8
  }

  /// [worker] Copies a block from `position` on, interleaved; false if it is not complete yet.
  /// Samples that are NaN, or larger than a codec accepts, become zero.
  borrowing func read(at position: Int, into frames: UnsafeMutablePointer<Float>) -> Bool {
    guard toCodec.written - position >= Self.block else { return false }
    for channel in 0..<channelCount {
      let from = toCodec.channels[channel]
      toCodec.forEachPart(from: position, count: Self.block) { index, done, run in
        var frame = 0
        while frame < run {
          let sample = from[index + frame]
          let isUsable = -1e4 < sample && sample < 1e4
          frames[(done + frame) * channelCount + channel] = isUsable ? sample : 0
          frame += 1
        }
      }
    }
    toCodec.release(upTo: position + Self.block)
    return true
  }

  /// [worker] Stores the codec's output from frame `position` on, interleaved; nil is silence.
  borrowing func write(_ frames: UnsafePointer<Float>?, _ count: Int, at position: Int) {
    for channel in 0..<channelCount {
      let to = fromCodec.channels[channel]
      fromCodec.forEachPart(from: position, count: count) { index, done, run in
        var frame = 0
        while frame < run {
          to[index + frame] = 0
          if let frames { to[index + frame] = frames[(done + frame) * channelCount + channel] }
          frame += 1
        }
      }
    }
    fromCodec.publish(upTo: position + count)
  }
}
