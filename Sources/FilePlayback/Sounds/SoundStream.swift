// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing
import Synchronization

/// A part of a file, read ahead into a ring as frames of a player.
final class SoundStream: @unchecked Sendable {  // the reading thread has the variables
  /// The frames, for the render thread; they exist as long as this object.
  let shared: UnsafeMutablePointer<StreamRing>
  /// The position in frames of the player at which it begins, if the program said so.
  let position: Int?
  private let frames: RegionStream
  private let channelCount: Int
  private let targets: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  /// The most frames that are read ahead, and those that are read at once.
  static let capacity = 32_768
  private static let pieceFrames = 8_192

  /// [control thread] Opens the decoder and the converter.
  init(
    _ part: SoundRequest.FilePart, at position: Int?, to format: StreamFormat
  ) throws(AudioError) {
    guard let none = AudioFileID(bitPattern: UInt.max) else { throw .invalidArgument }
    frames = try RegionStream(
      ScheduledAudioFileRegion(
        mTimeStamp: AudioTimeStamp(), mCompletionProc: nil, mCompletionProcUserData: nil,
        mAudioFile: none, mLoopCount: part.loops, mStartFrame: Int64(part.first),
        mFramesToPlay: part.frameCount),
      part.file, to: format)
    self.position = position
    channelCount = format.channelCount
    let capacity = min(max(frames.totalFrames ?? .max, 1), Self.capacity)
    shared = try .cell(StreamRing(Ring(channelCount: channelCount, reserving: capacity)))
    targets = .allocate(capacity: channelCount)
    if frames.totalFrames == 0 { shared.pointee.total.store(0, ordering: .releasing) }
  }

  deinit {
    shared.endCell()
    targets.deallocate()
  }

  /// [any thread] Whether its last frame has been read.
  var isRead: Bool { shared.pointee.total.load(ordering: .acquiring) != .max }

  /// [any thread] Whether its sound has ended, perhaps before the last frame.
  var isOver: Bool { shared.pointee.isOver.load(ordering: .acquiring) }

  /// [any thread] The frames that were read and not played.
  var fill: Int { shared.pointee.ring.fill }

  /// [any thread] Whether a read makes sense.
  var needsFrames: Bool {
    let room = shared.pointee.ring.room
    return !isRead && room >= min(Self.pieceFrames / 2, shared.pointee.ring.capacity)
  }

  /// [reading thread] Reads the next frames.
  func read() {
    let ring = shared.pointee.ring.writable
    for channel in 0..<channelCount {
      targets[channel] = shared.pointee.ring.channels[channel] + ring.lowerBound
    }
    let limit = min(ring.count, Self.pieceFrames)
    var count = 0
    var failure: AudioError?
    do throws(AudioError) {
      count = try frames.make(limit, into: targets, channelCount: channelCount)
    } catch {
      failure = error
      Explanations.log("a player stops reading a file: \(error.text)")
    }
    let end = shared.pointee.ring.written + count
    let isLast = failure != nil || count < limit || frames.totalFrames.map { end >= $0 } ?? false
    // First, so that the render thread that plays the last frame knows that it is the last.
    if isLast { shared.pointee.total.store(end, ordering: .releasing) }
    shared.pointee.ring.publish(upTo: end)
  }
}
