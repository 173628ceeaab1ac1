// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing

/// A region of a file, with all its repetitions, as frames of the file. [one thread]
final class FileRegion {
  /// The format of its frames.
  let format: StreamFormat
  /// The first frame and the length of the region, in frames of the file.
  private let start: Int
  private let length: Int
  /// How often the region is played; nil if it repeats for ever.
  private let playCount: Int?
  private let source: FrameSource
  /// The next frame within the region, and the number of complete repetitions.
  private var offset = 0
  private var playIndex = 0
  private var needsSeek = true
  private var isZero = false
  private let memory: OwnedMemory
  private let zeros: UnsafeRawPointer
  /// The frames of a short loop, read once, because each repetition would seek in the file; nil for
  /// other regions. The first `keptFrames` are complete.
  private let kept: UnsafeMutablePointer<UInt8>?
  private var keptFrames = 0

  private static let bufferBytes = 65_536
  /// The longest loop that is kept in memory.
  private static let mostKeptFrames = 8_192
  /// The most frames of silence in place of missing ones.
  private static let mostZeros = 4_096

  /// [control thread] Opens the decoder.
  init(_ region: ScheduledAudioFileRegion, _ file: AudioFileObject) throws(AudioError) {
    source = try FrameSource(file, Self.bufferBytes)
    guard let start = Outside(region.mStartFrame).upTo(source.frameCount) else {
      throw .invalidPropertyValue.because(
        "mStartFrame is \(region.mStartFrame); the file has \(source.frameCount) frames")
    }
    self.start = start
    let rest = source.frameCount - start
    length = region.mFramesToPlay == .max ? rest : min(rest, Int(region.mFramesToPlay))
    playCount = region.mLoopCount == .max && length > 0 ? nil : Int(region.mLoopCount) + 1
    format = try StreamFormat(source.format)
    memory = OwnedMemory()
    zeros = UnsafeRawPointer(memory.array(Self.mostZeros * format.bytesPerFrame, of: UInt8(0)))
    let isShortLoop = playCount != 1 && length > 0 && length <= Self.mostKeptFrames
    kept = isShortLoop ? memory.array(length * format.bytesPerFrame, of: UInt8(0)) : nil
  }

  /// [control thread] Opens the decoder of a part of a file.
  convenience init(_ part: SoundRequest.FilePart) throws(AudioError) {
    guard let none = AudioFileID(bitPattern: UInt.max) else { throw .invalidArgument }
    try self.init(
      ScheduledAudioFileRegion(
        mTimeStamp: AudioTimeStamp(), mCompletionProc: nil, mCompletionProcUserData: nil,
        mAudioFile: none, mLoopCount: part.loops, mStartFrame: Int64(part.first),
        mFramesToPlay: part.frameCount),
      part.file)
  }

  deinit { memory.deallocate() }

  /// Whether it repeats for ever.
  var isEndless: Bool { playCount == nil }

  /// The number of its frames with all repetitions; nil if it repeats for ever.
  var frameCount: Outside? { playCount.map { Outside($0) * length } }

  /// Whether all frames have been read.
  var hasEnded: Bool { length == 0 || playCount.map { playIndex >= $0 } ?? false }

  /// Reads the next frames, at most up to the end of a repetition: at least one. They are valid until
  /// the next call.
  func read() throws(AudioError) -> (frames: UnsafeRawPointer, count: Int) {
    if let kept, keptFrames == length {
      defer { advance(length - offset) }
      return (UnsafeRawPointer(kept + offset * format.bytesPerFrame), length - offset)
    }
    if needsSeek {
      try source.seek(to: start + offset)
      needsSeek = false
      isZero = false
    }
    let remaining = length - offset
    var (frames, count) = (zeros, 0)
    if !isZero {
      let part = try source.next(remaining)
      count = part.frames
      if let bytes = part.memory { frames = UnsafeRawPointer(bytes) }
    }
    if count == 0 {
      // The file is shorter than it claims: silence keeps the following frames in time.
      isZero = true
      (frames, count) = (zeros, min(remaining, Self.mostZeros))
    }
    keep(frames, count)
    advance(count)
    return (frames, count)
  }

  /// Keeps frames that were read, if they belong to a short loop and follow those that it has.
  private func keep(_ frames: UnsafeRawPointer, _ count: Int) {
    guard let kept, offset == keptFrames else { return }
    UnsafeMutableRawPointer(kept + offset * format.bytesPerFrame).copyMemory(
      from: frames, byteCount: count * format.bytesPerFrame)
    keptFrames += count
  }

  private func advance(_ frames: Int) {
    offset += frames
    guard offset >= length, length > 0 else { return }
    playIndex = (Outside(playIndex) + offset / length).value ?? .max
    offset %= length
    needsSeek = true
  }

  /// Skips to the frame `count * factor` of all repetitions.
  func skip(to count: Int, times factor: Int) {
    (playIndex, offset) = Self.place(of: count, factor, in: length)
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
