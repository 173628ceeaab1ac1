// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox
public import AudioValues

/// Plays a sound file, or one in memory, through a device.
///
/// One thread at a time uses a player. A player that nobody holds stops.
open class AVAudioPlayer: NSObject {
  private enum State { case stopped, prepared, playing, paused }

  private let source: SoundSource
  private let fileURL: URL?
  private let contents: Data?
  /// How a run of the queue has ended, until the next call.
  private let lastEnd = Guarded<(run: Int, end: PlayerFeed.End)?>(nil)
  private var queue: PlayerQueue?
  /// The number of the queue's current run.
  private var run = 0
  private var state = State.stopped
  /// The frame to continue from; while a queue plays, it knows better.
  private var restingFrame = 0.0
  private var hasTimePitch = false
  private var parameters = (volume: Float(1), pan: Float(0), rate: Float(1), loops: 0)
  private var levels: [AudioQueueLevelMeterState] = []
  private var deviceUID: String?
  private var assignedChannels: [AVAudioSessionChannelDescription]?

  // MARK: Initializers

  /// Opens a sound file.
  public init(contentsOf url: URL) throws {
    source = try SoundSource(url, hint: nil)
    fileURL = url
    contents = nil
  }

  /// Opens a sound in memory: the contents of a file.
  public init(data: Data) throws {
    source = try SoundSource(data, hint: nil)
    fileURL = nil
    contents = data
  }

