// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioFiles
import AudioSupport
import CAudioToolbox
import SignalProcessing

/// A region of a file as frames of a player's rate and channels, all of its turns one after the other.
///
/// The turns of a loop are converted as one signal: nothing is heard where they meet. [one thread]
final class RegionStream {
  /// Where the region begins and how long it is, in frames of the file.
  private let start: Int
  private let length: Int
  /// How often it is played; nil: without an end.
  private let turns: Int?
  /// How many frames come out in all; nil: there is no end.
  let totalFrames: Int?
  private let source: FrameSource
  private let converter: FrameConverter
  /// Frames of output and input after which both rates meet, for skipping; nil: they never do.
  private let period: (output: Int, input: Int)?
  /// The next frame of the file within the region, and the turn.
  private var place = 0
  private var turn = 0
  private var needsSeek = true
  /// How many frames came out or were left out.
  private(set) var made = 0
  /// What was read and is not converted yet.
  private var held = (next: 0, count: 0)
  private var isZero = false
  private let memory: OwnedMemory
  private let heldPlace: UnsafeMutablePointer<UnsafeRawPointer>
  private let zeros: UnsafeRawPointer
  private let room: UnsafeMutablePointer<UnsafeMutableRawPointer>

  /// [control thread] Opens what decodes and converts.
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
    turns = region.mLoopCount == .max && length > 0 ? nil : Int(region.mLoopCount) + 1
    let from = try StreamFormat(source.format)
    var setup = FrameConverter.Setup(source: from, destination: format)
    setup.quality = .high
    converter = try FrameConverter(setup)
    period = Self.period(from.sampleRate, format.sampleRate)
    totalFrames = turns.map { [length] in
      Self.frames($0 * length, from.sampleRate, format.sampleRate)
    }
    memory = OwnedMemory()
    zeros = UnsafeRawPointer(memory.array(4_096 * from.bytesPerFrame, of: UInt8(0)))
    heldPlace = memory.cell(zeros)
    room = memory.room(format.channelCount, for: UnsafeMutableRawPointer.self)
  }

  deinit { memory.deallocate() }

  private static let bufferBytes = 65_536

  /// How many frames come of so many.
  private static func frames(_ count: Int, _ from: Double, _ to: Double) -> Int {
    guard from != to else { return count }
    if let from = Int(exactly: from), let to = Int(exactly: to) {
      let (product, overflows) = count.multipliedReportingOverflow(by: to)
      if !overflows { return product / from + (product % from > 0 ? 1 : 0) }
    }
    return Int((Double(count) * to / from - 1e-6).rounded(.up))
  }

  private static func period(_ from: Double, _ to: Double) -> (output: Int, input: Int)? {
    guard let from = Int(exactly: from), let to = Int(exactly: to), from > 0, to > 0 else {
      return nil
    }
    var (a, b) = (from, to)
    while b != 0 { (a, b) = (b, a % b) }
    return (to / a, from / a)
  }

  private var hasEnded: Bool { length == 0 || turns.map { turn >= $0 } ?? false }

  /// Makes the next frames, at most so many, and says how many; none at the end.
  func make(
    _ wanted: Int, into channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int
  ) throws(AudioError) -> Int {
    for channel in 0..<channelCount { room[channel] = UnsafeMutableRawPointer(channels[channel]) }
    var count = 0
    defer { made += count }
    while count < wanted {
      let rest = FrameRoom(room, from: count, count: wanted - count)
      if held.count == 0 {
        guard !hasEnded else {
          let drained = converter.drain(into: rest)
          guard drained > 0 else { break }
          count += drained
          continue
        }
        try read()
      }
      let result = converter.convert(
        FrameSpan(heldPlace, from: held.next, count: held.count), into: rest)
      held.next += result.consumed
      held.count -= result.consumed
      count += result.produced
    }
    return count
  }

  /// Reads frames of the file, up to the end of a turn.
  private func read() throws(AudioError) {
    if needsSeek {
      try source.seek(to: start + place)
      needsSeek = false
      isZero = false
    }
    let wanted = length - place
    var count = 0
    if !isZero {
      let part = try source.next(wanted)
      count = part.frames
      if let bytes = part.memory { heldPlace.pointee = UnsafeRawPointer(bytes) }
    }
    if count == 0 {
      // The file is shorter than it says. What follows stays in time.
      isZero = true
      count = min(wanted, 4_096)
      heldPlace.pointee = zeros
    }
    held = (0, count)
    pass(count)
  }

  private func pass(_ frames: Int) {
    place += frames
    guard place >= length, length > 0 else { return }
    turn += place / length
    place %= length
    needsSeek = true
  }

  /// Leaves out what comes before about frame `target` of the output, so that the rest stays in time.
  /// The next frame is `made`.
  func skip(to target: Int) {
    guard let period, !hasEnded else { return }
    let periods = target / period.output
    guard periods * period.output > made else { return }
    made = periods * period.output
    (turn, place) = (0, 0)
    held = (0, 0)
    converter.reset()
    pass(periods * period.input)
    needsSeek = true
  }
}
