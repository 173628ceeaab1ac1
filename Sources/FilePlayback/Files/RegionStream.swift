// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioFiles
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
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
  /// The total number of output frames; nil if the region repeats for ever, or longer than a
  /// position can count.
  let totalFrames: Int?
  private let source: FrameSource
  private let converter: FrameConversion
  /// The smallest numbers of output and input frames of exactly the same duration, for skipping. If
  /// a rate is not an integer, the numbers of about a second.
  private let period: (output: Int, input: Int)
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
  /// The frames of a short loop, read once, because each repetition would seek in the file; nil for
  /// other regions. The first `keptFrames` are complete.
  private let kept: UnsafeMutablePointer<UInt8>?
  private var keptFrames = 0
  private let bytesPerFrame: Int
  private let outputPointers: UnsafeMutablePointer<UnsafeMutableRawPointer>

  /// [control thread] Opens the decoder and the converter.
  init(
    _ region: ScheduledAudioFileRegion, _ file: AudioFileObject, to format: StreamFormat
  ) throws(AudioError) {
    source = try FrameSource(file, Self.bufferBytes)
    guard let start = Outside(region.mStartFrame).upTo(source.frameCount) else {
      throw .invalidPropertyValue.because(
        "mStartFrame is \(region.mStartFrame); the file has \(source.frameCount) frames")
    }
    self.start = start
    let rest = source.frameCount - start
    length = region.mFramesToPlay == .max ? rest : min(rest, Int(region.mFramesToPlay))
    playCount = region.mLoopCount == .max && length > 0 ? nil : Int(region.mLoopCount) + 1
    let from = try StreamFormat(source.format)
    var setup = FrameConversion.Setup(source: from, destination: format)
    setup.quality = .high
    converter = try FrameConversion(setup)
    period = Self.period(from.sampleRate, format.sampleRate)
    totalFrames = playCount.flatMap { [length] in
      Self.frames(Outside($0) * length, from.sampleRate, format.sampleRate)
    }
    memory = OwnedMemory()
    zeros = UnsafeRawPointer(memory.array(4_096 * from.bytesPerFrame, of: UInt8(0)))
    bytesPerFrame = from.bytesPerFrame
    let isShortLoop = playCount != 1 && length > 0 && length <= Self.mostKeptFrames
    kept = isShortLoop ? memory.array(length * from.bytesPerFrame, of: UInt8(0)) : nil
    pendingFrames = memory.cell(zeros)
    outputPointers = memory.room(format.channelCount, for: UnsafeMutableRawPointer.self)
  }

  deinit { memory.deallocate() }

  private static let bufferBytes = 65_536
  /// The longest loop that is kept in memory.
  private static let mostKeptFrames = 8_192

  /// The number of output frames of `count` input frames; nil if they are more than a position can
  /// count.
  private static func frames(_ count: Outside, _ from: Double, _ to: Double) -> Int? {
    guard from != to else { return count.upTo(PlayClock.limit) }
    if let from = Int(exactly: from), let to = Int(exactly: to),
      let product = (count * to).value
    {
      let frames = Outside(product / from) + (product % from > 0 ? 1 : 0)
      return frames.upTo(PlayClock.limit)
    }
    let frames = count.value.map { (Double($0) * to / from - 1e-6).rounded(.up) }
    return Outside(frames ?? .infinity).upTo(PlayClock.limit)
  }

  /// The numbers of output and input frames of `period`.
  private static func period(_ from: Double, _ to: Double) -> (output: Int, input: Int) {
    guard let from = Int(exactly: from), let to = Int(exactly: to), from > 0, to > 0 else {
      return (max(Int(saturating: to.rounded()), 1), max(Int(saturating: from.rounded()), 1))
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
    if let kept, keptFrames == length {
      pendingFrames.pointee = UnsafeRawPointer(kept + offset * bytesPerFrame)
      pending = (0, length - offset)
      return advance(length - offset)
    }
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
    keep(count)
    advance(count)
  }

  /// Keeps frames that were read, if they belong to a short loop and follow those that it has.
  private func keep(_ count: Int) {
    guard let kept, offset == keptFrames else { return }
    UnsafeMutableRawPointer(kept + offset * bytesPerFrame).copyMemory(
      from: pendingFrames.pointee, byteCount: count * bytesPerFrame)
    keptFrames += count
  }

  private func advance(_ frames: Int) {
    offset += frames
    guard offset >= length, length > 0 else { return }
    playIndex = (Outside(playIndex) + offset / length).value ?? .max
    offset %= length
    needsSeek = true
  }

  /// Skips to about frame `target` of the output; the remaining frames stay in time. Afterwards
  /// `position` is the next frame.
  func skip(to target: Int) {
    guard !hasEnded, target > position else { return }
    let periods = target / period.output
    // As many whole periods as fit, which are not more than `target` frames.
    guard periods * period.output > position else { return }
    position = periods * period.output
    pending = (0, 0)
    converter.reset()
    (playIndex, offset) = Self.place(of: periods, period.input, in: length)
    needsSeek = true
  }

  /// The number of repetitions of `length` frames in `count * factor` frames, and the rest. The
  /// product may have twice as many bits as a number; repetitions that cannot be counted are `.max`.
  private static func place(of count: Int, _ factor: Int, in length: Int) -> (index: Int, rest: Int)
  {
    let product = count.multipliedFullWidth(by: factor)
    let (divisor, high) = (UInt(bitPattern: length), UInt(bitPattern: product.high))
    let (quotient, rest) = divisor.dividingFullWidth((high: high % divisor, low: product.low))
    let index = high < divisor ? Int(exactly: quotient) : nil
    return (index ?? .max, Int(bitPattern: rest))
  }
}
