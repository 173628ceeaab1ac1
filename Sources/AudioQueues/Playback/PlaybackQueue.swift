// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
package import CAudioToolbox
import AudioConversion
import AudioDevices
import AudioUnitCore
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing

/// The type of a playback queue's callback.
package typealias PlaybackCallback = @Sendable (AudioQueueRef, AudioQueueBufferRef) -> Void

/// A queue that plays enqueued buffers.
///
/// Its own thread decodes buffers, changes their rate and pitch, and calls the tap. The render
/// thread reads the frames from a ring, which the queue's thread fills `targetFrames` ahead. A
/// buffer is returned to the program once it is decoded.
final class PlaybackQueue: AudioQueue, @unchecked Sendable {
  enum Item {
    case buffer(EnqueuedBuffer)
    /// The codec outputs all frames of earlier buffers.
    case flush
    /// The sound ends here.
    case end
  }

  let callback: PlaybackCallback
  // Guarded by `lock`.
  var items = FirstInFirstOut<Item>()
  /// Whether the queue's thread may decode: the queue was primed or started, and is not paused.
  var mayDecode = false
  /// Whether it stops after the last enqueued buffer.
  var isEnding = false
  /// The number of returned buffers whose callbacks have not ended.
  var pendingCallbacks = 0
  var requestedDecodeFrames: Int?
  /// The number of frames that `AudioQueuePrime` requested.
  var primedFrames = 0
  var channelMap: [Int32]?
  var cookie: [UInt8] = []
  var timePitchEnabled = false
  var timePitchBypassed = false
  var timePitchAlgorithm = UInt32(kAudioQueueTimePitchAlgorithm_Spectral)
  /// Output frames still to come from the time pitch.
  var pendingOutputFrames = 0
  var offline: OfflineRendering?
  /// The thread inside `AudioQueueOfflineRender`; 0 for none.
  var offlineThread: UInt64 = 0
  /// Whether no item can be decoded before the render thread has applied some marks.
  var needsRendering = false
  var reportedGaps = 0
  private var isMeteringEnabled = false
  private(set) var renderer: UnsafeMutablePointer<PlaybackRenderer>?
  /// Renderers that were too small; manual rendering may still use one.
  private var retiredRenderers: [UnsafeMutablePointer<PlaybackRenderer>] = []
  var targetFrames = 0
  // Guarded by `control`.
  private var context: UnsafeMutablePointer<RenderContext>?
  // Accessed only by the queue's thread, or by the thread that has halted it.
  let decoder: BufferDecoder
  /// The marks at the next frame of the ring.
  var marks = Marks()
  var timePitch: TimePitch?
  /// Parameter events with the time pitch's input frames at which they take effect.
  var pendingEvents: [(frame: Int, event: AudioQueueParameterEvent)] = []

  /// The context of the render callback.
  struct RenderContext {
    let owner: OwnedMemory
    let renderer: UnsafeMutablePointer<PlaybackRenderer>
    let outputCount: Int
    /// Memory for one address per channel.
    let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  }

  /// [control thread] Creates a queue for a format; fills in missing sizes of the format.
  init(
    _ format: AudioStreamBasicDescription, on executor: any CallbackExecutor,
    _ callback: @escaping PlaybackCallback
  ) throws(AudioError) {
    let format = try QueueFormat.complete(format)
    decoder = try BufferDecoder(format)
    self.callback = callback
    super.init(format, on: executor)
  }

  deinit {
    freeContext()
    for renderer in retiredRenderers { renderer.endCell() }
    renderer?.endCell()
  }

  private func freeContext() {
    context?.pointee.owner.deallocate()
    context = nil
  }

  override var isOffline: Bool { lock.withLock { offline != nil } }

  override var position: PublishedTime.Position {
    lock.withLock { renderer }?.pointee.time.load() ?? .init()
  }

  // MARK: The device

  var channelCount: Int { Int(format.mChannelsPerFrame) }
  var sampleRate: Double { format.mSampleRate }
  private func frames(_ seconds: Double) -> Int { Int(saturating: seconds * sampleRate) }

  /// The most samples that are decoded ahead, and the most frames: of a minute, if there are not too
  /// many channels.
  private static let mostSamples = 1 << 25
  var mostDecodeFrames: Int { max(4_096, min(frames(60), Self.mostSamples / channelCount)) }

  /// [holding `control`, while stopped] Allocates the renderer with its ring.
  func prepareRenderer() throws(AudioError) -> UnsafeMutablePointer<PlaybackRenderer> {
    let cycle = (try? device()).map { Double($0.cycleFrames) / $0.sampleRate } ?? 0.01
    // Decoding packets takes time; linear PCM takes hardly any. One or two cycles must be ready.
    let ahead = format.mFormatID == kAudioFormatLinearPCM ? 0.03 : 0.1
    let target = lock.withLock {
      targetFrames = min(requestedDecodeFrames ?? frames(max(ahead, 2.5 * cycle)), mostDecodeFrames)
      return targetFrames
    }
    let room = max(frames(0.1), min(frames(0.75), Self.mostSamples / 8 / channelCount))
    let least = max(2 * target, room) + 4 * BufferDecoder.chunk
    if let renderer, renderer.pointee.ring.capacity >= least { return renderer }
    return try whileHalted {
      // Frames that are already decoded are played from the present ring.
      if let renderer, renderer.pointee.ring.fill > 0 {
        // No more is decoded ahead than this ring holds.
        let most = renderer.pointee.ring.capacity - 4 * BufferDecoder.chunk
        lock.withLock { targetFrames = min(targetFrames, most) }
        return renderer
      }
      let made = UnsafeMutablePointer.cell(
        PlaybackRenderer(
          channelCount: channelCount, sampleRate: sampleRate, capacity: least,
          parameters: parameters))
      lock.withLock {
        made.pointee.levels.isOn.store(isMeteringEnabled, ordering: .relaxed)
        if let renderer { retiredRenderers.append(renderer) }
        renderer = made
      }
      return made
    }
  }

