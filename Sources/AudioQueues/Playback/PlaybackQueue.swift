// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
package import CAudioToolbox
import AudioConversion
import AudioDevices
import AudioUnitCore
import SignalProcessing

/// The type of a playback queue's callback.
package typealias PlaybackCallback = @Sendable (AudioQueueRef, AudioQueueBufferRef) -> Void

/// A queue that plays enqueued buffers.
///
/// Its own thread decodes buffers, changes their rate and has a tap process them; the render thread
/// reads the frames from a ring, which is filled `targetFrames` ahead. A buffer is returned once
/// decoded.
final class PlaybackQueue: AudioQueue, @unchecked Sendable {
  enum Item {
    case buffer(PlayedBuffer)
    /// The codec outputs everything before this.
    case flush
    /// The sound ends here.
    case end
  }

  let callback: PlaybackCallback
  // Guarded by `monitor`.
  var items: [Item] = []
  /// Whether the queue's thread may decode: the queue was primed or started, and is not paused.
  var mayFeed = false
  /// Whether it stops after the last enqueued buffer.
  var isEnding = false
  /// Buffers whose callbacks have not returned.
  var callsUnderWay = 0
  var wantedDecodeFrames: Int?
  /// Frames that Prime requested beyond the usual number.
  var primedFrames = 0
  var channelMap: [Int32]?
  var cookie: [UInt8] = []
  var timePitchEnabled = false
  var timePitchBypassed = false
  var timePitchAlgorithm = UInt32(kAudioQueueTimePitchAlgorithm_Spectral)
  /// Frames held by the time pitch, counted as output.
  var heldFrames = 0
  var offline: OfflineRendering?
  var isRenderingOffline = false
  var reportedGaps = 0
  private var storedMeters = false
  private(set) var side: UnsafeMutablePointer<PlaybackSide>?
  /// Sides that were too small: manual rendering may still use one.
  private var formerSides: [UnsafeMutablePointer<PlaybackSide>] = []
  var targetFrames = 0
  // Set under `control`.
  private var context: UnsafeMutablePointer<RenderContext>?
  // Belongs to the queue's thread, or to the thread that has halted it.
  let decoder: BufferDecoder
  var timePitch: TimePitch?
  /// Parameter events, each with the input frame of the time pitch at which it takes effect.
  var heldEvents: [(frame: Int, event: AudioQueueParameterEvent)] = []

  /// The context of the render callback.
  struct RenderContext {
    let owner: OwnedMemory
    let side: UnsafeMutablePointer<PlaybackSide>
    let outputCount: Int
    /// Memory for one address per channel.
    let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  }

  /// [control thread] A queue for a format; a description without sizes is completed.
  init(
    _ format: AudioStreamBasicDescription, at place: any CallbackPlace,
    _ callback: @escaping PlaybackCallback
  ) throws(AudioError) {
    let format = try Self.complete(format)
    decoder = try BufferDecoder(format)
    self.callback = callback
    super.init(format, at: place)
  }

  deinit {
    freeContext()
    for side in formerSides { side.endCell() }
    side?.endCell()
  }

  private func freeContext() {
    context?.pointee.owner.deallocate()
    context = nil
  }

  override var isOffline: Bool { monitor.withLock { offline != nil } }

  override var moment: PublishedTime.Moment {
    monitor.withLock { side }?.pointee.time.load() ?? .init()
  }

  // MARK: The device

  var channelCount: Int { Int(format.mChannelsPerFrame) }
  var sampleRate: Double { format.mSampleRate }

  /// [under control, while stopped] Allocates the ring and its surroundings.
  func layOut() throws(AudioError) -> UnsafeMutablePointer<PlaybackSide> {
    let cycle = (try? device()).map { Double($0.cycleFrames) / $0.sampleRate } ?? 0.01
    // Packets take time to decode, linear PCM hardly any; a cycle or two must be ready.
    let ahead = format.mFormatID == kAudioFormatLinearPCM ? 0.03 : 0.1
    let target = monitor.withLock {
      targetFrames = wantedDecodeFrames ?? Int(max(ahead, 2.5 * cycle) * sampleRate)
      return targetFrames
    }
    let least = max(2 * target, Int(sampleRate / 2)) + 4 * BufferDecoder.chunk
    if let side, side.pointee.ring.capacity >= least { return side }
    return try whileHalted {
      // Frames decoded already are played from where they are.
      if let side, side.pointee.ring.fill > 0 { return side }
      let made = UnsafeMutablePointer.cell(
        PlaybackSide(
          channelCount: channelCount, sampleRate: sampleRate, capacity: least,
          parameters: parameters))
      monitor.withLock {
        made.pointee.levels.isOn.store(storedMeters, ordering: .relaxed)
        if let side { formerSides.append(side) }
        side = made
      }
      return made
    }
  }

