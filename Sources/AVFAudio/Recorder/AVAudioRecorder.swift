// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox
public import AudioValues

/// Records from a device to a file. [any thread but a render thread]
///
/// A recorder that nobody holds stops, and its file is complete.
open class AVAudioRecorder: NSObject, @unchecked Sendable {  // the variables are guarded by `lock`
  private enum State { case stopped, prepared, recording, paused }

  private let fileURL: URL
  private let fileFormat: AVAudioFormat
  private let requestedSettings: [String: Any]

  // Guarded by `lock`.
  private let lock = Lock()
  private var queue: RecorderQueue?
  /// The number of times a queue was made.
  private var run = 0
  private var state = State.stopped
  private var metering = false
  private var levels: [AudioQueueLevelMeterState] = []
  private weak var receiver: (any AVAudioRecorderDelegate)?

  // MARK: Initializers

  /// A recorder for a file with the format of settings. The kind of file is that of
  /// `AVAudioFileTypeKey`, or follows from the extension.
  public init(url: URL, settings: [String: Any]) throws {
    fileFormat = try Self.format(url, settings, "AVAudioRecorder.init(url:settings:)")
    fileURL = url
    requestedSettings = settings
  }

  /// A recorder for a file with a format. The kind of file follows from the extension.
  public init(url: URL, format: AVAudioFormat) throws {
    requestedSettings = format.settings
    fileFormat = try Self.format(
      url, requestedSettings, "AVAudioRecorder.init(url:format:)")
    fileURL = url
  }

  private static func format(
    _ url: URL, _ settings: [String: Any], _ call: String
  ) throws -> AVAudioFormat {
    do { return try FileRequest(url, settings, call).format } catch {
      let error = error as NSError
      throw NSError(domain: NSOSStatusErrorDomain, code: error.code, userInfo: error.userInfo)
    }
  }

  /// The file.
  open var url: URL { fileURL }

  /// The format in the file.
  open var format: AVAudioFormat { fileFormat }

  /// The settings of the file.
  open var settings: [String: Any] { format.settings.merging(requestedSettings) { $1 } }

  // MARK: Recording

  /// Creates the file, or replaces it, and makes everything ready, so that `record()` starts without
  /// delay; false if that is impossible.
  @discardableResult
  open func prepareToRecord() -> Bool {
    lock.withLock {
      guard state == .stopped else { return true }
      return succeeds("prepareToRecord") { try prepare() }
    }
  }

  /// Records, or continues after a pause; false if that is impossible, for example without a device.
  @discardableResult
  open func record() -> Bool { record(at: nil, seconds: nil) }

  /// Records from a time of the device on, in seconds as those of `deviceCurrentTime`; at once if it
  /// is over.
  @discardableResult
  open func record(atTime time: TimeInterval) -> Bool { record(at: time, seconds: nil) }

  /// Records for a number of seconds, and stops then.
  @discardableResult
  open func record(forDuration duration: TimeInterval) -> Bool {
    record(at: nil, seconds: duration)
  }

  /// Records from a time of the device on, for a number of seconds, and stops then.
  @discardableResult
  open func record(atTime time: TimeInterval, forDuration duration: TimeInterval) -> Bool {
    record(at: time, seconds: duration)
  }

  private func record(at time: TimeInterval?, seconds: TimeInterval?) -> Bool {
    lock.withLock {
      guard state != .recording else { return true }
      let hasStarted = succeeds("record") {
        // First, because preparing replaces the file.
        let frameCount = try seconds.map { try Self.frames($0, format.sampleRate) }
        let stamp = try time.map { try AudioTimeStamp(deviceTime: $0) }
        if state == .stopped { try prepare() }
        guard let queue else { return }
        queue.setMetering(metering)
        try queue.start(at: stamp, frameCount: frameCount)
      }
      if hasStarted { state = .recording }
      return hasStarted
    }
  }

  private static func frames(_ seconds: TimeInterval, _ sampleRate: Double) throws -> Int64 {
    guard seconds > 0, seconds < 1e9 else {
      throw NSError(
        AudioError.invalidArgument.because("\(seconds) seconds; expected a time above zero"))
    }
    return Int64((seconds * sampleRate).rounded())
  }

