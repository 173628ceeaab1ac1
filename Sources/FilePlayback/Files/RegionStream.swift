// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing

/// Regions of files that follow each other, converted to a player's sample rate and channels.
///
/// All regions, and the repetitions of a loop, are converted as one signal, so that their joints are
/// inaudible, and no fraction of a frame is lost. [one thread]
final class RegionStream {
  /// The total number of output frames of the first region; nil if it repeats for ever, or longer
  /// than a position can count.
  let totalFrames: Int?
  /// Called when all frames of the next region have gone into the conversion, with the position of its
  /// end in the output.
  var regionEnded: (Int) -> Void = { _ in }
  /// The regions of which frames are missing. All have the same format.
  private var regions: [FileRegion]
  private let converter: FrameConversion
  /// Converts the frames after `position` as if no region followed.
  private var restConverter: FrameConversion?
  /// The smallest numbers of output and input frames of exactly the same duration, for skipping. If
  /// a rate is not an integer, the numbers of about a second.
  private let period: (output: Int, input: Int)
  /// The number of output frames that were made or skipped.
  private(set) var position = 0
  /// The frames that were read and are not converted yet.
  private var pending = (next: 0, count: 0)
  /// Why the next frames cannot be read.
  private var failure: AudioError?
  private let memory: OwnedMemory
  private let pendingFrames: UnsafeMutablePointer<UnsafeRawPointer>
  private let outputPointers: UnsafeMutablePointer<UnsafeMutableRawPointer>

  /// [control thread] Opens the converter.
  init(_ region: FileRegion, to format: StreamFormat) throws(AudioError) {
    let from = region.format
    var setup = FrameConversion.Setup(source: from, destination: format)
    setup.quality = .high
    converter = try FrameConversion(setup)
    period = Self.period(from.sampleRate, format.sampleRate)
    totalFrames = region.frameCount.flatMap {
      Self.frames($0, from.sampleRate, format.sampleRate)
    }
    regions = [region]
    memory = OwnedMemory()
    pendingFrames = memory.room(1, for: UnsafeRawPointer.self)
    outputPointers = memory.room(format.channelCount, for: UnsafeMutableRawPointer.self)
  }

  deinit { memory.deallocate() }

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

  /// Whether the rate changes, so that the end of a region depends on what follows.
  var changesRate: Bool { converter.ratio != 1 }

  /// Whether all frames of all regions have gone into the conversion.
  var hasEnded: Bool { regions.isEmpty }

  /// The most frames that `makeRest` makes.
  var restCapacity: Int {
    guard changesRate else { return 0 }
    return Int(saturating: Double(2 * converter.trailingFrames + 64) / converter.ratio) + 64
  }

  /// Adds a region behind the others, of the same format.
  func append(_ region: FileRegion) {
    regions.append(region)
    endRegions()
  }

  /// Makes the next frames, at most `limit`, except those at the end that depend on what follows;
  /// returns how many. Fewer if all regions have been read.
  ///
  /// If a region cannot be read further, this returns the frames before, and throws next time.
  func make(
    _ limit: Int, into channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int
  ) throws(AudioError) -> Int {
    if let failure {
      self.failure = nil
      throw failure
    }
    setOutput(channels, channelCount)
    var count = 0
    defer { position += count }
    endRegions()
    while count < limit, let region = regions.first {
      if pending.count == 0 {
        do throws(AudioError) {
          let part = try region.read()
          pendingFrames.pointee = part.frames
          pending = (0, part.count)
        } catch {
          guard count > 0 else { throw error }
          failure = error
          break
        }
      }
      let result = converter.convert(
        FrameSpan(pendingFrames, from: pending.next, count: pending.count),
        into: FrameRoom(outputPointers, from: count, count: limit - count))
      pending.next += result.consumed
      pending.count -= result.consumed
      count += result.produced
      endRegions()
    }
    return count
  }

  /// As `make`, with the frames at the end, because no region follows.
  func makeToEnd(
    _ limit: Int, into channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int
  ) throws(AudioError) -> Int {
    let count = try make(limit, into: channels, channelCount: channelCount)
    guard hasEnded else { return count }
    let rest = converter.drain(into: FrameRoom(outputPointers, from: count, count: limit - count))
    position += rest
    return count + rest
  }

  /// Makes the frames after `position` as they are if no region follows, without moving on; returns
  /// how many: at most `restCapacity`.
  func makeRest(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int
  ) -> Int {
    // The same setup was not refused before.
    guard changesRate, let rest = restConverter ?? (try? FrameConversion(converter.setup)) else {
      return 0
    }
    restConverter = rest
    rest.copyState(of: converter)
    setOutput(channels, channelCount)
    return rest.drain(into: FrameRoom(outputPointers, from: 0, count: restCapacity))
  }

  /// Ends the next region where it is, because the rest of it cannot be read.
  func endRegion() {
    guard !regions.isEmpty else { return }
    regions.removeFirst()
    pending = (0, 0)
    regionEnded(converter.totalFrames)
    endRegions()
  }

  /// Ends the regions of which no frames are missing.
  func endRegions() {
    while pending.count == 0, let region = regions.first, region.hasEnded {
      regions.removeFirst()
      regionEnded(converter.totalFrames)
    }
  }

  private func setOutput(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ channelCount: Int
  ) {
    for channel in 0..<channelCount {
      outputPointers[channel] = UnsafeMutableRawPointer(channels[channel])
    }
  }

  /// Skips to about frame `target` of the only region; the remaining frames stay in time. Afterwards
  /// `position` is the next frame.
  func skip(to target: Int) {
    guard let region = regions.first, !region.hasEnded, target > position else { return }
    let periods = target / period.output
    // As many whole periods as fit, which are not more than `target` frames.
    guard periods * period.output > position else { return }
    position = periods * period.output
    pending = (0, 0)
    converter.reset()
    region.skip(to: periods, times: period.input)
  }
}