  override var measuresLevels: Bool {
    get { lock.withLock { isMeteringEnabled } }
    set {
      lock.withLock {
        isMeteringEnabled = newValue
        renderer?.pointee.levels.isOn.store(newValue, ordering: .relaxed)
      }
    }
  }

  override func levels(inDecibels: Bool) -> [AudioQueueLevelMeterState] {
    // A renderer lives as long as the queue.
    lock.withLock { renderer }?.pointee.levels.states(inDecibels: inDecibels)
      ?? Array(
        repeating: .init(mAveragePower: inDecibels ? -120 : 0, mPeakPower: inDecibels ? -120 : 0),
        count: channelCount)
  }

  override var gaps: Int {
    let (renderer, deviceGaps) = lock.withLock { (self.renderer, self.deviceGaps) }
    return (renderer?.pointee.gapCount.load(ordering: .relaxed) ?? 0) + deviceGaps
  }

  override func setStopping(_ isStopping: Bool) {
    lock.withLock { renderer }?.pointee.isStopping.store(isStopping, ordering: .releasing)
  }

  /// [holding `control`] Connects to the device and starts its cycles.
  func startDevice(_ renderer: UnsafeMutablePointer<PlaybackRenderer>) throws(AudioError) {
    let device = try device()
    renderer.pointee.waits.store(!isPaced(device), ordering: .relaxed)
    let outputCount = channelCount == 1 && device.outputChannelCount > 1 ? 2 : channelCount
    let link = try makeLink()
    freeContext()
    let owner = OwnedMemory()
    let context = owner.cell(
      RenderContext(
        owner: owner, renderer: renderer, outputCount: outputCount,
        channels: owner.room(outputCount, for: UnsafeMutablePointer<Float>.self)))
    self.context = context
    try start(
      link,
      .init(
        format: StreamFormat(sampleRate: sampleRate, channelCount: outputCount),
        uid: lock.withLock { deviceUID },
        channelMap: outputCount == channelCount ? deviceMap(device) : nil,
        callback: AURenderCallbackStruct(
          inputProc: { renderQueue($0, $2, $4, $5) }, inputProcRefCon: context)))
  }

  /// [control thread] The format's channel for each channel of the device, if the program assigned
  /// or labeled the channels; nil: channels in order.
  private func deviceMap(_ device: Device) -> [Int32]? {
    let (map, layout) = lock.withLock { (channelMap, self.layout) }
    if let map { return map.count == device.outputChannelCount ? map : nil }
    guard let layout, let from = layout.withUnsafeBytes({ ChannelLayout($0) }),
      from.labels.count == channelCount
    else { return nil }
    let to = ChannelLayout.standard(channelCount: device.outputChannelCount)
    guard to.labels.count == device.outputChannelCount else { return nil }
    let matched = LayoutMixing.map(from: from, to: to)
    // A channel without a counterpart on the device would be lost.
    let found = Set(matched.filter { $0 >= 0 })
    return found.count == channelCount ? matched : nil
  }

  // MARK: Running

  package override func enqueue(
    _ buffer: AudioQueueBufferRef,
    _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>, options: BufferOptions?
  ) throws(AudioError) -> Int {
    try append(buffer, descriptions, options ?? BufferOptions())
  }
  package override func start(at time: AudioTimeStamp?) throws(AudioError) { try begin(at: time) }
  package override func stop(immediately: Bool) throws(AudioError) {
    if immediately { try stopNow() } else { try finishAll() }
  }
  package override func pause() throws(AudioError) { try halt() }
  package override func prime(_ frames: Int) throws(AudioError) -> Int { try prepare(frames) }
  package override func reset() throws(AudioError) {
    try controlling { () throws(AudioError) in try dropAll() }
  }
  package override func flush() throws(AudioError) {
    lock.withLock {
      guard !isDisposing, state.isActive || !items.isEmpty else { return }
      items.append(.flush)
      lock.signal()
    }
  }

  override func run() { feedUntilDisposal() }
  override func dropBuffers() { items.removeAll() }
}

/// [render thread] Supplies frames to the output unit of a queue.
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
  _ = context.pointee.renderer.pointee.render(
    UnsafePointer(channels), outputCount: count, frames: frames,
    hostTime: stamp.pointee.mHostTime, rateScalar: stamp.pointee.mRateScalar)
  return noErr
}
