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
  /// The format in the file.
  let fileFormat: AVAudioFormat
  private let queue: AudioQueueRef

  /// [control thread] Creates the file, or replaces it, and makes a queue. `onEnd` is called on the
  /// queue's thread when the recording ends by itself.
  init(
    _ url: URL, _ settings: [String: Any], onEnd: @escaping @Sendable (RecorderFeed.End) -> Void
  ) throws {
    let file = try AVAudioFile(
      forWriting: url, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: true)
    let format = file.processingFormat
    let frames = AVAudioFrameCount(min(max(format.sampleRate * Self.bufferSeconds, 64), 65_536))
    guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames) else {
      throw NSError(AudioError.outOfMemory.because("\(frames) frames of \(format)"))
    }
    let feed = RecorderFeed(file, buffer, onEnd: onEnd)
    let context = Unmanaged.passUnretained(feed).toOpaque()
    var made: AudioQueueRef?
    try Self.check(
      AudioQueueNewInput(
        format.streamDescription, RecorderFeed.inputCallback, context, nil, nil, 0, &made))
    guard let queue = made else { throw NSError(failed: kAudio_MemFullError) }
    self.feed = feed
    self.format = format
    fileFormat = file.fileFormat
    self.queue = queue
    do { try configure(context, frames) } catch {
      AudioQueueDispose(queue, true)
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
      if let buffer { try Self.check(AudioQueueEnqueueBuffer(queue, buffer, 0, nil)) }
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

  /// [any thread but the queue's] Writes what has been recorded, and closes the file. The error with
  /// which writing failed, if it did.
  func finish() -> NSError? {
    feed.willStop()
    AudioQueueStop(queue, true)
    return feed.close()
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
