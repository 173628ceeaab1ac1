// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import AudioValues

/// A recording queue that writes one file. One thread at a time calls it.
final class RecorderQueue: @unchecked Sendable {
  private static let bufferCount = 4
  private static let bufferSeconds = 0.02

  let feed: RecorderFeed
  let format: AVAudioFormat
  private let queue: AudioQueueRef
  private let writer: BacklogWriter

  /// [control thread] Makes a queue for an empty file, whose processing format is interleaved.
  /// `onEnd` is called on a thread of the library when the recording ends by itself.
  init(_ file: AVAudioFile, onEnd: @escaping @Sendable (RecorderFeed.End) -> Void) throws {
    let format = file.processingFormat
    let frames = AVAudioFrameCount(min(max(format.sampleRate * Self.bufferSeconds, 64), 65_536))
    let writer = BacklogWriter(file)
    let feed = try RecorderFeed(writer, format, onEnd: onEnd)
    let context = Unmanaged.passUnretained(feed).toOpaque()
    var made: AudioQueueRef?
    let status = AudioQueueNewInput(
      format.streamDescription, RecorderFeed.inputCallback, context, nil, nil, 0, &made)
    guard status == noErr, let queue = made else {
      _ = writer.close()
      throw NSError(failed: status)
    }
    self.feed = feed
    self.writer = writer
    self.format = format
    self.queue = queue
    do { try configure(context, frames) } catch {
      AudioQueueDispose(queue, true)
      _ = writer.close()
      throw error
    }
  }

  deinit {
    _ = finish()
    // Afterwards no callback uses the feed.
    AudioQueueDispose(queue, true)
  }

  private func configure(_ context: UnsafeMutableRawPointer, _ frames: UInt32) throws {
    try Self.check(
      AudioQueueAddPropertyListener(
        queue, kAudioQueueProperty_IsRunning, RecorderFeed.runningListener, context))
    if let layout = format.channelLayout {
      try Self.check(
        AudioQueueSetProperty(
          queue, kAudioQueueProperty_ChannelLayout, layout.layout, UInt32(layout.bytes.count)))
    }
    for _ in 0..<Self.bufferCount {
      var buffer: AudioQueueBufferRef?
      try Self.check(
        AudioQueueAllocateBuffer(
          queue, frames * format.streamDescription.pointee.mBytesPerFrame, &buffer))
      if let buffer { try Self.check(feed.enqueue(queue, buffer)) }
    }
  }

  /// [control thread] Records from a time on, at most so many frames; continues after a pause.
  func start(at stamp: AudioTimeStamp?, frameCount: Int64?) throws {
    feed.begin(frameCount: frameCount)
    if var stamp {
      try Self.check(AudioQueueStart(queue, &stamp))
    } else {
      try Self.check(AudioQueueStart(queue, nil))
    }
  }

  /// [control thread] Pauses: the file stays open.
  func pause() { AudioQueuePause(queue) }

  /// [any thread but the queue's] Writes what has been recorded, however long the disk takes, and
  /// closes the file. The error with which writing failed, if it did.
  func finish() -> NSError? {
    feed.willStop()
    AudioQueueStop(queue, true)
    if let failure = feed.close() { return failure }
    guard writer.hasStalled, lossCount > 0 else { return nil }
    return NSError(
      AudioError(status: kAudioFileUnspecifiedError)
        .because("the disk was too slow: frames were lost"))
  }

  /// How often frames were lost.
  private var lossCount: UInt32 {
    var xruns = AUDiagnosticsXruns()
    var size = UInt32(MemoryLayout<AUDiagnosticsXruns>.size)
    AudioQueueGetProperty(
      queue, AudioQueuePropertyID(kAUDiagnosticsProperty_Xruns), &xruns, &size)
    return UInt32(clamping: xruns.mCount)
  }

  /// [control thread] Switches the level meters on or off.
  func setMetering(_ isOn: Bool) {
    var word: UInt32 = isOn ? 1 : 0
    AudioQueueSetProperty(queue, kAudioQueueProperty_EnableLevelMetering, &word, 4)
  }

  /// [control thread] Decibels of each channel, average and peak.
  var levels: [AudioQueueLevelMeterState] {
    var levels = [AudioQueueLevelMeterState](
      repeating: AudioQueueLevelMeterState(mAveragePower: -160, mPeakPower: -160),
      count: Int(format.channelCount))
    var size = UInt32(levels.count * MemoryLayout<AudioQueueLevelMeterState>.stride)
    AudioQueueGetProperty(queue, kAudioQueueProperty_CurrentLevelMeterDB, &levels, &size)
    return levels
  }

  private static func check(_ status: OSStatus) throws {
    guard status == noErr else { throw NSError(failed: status) }
  }
}