  /// Opens a sound file. The hint is the type identifier of a file whose contents do not say what
  /// they are.
  public init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
    source = try SoundSource(url, hint: utiString)
    fileURL = url
    contents = nil
  }

  /// Opens a sound in memory: the contents of a file. The hint is the type identifier of one that
  /// does not say what it is.
  public init(data: Data, fileTypeHint utiString: String?) throws {
    source = try SoundSource(data, hint: utiString)
    fileURL = nil
    contents = data
  }

  // MARK: Playing

  /// Makes everything ready, so that `play()` starts without delay; false if that is impossible.
  @discardableResult
  open func prepareToPlay() -> Bool {
    takeOverEnd()
    guard state == .stopped else { return true }
    return succeeds("prepareToPlay") { try prepare() }
  }

  /// Plays, or continues after a pause; false if that is impossible, for example without a device.
  @discardableResult
  open func play() -> Bool { play(at: nil) }

  /// Plays at a time of the device, in seconds as those of `deviceCurrentTime`; at once if it is
  /// over.
  @discardableResult
  open func play(atTime time: TimeInterval) -> Bool {
    var stamp: AudioTimeStamp?
    return succeeds("play") { stamp = try AudioTimeStamp(deviceTime: time) } && play(at: stamp)
  }

  private func play(at stamp: AudioTimeStamp?) -> Bool {
    takeOverEnd()
    guard state != .playing else { return true }
    // Only a start has a time.
    if stamp != nil, state == .paused { halt() }
    let hasStarted = succeeds("play") {
      if state == .stopped { try prepare() }
      try queue?.start(at: stamp)
    }
    if hasStarted { state = .playing }
    return hasStarted
  }

  /// Pauses: the sound stays ready to continue.
  open func pause() {
    takeOverEnd()
    guard state == .playing else { return }
    queue?.pause()
    state = .paused
  }

  /// Stops, and undoes `prepareToPlay()`. `currentTime` stays.
  open func stop() {
    takeOverEnd()
    halt()
    queue = nil
  }

  /// Whether it plays, or waits for the time of `play(atTime:)`.
  open var isPlaying: Bool {
    takeOverEnd()
    return state == .playing
  }

  /// Stops the queue, and keeps the frame.
  private func halt() {
    if state == .playing || state == .paused, let queue { restingFrame = queue.frame }
    if state != .stopped { queue?.stop() }
    state = .stopped
  }

  /// Fills the buffers of the queue, which is made if there is none.
  private func prepare() throws {
    let queue = try self.queue ?? makeQueue()
    self.queue = queue
    if hasTimePitch != enableRate {
      hasTimePitch = enableRate
      queue.setTimePitch(enableRate)
    }
    queue.setRate(enableRate ? parameters.rate : 1)
    if restingFrame >= Double(source.length) { restingFrame = 0 }
    run += 1
    try queue.prepare(run, at: restingFrame)
    state = .prepared
  }

  private func makeQueue() throws -> PlayerQueue {
    let player = MainQueueCall(self)
    let queue = try PlayerQueue(source) { [lastEnd] run, end in
      lastEnd.withLock { $0 = (run, end) }
      player { $0.tellDelegate(end) }
    }
    hasTimePitch = false
    queue.setLoops(parameters.loops)
    queue.set(kAudioQueueParam_Volume, parameters.volume)
    queue.set(kAudioQueueParam_Pan, parameters.pan)
    try queue.setFlag(kAudioQueueProperty_EnableLevelMetering, isMeteringEnabled)
    if let deviceUID { try queue.setDevice(deviceUID) }
    if let assignedChannels { try queue.setChannels(assignedChannels) }
    return queue
  }

  private func succeeds(_ call: String, _ body: () throws -> Void) -> Bool {
    do {
      try body()
      return true
    } catch {
      Explanations.log("AVAudioPlayer: \(call): \((error as NSError).localizedDescription)")
      return false
    }
  }

  // MARK: The end

  private func tellDelegate(_ end: PlayerFeed.End) {
    switch end {
    case .complete: delegate?.audioPlayerDidFinishPlaying(self, successfully: true)
    case .interrupted: delegate?.audioPlayerDidFinishPlaying(self, successfully: false)
    case .undecodable(let error):
      delegate?.audioPlayerDecodeErrorDidOccur(self, error: error)
      delegate?.audioPlayerDidFinishPlaying(self, successfully: false)
    }
  }

  /// If the sound has ended since the last call, the player is stopped, at the beginning.
  private func takeOverEnd() {
    let last = lastEnd.withLock { $0.take() }
    guard let last, last.run == run, state == .playing || state == .paused else { return }
    if case .complete = last.end { restingFrame = 0 } else { restingFrame = queue?.frame ?? 0 }
    state = .stopped
  }

  /// Receives events on the main queue.
  open weak var delegate: (any AVAudioPlayerDelegate)?

  // MARK: The sound

  /// The file; nil for a sound in memory.
  open var url: URL? { fileURL }

  /// The contents of the file in memory; nil if the player was made with a URL.
  open var data: Data? { contents }

  /// The format in the file.
  open var format: AVAudioFormat { source.fileFormat }

  /// The format in the file, as settings.
  open var settings: [String: Any] { source.fileFormat.settings }

  /// The number of channels of the sound.
  open var numberOfChannels: Int { Int(source.format.channelCount) }

  /// Seconds of the sound at rate 1.
  open var duration: TimeInterval { TimeInterval(source.length) / source.format.sampleRate }

  // MARK: Time

  /// The position in the sound, in seconds. A position after the end is the end, one before the
  /// beginning the beginning; NaN changes nothing. At the end a player that plays has finished.
  open var currentTime: TimeInterval {
    get {
      takeOverEnd()
      let isActive = state == .playing || state == .paused
      let frame = isActive ? queue?.frame ?? restingFrame : restingFrame
      return frame / source.format.sampleRate
    }
    set {
      takeOverEnd()
      guard !newValue.isNaN else { return }
      let wasPlaying = state == .playing
      halt()
      restingFrame = min(max(newValue * source.format.sampleRate, 0), Double(source.length))
      guard wasPlaying else { return }
      if restingFrame < Double(source.length) || parameters.loops != 0 {
        play()
      } else {
        restingFrame = 0
        MainQueueCall(self) { $0.tellDelegate(.complete) }
      }
    }
  }

  /// The time of the device, in seconds, for `play(atTime:)`.
  open var deviceCurrentTime: TimeInterval {
    AVAudioTime.seconds(forHostTime: AudioGetCurrentHostTime())
  }

  // MARK: How it sounds

  /// The gain, from 0 to 1.
  open var volume: Float {
    get { parameters.volume }
    set { setVolume(newValue, fadeDuration: 0) }
  }

  /// Changes the volume over a number of seconds.
  open func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) {
    guard !volume.isNaN else { return }
    parameters.volume = min(max(volume, 0), 1)
    queue?.set(kAudioQueueParam_VolumeRampTime, Float(min(max(duration, 0), 1e6)))
    queue?.set(kAudioQueueParam_Volume, parameters.volume)
  }

  /// The position between left, -1, and right, 1.
  open var pan: Float {
    get { parameters.pan }
    set {
      guard !newValue.isNaN else { return }
      parameters.pan = min(max(newValue, -1), 1)
      queue?.set(kAudioQueueParam_Pan, parameters.pan)
    }
  }

  /// Whether `rate` has an effect. Takes effect when the player is prepared the next time.
  open var enableRate = false

  /// The speed, from 0.5 to 2, at the same pitch; it has an effect if `enableRate` is true.
  open var rate: Float {
    get { parameters.rate }
    set {
      guard !newValue.isNaN else { return }
      parameters.rate = min(max(newValue, 0.5), 2)
      if hasTimePitch { queue?.setRate(parameters.rate) }
    }
  }

  /// How often the sound is repeated; below zero, until `stop()`. A change while it plays comes too
  /// late when the last frame has been decoded: 0.03 seconds, or 2.5 cycles of the device, before it
  /// is played.
  open var numberOfLoops: Int {
    get { parameters.loops }
    set {
      parameters.loops = newValue
      queue?.setLoops(newValue)
      // Fewer repetitions than the buffers contain already.
      guard state == .prepared else { return }
      halt()
      prepareToPlay()
    }
  }

  // MARK: Levels

  /// Whether levels are measured.
  open var isMeteringEnabled = false {
    didSet { try? queue?.setFlag(kAudioQueueProperty_EnableLevelMetering, isMeteringEnabled) }
  }

  /// Takes the levels that `averagePower(forChannel:)` and `peakPower(forChannel:)` return.
  open func updateMeters() {
    takeOverEnd()
    levels = isMeteringEnabled && state == .playing ? queue?.levels ?? [] : []
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
    guard levels.indices.contains(channel) else { return -160 }
    return max(-160, min(levels[channel][keyPath: field], 0))
  }

  // MARK: The device

  /// The UID of the device; nil means the default one. A new device is used from the next start on;
  /// one that does not exist changes nothing.
  open var currentDevice: String? {
    get { deviceUID }
    set { reroute(newValue, nil) }
  }

  /// The channels of a device on which the channels of the sound are played; nil means the first
  /// ones. They are used from the next start on; ones that do not exist change nothing.
  open var channelAssignments: [AVAudioSessionChannelDescription]? {
    get { assignedChannels }
    set { reroute(deviceUID, newValue) }
  }

  /// Sets the device and its channels, if they exist.
  private func reroute(_ uid: String?, _ channels: [AVAudioSessionChannelDescription]?) {
    takeOverEnd()
    let (wasPlaying, before) = (state == .playing, (deviceUID, assignedChannels))
    halt()
    queue = nil
    (deviceUID, assignedChannels) = (uid, channels)
    let exists = succeeds("currentDevice or channelAssignments") { queue = try makeQueue() }
    if !exists { (deviceUID, assignedChannels) = before }
    if wasPlaying { play() }
  }
}
