// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing
import Synchronization

/// The signal on its way to a codec and back: two rings, with positions counted in frames from the
/// first frame.
///
/// The timing is constant: output frame n belongs to input frame n, and is heard `latency` frames
/// later.
struct RoundTripLine: ~Copyable {
  /// Frames of an AAC block.
  static var block: Int { 1_024 }
  /// Frames by which a codec's output lags its input: those that its windows overlap by, and those
  /// that the encoder looks ahead.
  private static var codecFrames: Int { 2 * block }

  let channelCount: Int
  let latency: Int
  private let memory = OwnedMemory()
  private let capacity: Int
  private let toCodec: UnsafeMutablePointer<Float>
  private let fromCodec: UnsafeMutablePointer<Float>
  private let signal: UnsafeMutablePointer<WorkSignal>

  /// Frames that were written and read, and that the codec has processed.
  private let written = Atomic(0)
  private let taken = Atomic(0)
  let encoded = Atomic(0)
  /// Up to which frame there is sound; and from which on the codec is begun again: a frame in all
  /// but the lower eight bits, which differ from one beginning to the next.
  private let made = Atomic(0)
  private let beginning = Atomic(0)
  /// The settings for the codec, as one word.
  let wishes = Atomic<UInt32>(0)
  let lateness = Lateness()

  /// The latency: filling a block, the delay of the codec, and its computing time.
  static func latency(maximumFrames: Int) -> Int { codecFrames + block + max(block, maximumFrames) }

  private static func capacity(_ maximumFrames: Int) -> Int {
    latency(maximumFrames: maximumFrames) + maximumFrames + 8 * block
  }

  /// The size of one in bytes.
  static func memory(channelCount: Int, maximumFrames: Int) -> Int {
    8 * channelCount * capacity(maximumFrames)
  }

  /// [control thread] Lays out both rings.
  init(channelCount: Int, maximumFrames: Int, _ signal: UnsafeMutablePointer<WorkSignal>) {
    self.channelCount = channelCount
    self.signal = signal
    latency = Self.latency(maximumFrames: maximumFrames)
    capacity = Self.capacity(maximumFrames)
    toCodec = memory.array(channelCount * capacity, of: 0)
    fromCodec = memory.array(channelCount * capacity, of: 0)
  }

  deinit { memory.deallocate() }

  /// The runs of a ring that `count` frames from `first` on lie in.
  @_noLocks @inline(__always)
  private borrowing func forRuns(_ first: Int, _ count: Int, _ body: (Int, Int, Int) -> Void) {
    var done = 0
    while done < count {
      let place = (first + done) % capacity
      let run = min(count - done, capacity - place)
      body(place, done, run)
      done += run
    }
  }

  // MARK: The render thread

  /// [render thread] Forgets the signal: the next frame is the first that the codec gets.
  @_noLocks
  borrowing func forget() {
    let number = beginning.load(ordering: .relaxed) &+ 1
    beginning.store(
      written.load(ordering: .relaxed) << 8 | number & 0xFF, ordering: .releasing)
  }

  /// The frame from which on the codec is begun again.
  private var begin: Int { @_noLocks get { beginning.load(ordering: .relaxed) >> 8 } }

  /// [render thread] Passes a slice to the codec, and fills it with frames from the codec.
  @_noLocks
  borrowing func exchange(_ slice: Slice) {
    let (first, count) = (written.load(ordering: .relaxed), slice.frameCount)
    write(slice, first, count)
    let begin = begin
    let blocks = (first + count - begin) / Self.block
    if blocks > 0, signal.pointee.mayWait {
      signal.pointee.wait(for: encoded, toReach: begin + blocks * Self.block)
    }
    read(slice, first - latency, count)
  }

  @_noLocks
  private borrowing func write(_ slice: Slice, _ first: Int, _ count: Int) {
    // A codec that has fallen behind by the whole ring restarts with the next frames.
    guard first + count - taken.load(ordering: .acquiring) <= capacity else {
      written.store(first + count, ordering: .releasing)
      return forget()
    }
    for channel in 0..<channelCount {
      let (from, to) = (slice[channel], toCodec + channel * capacity)
      forRuns(first, count) { place, done, run in
        UnsafeMutableRawPointer(to + place).copyMemory(from: from + done, byteCount: 4 * run)
      }
    }
    written.store(first + count, ordering: .releasing)
  }

  @_noLocks
  private borrowing func read(_ slice: Slice, _ first: Int, _ count: Int) {
    let begin = begin
    let silent = min(max(begin - first, 0), count)
    let end = max(made.load(ordering: .acquiring), begin)
    let heard = min(max(end - first - silent, 0), count - silent)
    for channel in 0..<channelCount {
      let (to, from) = (slice[channel], fromCodec + channel * capacity)
      for frame in 0..<silent { to[frame] = 0 }
      if heard > 0 {
        forRuns(first + silent, heard) { place, done, run in
          UnsafeMutableRawPointer(to + silent + done).copyMemory(
            from: from + place, byteCount: 4 * run)
        }
      }
      for frame in silent + heard..<count { to[frame] = 0 }
    }
    lateness.note(missing: count - silent - heard)
  }

  // MARK: The worker

  /// [worker] From which frame on the codec is to be begun again; nil where the last beginning that
  /// it knows still stands.
  borrowing func restart(_ known: inout Int) -> Int? {
    let word = beginning.load(ordering: .acquiring)
    guard word != known else { return nil }
    known = word
    taken.store(word >> 8, ordering: .releasing)
    made.store(word >> 8, ordering: .releasing)
    return word >> 8
  }

  /// [worker] Copies a block from `position` on, interleaved; false when it has not been given yet.
  /// What is not a number, or beyond what a codec takes, becomes silence.
  borrowing func read(at position: Int, into frames: UnsafeMutablePointer<Float>) -> Bool {
    guard written.load(ordering: .acquiring) - position >= Self.block else { return false }
    for channel in 0..<channelCount {
      let from = toCodec + channel * capacity
      forRuns(position, Self.block) { place, done, run in
        var frame = 0
        while frame < run {
          let sample = from[place + frame]
          frames[(done + frame) * channelCount + channel] = sample.magnitude < 1e4 ? sample : 0
          frame += 1
        }
      }
    }
    taken.store(position + Self.block, ordering: .releasing)
    return true
  }

  /// [worker] Takes the codec's output from frame `position` on, interleaved; nil: silence.
  borrowing func put(_ frames: UnsafePointer<Float>?, _ count: Int, at position: Int) {
    for channel in 0..<channelCount {
      let to = fromCodec + channel * capacity
      forRuns(position, count) { place, done, run in
        var frame = 0
        while frame < run {
          to[place + frame] = 0
          if let frames { to[place + frame] = frames[(done + frame) * channelCount + channel] }
          frame += 1
        }
      }
    }
    made.store(position + count, ordering: .releasing)
  }
}
