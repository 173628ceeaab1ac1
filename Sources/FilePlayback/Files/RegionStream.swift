// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioFiles
import AudioSupport
import CAudioToolbox
import SignalProcessing

/// A region of a file, with all its repetitions, converted to a player's sample rate and channels.
///
/// The repetitions of a loop are converted as one signal, so that their joints are inaudible. [one
/// thread]
final class RegionStream {
  /// The first frame and the length of the region, in frames of the file.
  private let start: Int
  private let length: Int
  /// How often the region is played; nil if it repeats for ever.
  private let playCount: Int?
  /// The total number of output frames; nil if the region repeats for ever.
  let totalFrames: Int?
  private let source: FrameSource
  private let converter: FrameConverter
  /// The smallest numbers of output and input frames of exactly the same duration, for skipping;
  /// nil if a rate is not an integer.
  private let period: (output: Int, input: Int)?
  /// The next frame within the region, and the number of complete repetitions.
  private var offset = 0
  private var playIndex = 0
  private var needsSeek = true
  /// The number of output frames that were made or skipped.
  private(set) var position = 0
  /// The frames that were read and are not converted yet.
  private var pending = (next: 0, count: 0)
  private var isZero = false
  private let memory: OwnedMemory
  private let pendingFrames: UnsafeMutablePointer<UnsafeRawPointer>
  private let zeros: UnsafeRawPointer
  private let outputPointers: UnsafeMutablePointer<UnsafeMutableRawPointer>

  /// [control thread] Opens the decoder and the converter.
  init(
    _ region: ScheduledAudioFileRegion, _ file: AudioFileObject, to format: StreamFormat
  ) throws(AudioError) {
    source = try FrameSource(file, Self.bufferBytes)
    start = Int(region.mStartFrame)
    guard start >= 0, start <= source.frameCount else {
      throw .invalidPropertyValue.because(
        "mStartFrame is \(start); the file has \(source.frameCount) frames")
    }
    let rest = source.frameCount - start
    length = region.mFramesToPlay == .max ? rest : min(rest, Int(region.mFramesToPlay))
    playCount = region.mLoopCount == .max && length > 0 ? nil : Int(region.mLoopCount) + 1
    let from = try StreamFormat(source.format)
    var setup = FrameConverter.Setup(source: from, destination: format)
    setup.quality = .high
    converter = try FrameConverter(setup)
    period = Self.period(from.sampleRate, format.sampleRate)
    totalFrames = playCount.map { [length] in
      Self.frames($0 * length, from.sampleRate, format.sampleRate)
    }
    memory = OwnedMemory()
    zeros = UnsafeRawPointer(memory.array(4_096 * from.bytesPerFrame, of: UInt8(0)))
    pendingFrames = memory.cell(zeros)
    outputPointers = memory.room(format.channelCount, for: UnsafeMutableRawPointer.self)
  }

  deinit { memory.deallocate() }

  private static let bufferBytes = 65_536

  /// The number of output frames of `count` input frames.
  private static func frames(_ count: Int, _ from: Double, _ to: Double) -> Int {
    guard from != to else { return count }
    if let from = Int(exactly: from), let to = Int(exactly: to) {
      let (product, overflows) = count.multipliedReportingOverflow(by: to)
      if !overflows { return product / from + (product % from > 0 ? 1 : 0) }
    }
    return Int((Double(count) * to / from - 1e-6).rounded(.up))
  }

  /// The numbers of output and input frames of `period`.
  private static func period(_ from: Double, _ to: Double) -> (output: Int, input: Int)? {
    guard let from = Int(exactly: from), let to = Int(exactly: to), from > 0, to > 0 else {
      return nil
    }
    var (a, b) = (from, to)
    while b != 0 { (a, b) = (b, a % b) }
    return (to / a, from / a)
  }

  private var hasEnded: Bool { length == 0 || playCount.map { playIndex >= $0 } ?? false }

  /// Makes the next frames, at most `limit`; returns how many. 0 at the end.
  func make(
    _ limit: Int, into channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int
  ) throws(AudioError) -> Int {
    for channel in 0..<channelCount {
      outputPointers[channel] = UnsafeMutableRawPointer(channels[channel])
    }
    var count = 0
    defer { position += count }
    while count < limit {
      let rest = FrameRoom(outputPointers, from: count, count: limit - count)
      if pending.count == 0 {
        guard !hasEnded else {
          let drained = converter.drain(into: rest)
          guard drained > 0 else { break }
          count += drained
          continue
        }
        try read()
      }
      let result = converter.convert(
        FrameSpan(pendingFrames, from: pending.next, count: pending.count), into: rest)
      pending.next += result.consumed
      pending.count -= result.consumed
      count += result.produced
    }
    return count
  }

  /// Reads frames of the file, at most up to the end of the region.
  private func read() throws(AudioError) {
    if needsSeek {
      try source.seek(to: start + offset)
      needsSeek = false
      isZero = false
    }
    let remaining = length - offset
    var count = 0
    if !isZero {
      let part = try source.next(remaining)
      count = part.frames
      if let bytes = part.memory { pendingFrames.pointee = UnsafeRawPointer(bytes) }
    }
    if count == 0 {
      // The file is shorter than it claims: silence keeps the following frames in time.
      isZero = true
      count = min(remaining, 4_096)
      pendingFrames.pointee = zeros
    }
    pending = (0, count)
    advance(count)
  }

  private func advance(_ frames: Int) {
    offset += frames
    guard offset >= length, length > 0 else { return }
    playIndex += offset / length
    offset %= length
    needsSeek = true
  }

  /// Skips to about frame `target` of the output; the remaining frames stay in time. Afterwards
  /// `position` is the next frame.
  func skip(to target: Int) {
    guard let period, !hasEnded else { return }
    let periods = target / period.output
    guard periods * period.output > position else { return }
    position = periods * period.output
    (playIndex, offset) = (0, 0)
    pending = (0, 0)
    converter.reset()
    advance(periods * period.input)
    needsSeek = true
  }
}