  override var measuresLevels: Bool {
    get { monitor.withLock { storedMeters } }
    set {
      monitor.withLock { storedMeters = newValue }
      control.withLock { side?.pointee.levels.isOn.store(newValue, ordering: .relaxed) }
    }
  }

  override func levels(inDecibels: Bool) -> [AudioQueueLevelMeterState] {
    control.withLock {
      side?.pointee.levels.states(inDecibels: inDecibels)
        ?? Array(
          repeating: .init(
            mAveragePower: inDecibels ? -120 : 0, mPeakPower: inDecibels ? -120 : 0),
          count: channelCount)
    }
  }

  override var gaps: Int {
    let (side, deviceGaps) = monitor.withLock { (self.side, self.deviceGaps) }
    return (side?.pointee.gapCount.load(ordering: .relaxed) ?? 0) + deviceGaps
  }

  /// Seconds between a cycle and the device's output.
  var latency: Double { control.withLock { link?.latency ?? 0 } }

  /// [under control] Connects to the device and starts its cycles.
  func startDevice(_ side: UnsafeMutablePointer<PlaybackSide>) throws(AudioError) {
    let device = try device()
    side.pointee.waits.store(!isPaced(device), ordering: .relaxed)
    let outputCount = channelCount == 1 && device.outputChannelCount > 1 ? 2 : channelCount
    let link = try makeLink()
    freeContext()
    let owner = OwnedMemory()
    let context = owner.cell(
      RenderContext(
        owner: owner, side: side, outputCount: outputCount,
        channels: owner.room(outputCount, for: UnsafeMutablePointer<Float>.self)))
    self.context = context
    try start(
      link,
      .init(
        format: StreamFormat(sampleRate: sampleRate, channelCount: outputCount),
        uid: monitor.withLock { deviceUID },
        channelMap: outputCount == channelCount ? deviceMap(device) : nil,
        callback: AURenderCallbackStruct(
          inputProc: { renderQueue($0, $2, $4, $5) }, inputProcRefCon: context)))
  }

  // MARK: Running

  package override func start(at time: AudioTimeStamp?) throws(AudioError) { try begin(at: time) }
  package override func stop(immediately: Bool) throws(AudioError) {
    if immediately { try stopNow() } else { finishAll() }
  }
  package override func pause() throws(AudioError) { try halt() }
  package override func prime(_ frames: Int) throws(AudioError) -> Int { try prepare(frames) }
  package override func reset() throws(AudioError) {
    try control.withLock { () throws(AudioError) in try dropAll() }
  }
  package override func flush() throws(AudioError) {
    monitor.withLock {
      guard state != .stopped || !items.isEmpty else { return }
      items.append(.flush)
      monitor.signal()
    }
  }

  override func run() { feedUntilDisposal() }
  override func forgetBuffers() { items.removeAll() }
}

/// [render thread] Supplies the output unit of a queue with frames.
private func renderQueue(
  _ context: UnsafeMutableRawPointer, _ stamp: UnsafePointer<AudioTimeStamp>, _ frames: UInt32,
  _ data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  guard let data else { return kAudio_ParamError }
  return fill(
    context.assumingMemoryBound(to: PlaybackQueue.RenderContext.self), stamp, Int(frames), data)
}

@_noLocks
private func fill(
  _ context: UnsafeMutablePointer<PlaybackQueue.RenderContext>,
  _ stamp: UnsafePointer<AudioTimeStamp>, _ frames: Int,
  _ data: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  let (channels, count) = (context.pointee.channels, context.pointee.outputCount)
  guard data.pointee.mNumberBuffers >= count else { return kAudio_ParamError }
  for channel in 0..<count {
    guard let memory = data.buffers[channel].mData else { return kAudio_ParamError }
    channels[channel] = memory.assumingMemoryBound(to: Float.self)
  }
  _ = context.pointee.side.pointee.render(
    UnsafePointer(channels), outputCount: count, frames: frames,
    hostTime: stamp.pointee.mHostTime, rateScalar: stamp.pointee.mRateScalar)
  return noErr
}