  /// Pauses: the file stays open.
  open func pause() {
    lock.withLock {
      guard state == .recording else { return }
      queue?.pause()
      state = .paused
    }
  }

  /// Stops, and closes the file.
  open func stop() { lock.withLock { finish(nil) } }

  /// Whether it records, or waits for the time of `record(atTime:)`.
  open var isRecording: Bool { lock.withLock { state == .recording } }

  /// Removes the file; false while it is being recorded, or if there is none.
  @discardableResult
  open func deleteRecording() -> Bool {
    lock.withLock {
      guard state == .stopped || state == .prepared else { return false }
      queue = nil
      state = .stopped
      return (try? FileManager.default.removeItem(at: url)) != nil
    }
  }

  private func prepare() throws {
    run += 1
    let file = try AVAudioFile(
      forWriting: url, settings: requestedSettings, commonFormat: .pcmFormatFloat32,
      interleaved: true)
    queue = try RecorderQueue(file) { [weak self, run] end in
      guard let self else { return }
      // Not on the queue's thread, for which a stop waits.
      DispatchQueue.global().async { self.queueHasEnded(run, end) }
    }
    state = .prepared
  }

  private func succeeds(_ call: String, _ body: () throws -> Void) -> Bool {
    do {
      try body()
      return true
    } catch {
      Explanations.log("AVAudioRecorder: \(call): \((error as NSError).localizedDescription)")
      return false
    }
  }

  // MARK: The end

  /// Stops because a recording has ended by itself, unless the program was faster.
  private func queueHasEnded(_ run: Int, _ end: RecorderFeed.End) {
    lock.withLock { if self.run == run { finish(end) } }
  }

  /// [under the lock] Closes the file, and tells the delegate. The queue's callbacks, for which it
  /// waits, do not need the lock.
  private func finish(_ end: RecorderFeed.End?) {
    guard let ended = queue.take() else { return }
    let failure = ended.finish()
    let hasRecorded = state != .prepared
    state = .stopped
    guard hasRecorded else { return }
    var isComplete = failure == nil
    if case .interrupted = end { isComplete = false }
    MainQueueCall(self) { [isComplete] recorder in
      if let failure {
        recorder.delegate?.audioRecorderEncodeErrorDidOccur(recorder, error: failure)
      }
      recorder.delegate?.audioRecorderDidFinishRecording(recorder, successfully: isComplete)
    }
  }

  /// Receives events on the main queue.
  open var delegate: (any AVAudioRecorderDelegate)? {
    get { lock.withLock { receiver } }
    set { lock.withLock { receiver = newValue } }
  }

  // MARK: Time

  /// Seconds of sound in the file; zero if it does not record.
  open var currentTime: TimeInterval {
    lock.withLock { queue.map { TimeInterval($0.feed.frames) / $0.format.sampleRate } ?? 0 }
  }

  /// The time of the device, in seconds, for `record(atTime:)`.
  open var deviceCurrentTime: TimeInterval {
    AVAudioTime.seconds(forHostTime: AudioGetCurrentHostTime())
  }

  // MARK: Levels

  /// Whether levels are measured.
  open var isMeteringEnabled: Bool {
    get { lock.withLock { metering } }
    set {
      lock.withLock {
        metering = newValue
        queue?.setMetering(newValue)
      }
    }
  }

  /// Takes the levels that `averagePower(forChannel:)` and `peakPower(forChannel:)` return.
  open func updateMeters() {
    lock.withLock { levels = metering && state == .recording ? queue?.levels ?? [] : [] }
  }

  /// The average level of a channel in decibels, from -160 to 0.
  @discardableResult
  open func averagePower(forChannel channelNumber: Int) -> Float {
    decibels(channelNumber, \.mAveragePower)
  }

  /// The peak level of a channel in decibels, from -160 to 0.
  @discardableResult
  open func peakPower(forChannel channelNumber: Int) -> Float {
    decibels(channelNumber, \.mPeakPower)
  }

  private func decibels(
    _ channel: Int, _ field: KeyPath<AudioQueueLevelMeterState, Float>
  ) -> Float {
    lock.withLock {
      guard levels.indices.contains(channel) else { return -160 }
      return max(-160, min(levels[channel][keyPath: field], 0))
    }
  }
}
