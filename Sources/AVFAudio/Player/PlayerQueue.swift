// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import AudioValues

/// A playback queue for one sound: starts at any frame, and knows which frame is played.
///
/// One thread at a time calls it.
final class PlayerQueue {
  private static let bufferCount = 4
  private static let bufferSeconds = 0.1

  let feed: PlayerFeed
  private let source: SoundSource
  private let queue: AudioQueueRef
  /// The queue's time, and the frame of the sound that is played then; later frames follow at the
  /// rate.
  private var anchor = (time: 0.0, frame: 0.0)
  private var rate = 1.0

  /// [control thread] Makes a queue. `onEnd` is called on the queue's thread.
  init(_ source: SoundSource, onEnd: @escaping @Sendable (Int, PlayerFeed.End) -> Void) throws {
    let feed = PlayerFeed(source, onEnd: onEnd)
    let context = Unmanaged.passUnretained(feed).toOpaque()
    var made: AudioQueueRef?
    try Self.check(
      AudioQueueNewOutput(
        source.format.streamDescription, PlayerFeed.outputCallback, context, nil, nil, 0, &made))
    guard let queue = made else { throw NSError(failed: kAudio_MemFullError) }
    self.feed = feed
    self.source = source
    self.queue = queue
    do { try configure(context) } catch {
      AudioQueueDispose(queue, true)
      throw error
    }
  }

  deinit {
    feed.willStop()
    // Afterwards no callback uses the feed.
    AudioQueueDispose(queue, true)
  }

  private func configure(_ context: UnsafeMutableRawPointer) throws {
    try Self.check(
      AudioQueueAddPropertyListener(
        queue, kAudioQueueProperty_IsRunning, PlayerFeed.runningListener, context))
    if let layout = source.format.channelLayout {
      try Self.check(
        AudioQueueSetProperty(
          queue, kAudioQueueProperty_ChannelLayout, layout.layout, UInt32(layout.bytes.count)))
    }
    let frames = UInt32(min(max(source.format.sampleRate * Self.bufferSeconds, 512), 65_536))
    for _ in 0..<Self.bufferCount {
      var buffer: AudioQueueBufferRef?
      try Self.check(
        AudioQueueAllocateBuffer(
          queue, frames * source.format.streamDescription.pointee.mBytesPerFrame, &buffer))
      if let buffer { feed.add(buffer) }
    }
  }

  // MARK: Running

  /// [control thread] Fills the buffers from a frame on, and decodes them. The end of the run is
  /// reported with its number.
  func prepare(_ run: Int, at frame: Double) throws {
    anchor = (0, frame)
    try feed.begin(queue, run, at: Int64(frame))
    // Without a device there is nothing to prepare; the start says so.
    AudioQueuePrime(queue, 0, nil)
  }

  /// [control thread] Starts, or resumes after a pause. The time has an effect only at a start.
  func start(at stamp: AudioTimeStamp?) throws {
    if var stamp {
      try Self.check(AudioQueueStart(queue, &stamp))
    } else {
      try Self.check(AudioQueueStart(queue, nil))
    }
    feed.hasStarted(queue)
  }

  /// [control thread] Sets how often the sound is repeated.
  func setLoops(_ loops: Int) { feed.setLoops(loops, queue) }

  /// [control thread] Pauses: buffers and time stay.
  func pause() { AudioQueuePause(queue) }

  /// [control thread] Stops at once; all buffers are free afterwards.
  func stop() {
    feed.willStop()
    AudioQueueStop(queue, true)
  }

  /// [any thread] The frame that is played now, within the sound.
  var frame: Double {
    var stamp = AudioTimeStamp()
    guard AudioQueueGetCurrentTime(queue, nil, &stamp, nil) == noErr else { return anchor.frame }
    let frame = anchor.frame + max(stamp.mSampleTime - anchor.time, 0) * rate
    let length = Double(source.length)
    guard frame >= length, length > 0 else { return frame }
    return feed.hasRepeated ? frame.truncatingRemainder(dividingBy: length) : length
  }

  // MARK: Properties

  /// [control thread] Sets the rate of the sound; only with `setTimePitch(true)`.
  func setRate(_ rate: Float) {
    var stamp = AudioTimeStamp()
    if AudioQueueGetCurrentTime(queue, nil, &stamp, nil) == noErr {
      let time = max(stamp.mSampleTime, anchor.time)
      anchor = (time, anchor.frame + (time - anchor.time) * self.rate)
    }
    self.rate = Double(rate)
    set(kAudioQueueParam_PlayRate, rate)
  }

  /// [control thread, while stopped] Sets whether there are other rates than 1.
  func setTimePitch(_ isOn: Bool) { try? setFlag(kAudioQueueProperty_EnableTimePitch, isOn) }

  /// [control thread] Sets a parameter.
  func set(_ id: AudioQueueParameterID, _ value: Float) { AudioQueueSetParameter(queue, id, value) }

  /// [control thread] Switches a property on or off.
  func setFlag(_ id: AudioQueuePropertyID, _ isOn: Bool) throws {
    var word: UInt32 = isOn ? 1 : 0
    try Self.check(AudioQueueSetProperty(queue, id, &word, 4))
  }

  /// [control thread] Decibels of each channel, average and peak.
  var levels: [AudioQueueLevelMeterState] {
    var levels = [AudioQueueLevelMeterState](
      repeating: AudioQueueLevelMeterState(mAveragePower: -160, mPeakPower: -160),
      count: Int(source.format.channelCount))
    var size = UInt32(levels.count * MemoryLayout<AudioQueueLevelMeterState>.stride)
    AudioQueueGetProperty(queue, kAudioQueueProperty_CurrentLevelMeterDB, &levels, &size)
    return levels
  }

  /// [control thread, while stopped] Plays on the device with this UID; nil means the default one.
  func setDevice(_ uid: String?) throws {
    try withExtendedLifetime(uid.map { $0 as NSString }) { text in
      var address = text.map { Unmanaged.passUnretained($0).toOpaque() }
      try Self.check(
        AudioQueueSetProperty(
          queue, kAudioQueueProperty_CurrentDevice, &address,
          UInt32(MemoryLayout.size(ofValue: address))))
    }
  }

  /// [control thread, while stopped] Plays each channel on a channel of a device.
  func setChannels(_ channels: [AVAudioSessionChannelDescription]) throws {
    let uids = channels.map { $0.owningPortUID as NSString }
    try withExtendedLifetime(uids) {
      var assignments = zip(channels, uids).map { channel, uid in
        AudioQueueChannelAssignment(
          __mDeviceUID: UnsafeRawPointer(Unmanaged.passUnretained(uid).toOpaque()),
          mChannelNumber: UInt32(clamping: channel.channelNumber))
      }
      try Self.check(
        AudioQueueSetProperty(
          queue, kAudioQueueProperty_ChannelAssignments, &assignments,
          UInt32(assignments.count * MemoryLayout<AudioQueueChannelAssignment>.stride)))
    }
  }

  private static func check(_ status: OSStatus) throws {
    guard status == noErr else { throw NSError(failed: status) }
  }
}
