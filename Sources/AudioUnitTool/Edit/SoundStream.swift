// SPDX-License-Identifier: Apache-2.0
import SignalProcessing

/// A sound that is read from its beginning to its end, in blocks of interleaved Float64, which hold
/// the samples of every file exactly.
protocol SoundStream: AnyObject {
  /// Frames per second.
  var sampleRate: Double { get }
  var channelCount: Int { get }
  /// All frames; nil if their number is only known at the end.
  var frameCount: Int? { get }
  /// Which part of the source it is; nil if the frames are not those of the source in order.
  var map: FrameMap? { get }
  /// Whether samples have the values that they have in the source.
  var keepsSamples: Bool { get }
  /// Reads the next frames.
  ///
  /// - Parameters:
  ///   - samples: Where they go: space for `frameCount` frames.
  ///   - frameCount: The most frames to read.
  /// - Returns: The number of frames read; 0 only at the end.
  /// - Throws: If it cannot be read.
  func read(
    into samples: UnsafeMutablePointer<Double>, _ frameCount: Int
  ) throws(Failure) -> Int
  /// Leaves frames out; returns how many there were.
  func skip(_ count: Int) throws(Failure) -> Int
}

/// Which part of a source a sound is.
struct FrameMap: Equatable {
  /// The frames of the source, and how many frames each of them became.
  var start = 0.0
  var end = Double.infinity
  var ratio = 1.0

  /// The map of a part of this sound.
  func cut(to range: Range<Int>) -> FrameMap {
    FrameMap(
      start: start + Double(range.lowerBound) / ratio,
      end: min(end, start + Double(range.upperBound) / ratio), ratio: ratio)
  }

  /// The map of this sound with `factor` frames for each frame.
  func scaled(by factor: Double) -> FrameMap {
    FrameMap(start: start, end: end, ratio: ratio * factor)
  }
}

/// A sound made of another; unless it declares something else, it has the same form.
protocol SteppedStream: SoundStream {
  var input: any SoundStream { get }
}

extension SteppedStream {
  var sampleRate: Double { input.sampleRate }
  var channelCount: Int { input.channelCount }
  var frameCount: Int? { input.frameCount }
  var map: FrameMap? { input.map }
  var keepsSamples: Bool { input.keepsSamples }
}

/// Memory for a block of interleaved frames.
final class BlockMemory {
  /// The frames of a block.
  static let frameCount = 8_192

  let samples: UnsafeMutablePointer<Double>
  let channelCount: Int

  init(channelCount: Int) {
    self.channelCount = channelCount
    samples = .allocate(capacity: Self.frameCount * channelCount)
    samples.initialize(repeating: 0, count: Self.frameCount * channelCount)
  }

  deinit { samples.deallocate() }

  /// Copies the first frames to a buffer for each channel.
  func split(into planes: PlanarMemory, _ count: Int) {
    for channel in 0..<channelCount {
      let plane = planes.channels[channel]
      for frame in 0..<count { plane[frame] = Float(samples[frame * channelCount + channel]) }
    }
  }
}

extension SoundStream {
  /// Reads everything, a block at a time.
  func forEachBlock(
    _ body: (BlockMemory, Int) throws(Failure) -> Void
  ) throws(Failure) {
    let memory = BlockMemory(channelCount: channelCount)
    while case let count = try read(into: memory.samples, BlockMemory.frameCount), count > 0 {
      try body(memory, count)
    }
  }

  func skip(_ count: Int) throws(Failure) -> Int { try skipByReading(count) }

  /// Reads frames and discards them; returns how many there were.
  func skipByReading(_ count: Int) throws(Failure) -> Int {
    let memory = BlockMemory(channelCount: channelCount)
    var done = 0
    while done < count {
      let read = try read(into: memory.samples, min(count - done, BlockMemory.frameCount))
      if read == 0 { break }
      done += read
    }
    return done
  }
}
