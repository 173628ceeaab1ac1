// SPDX-License-Identifier: Apache-2.0
import AudioConversion
internal import AudioSupport
internal import CAudioToolbox
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers

/// A queue that plays enqueued buffers.
///
/// Its own thread decodes buffers, changes their rate and pitch, and calls the tap (`feeding`). The
/// render thread reads the frames from a ring (`renderers`), which the queue's thread fills ahead. A
/// buffer is returned to the program once it is decoded. The queue itself starts and stops them.
final class PlaybackQueue: AudioQueue, @unchecked Sendable {
  let renderers: PlaybackRenderers
  let feeding: PlaybackFeeding
  private let offline: OfflinePlayback
  // Guarded by `lock`.
  /// The format's channel for each channel of the device, as the program assigned them.
  var channelMap: [Int32]?
  var cookie: [UInt8] = []
  // Guarded by `control`.
  private var context: UnsafeMutablePointer<PlaybackContext>?

  /// [control thread] Creates a queue for a format; fills in missing sizes of the format.
  init(
    _ format: AudioStreamBasicDescription, on executor: any CallbackExecutor,
    _ callback: @escaping PlaybackCallback
  ) throws(AudioError) {
    let core = QueueCore(try QueueFormat.complete(format), on: executor)
    renderers = PlaybackRenderers(core)
    feeding = try PlaybackFeeding(core, renderers, callback)
    offline = OfflinePlayback(core, feeding, renderers)
    super.init(core)
  }

  deinit { if let context { PlaybackContext.free(context) } }

  var channelCount: Int { Int(format.mChannelsPerFrame) }
  override var isOffline: Bool { lock.withLock { feeding.offline.isOn } }
  override var converterError: OSStatus { feeding.decoderError }

  override var position: QueuePosition {
    renderers.renderer?.pointee.position ?? .init()
  }

  override var measuresLevels: Bool {
    get { renderers.measuresLevels }
    set { renderers.measuresLevels = newValue }
  }

  override func levels(inDecibels: Bool) -> [AudioQueueLevelMeterState] {
    renderers.levels(inDecibels: inDecibels)
  }

  override var gaps: Int {
    let (renderer, deviceGaps) = lock.withLock { (renderers.current, self.deviceGaps) }
    return (renderer?.pointee.gapCount.load(ordering: .relaxed) ?? 0) + deviceGaps
  }

  // MARK: Buffers

  package override func enqueue(
    _ reference: AudioQueueBufferRef,
    _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>, options: BufferOptions?
  ) throws(AudioError) -> Int {
    try lock.withLock { () throws(AudioError) in
      guard !isDisposing else { throw .queueDisposal }
      guard !access.bufferUse.returnsBuffers else { throw .queueEnqueueDuringReset }
      return try feeding.append(
        try buffers.buffer(reference), descriptions, options ?? BufferOptions())
    }
  }

  package override func flush() throws(AudioError) {
    lock.withLock {
      guard !isDisposing, state.isActive || !feeding.items.isEmpty else { return }
      feeding.items.append(.flush)
      lock.signal()
    }
  }

  package override func reset() throws(AudioError) {
    try access.controlling { () throws(AudioError) in try feeding.dropAll() }
  }

  override func dropBuffers() { _ = feeding.items.removeBuffers() }

  /// [control thread] Sets the magic cookie of the decoder.
  func set(cookie: [UInt8]) throws(AudioError) {
    try feeding.setCookie(cookie)
    lock.withLock { self.cookie = cookie }
  }

  // MARK: The device

  override func setStopping(_ isStopping: Bool) {
    renderers.renderer?.pointee.isStopping.store(isStopping, ordering: .releasing)
  }

  /// [holding `control`, while stopped] Allocates the renderer with its ring.
  private func prepareRenderer() throws(AudioError) -> UnsafeMutablePointer<PlaybackRenderer> {
    try renderers.prepare(
      cycle: (try? device()).map { Double($0.cycleFrames) / $0.sampleRate } ?? 0.01)
  }

  /// [holding `control`] Connects to the device and starts its cycles.
  private func startDevice(_ renderer: UnsafeMutablePointer<PlaybackRenderer>) throws(AudioError) {
    let device = try device()
    renderer.pointee.waits.store(!isPaced(device), ordering: .relaxed)
    let outputCount = channelCount == 1 && device.outputChannelCount > 1 ? 2 : channelCount
    let link = try makeLink()
    if let context { PlaybackContext.free(context) }
    let context = PlaybackContext.make(renderer, outputCount: outputCount)
    self.context = context
    let (uid, map, layout) = lock.withLock { (deviceUID, channelMap, self.layout) }
    let deviceMap =
      outputCount == channelCount
      ? ChannelAssignments.map(
        map, layout, channelCount: channelCount, to: device.outputChannelCount) : nil
    try start(
      link,
      .init(
        format: StreamFormat(sampleRate: format.mSampleRate, channelCount: outputCount), uid: uid,
        channelMap: deviceMap, layout: outputCount == channelCount ? layout : nil,
        callback: PlaybackContext.callback(context)))
  }

  /// [control thread, while stopped] Assigns each channel of the format to a channel of the device.
  func assign(_ assignments: [ChannelAssignment]) throws(AudioError) {
    try access.requireStopped()
    let (uid, map) = try ChannelAssignments.parse(assignments, channelCount: channelCount)
    lock.withLock {
      channelMap = map
      deviceUID = uid
    }
    notify(kAudioQueueProperty_CurrentDevice)
  }

  // MARK: Running

  /// The longest time in seconds that a start waits for the first frames, and that priming waits for
  /// the next ones.
  private static let frameTimeouts = (start: 0.3, priming: 2.0)

  /// [control thread] Starts or resumes.
  package override func start(at time: AudioTimeStamp?) throws(AudioError) {
    try access.controlling(isStart: true) { () throws(AudioError) in
      switch lock.withLock({ state }) {
      case .disposing: throw .queueDisposal
      case .stopping: throw .queueRunState.because("the queue is being stopped")
      case .running, .lost: return
      case .paused: try resume()
      case .stopped:
        try lock.withLock { () throws(AudioError) in try feeding.offline.requireNoRender() }
        let hostTime = try startTime(time)
        let renderer = try prepareRenderer()
        renderer.pointee.begin(at: hostTime)
        lock.withLock { lastTime = -.infinity }
        if isOffline {
          // The caller of AudioQueueOfflineRender decodes the frames; there is nothing to wait for.
          renderer.pointee.waits.store(false, ordering: .relaxed)
          renderer.pointee.stopsWhenDry.store(true, ordering: .relaxed)
          lock.withLock {
            state.move(to: .running)
            feeding.items.mayDecode = true
          }
        } else {
          try startOnDevice(renderer)
        }
        notify(kAudioQueueProperty_IsRunning)
      }
    }
  }

  private func startOnDevice(_ renderer: UnsafeMutablePointer<PlaybackRenderer>) throws(AudioError)
  {
    renderer.pointee.stopsWhenDry.store(false, ordering: .relaxed)
    try allowDecoding()
    let deadline = rt_host_time() + UInt64(saturating: Self.frameTimeouts.start * 1e9)
    feeding.awaitFrames(renderers.targetFrames) {
      access.stopRequests == 0 && rt_host_time() < deadline
    }
    guard !lock.withLock({ isDisposing }) else { throw .queueDisposal }
    do throws(AudioError) { try startDevice(renderer) } catch {
      throw error.status == kAudioQueueErr_InvalidDevice ? error : error.asStatus(.queueCannotStart)
    }
    lock.withLock {
      state.move(to: .running)
      renderers.primedFrames = 0
      lock.signal()
    }
  }

  private func resume() throws(AudioError) {
    renderers.current?.pointee.resume()
    lock.withLock {
      feeding.items.mayDecode = true
      lock.signal()
    }
    do throws(AudioError) { try resumeDevice() } catch { throw error.asStatus(.queueCannotStart) }
    lock.withLock {
      state.move(to: .running)
      lock.signal()
    }
  }

  /// The host time of a start; 0 means immediately.
  private func startTime(_ time: AudioTimeStamp?) throws(AudioError) -> UInt64 {
    guard let time, !time.mFlags.isEmpty else { return 0 }
    let rate = (try? device())?.sampleRate ?? format.mSampleRate
    guard let hostTime = QueueClock(sampleRate: rate).hostTime(of: time) else {
      throw .invalidArgument.because("inStartTime has neither a sample time nor a host time")
    }
    return hostTime
  }

  /// [holding `control`] Lets the queue's thread decode.
  private func allowDecoding() throws(AudioError) {
    try lock.withLock { () throws(AudioError) in
      feeding.items.mayDecode = true
      feeding.items.needsRendering = false
      try startThread()
      feeding.expectFrames()
      lock.signal()
    }
  }

  /// [control thread] Decodes ahead of the start; returns how many frames are ready.
  package override func prime(_ frames: Int) throws(AudioError) -> Int {
    let prepared = try access.controlling(isStart: true) {
      () throws(AudioError) -> (UnsafeMutablePointer<PlaybackRenderer>, Int)? in
      // After the start it has no effect.
      guard lock.withLock({ state == .stopped }), !isOffline else { return nil }
      let renderer = try prepareRenderer()
      let most = renderer.pointee.ring.capacity - 4 * BufferDecoder.chunk
      let requested = frames > 0 ? min(frames, most) : lock.withLock { renderers.targetFrames }
      lock.withLock { renderers.primedFrames = requested }
      try allowDecoding()
      return (renderer, requested)
    }
    guard let (renderer, requested) = prepared else { return 0 }
    // Decoding may take long, so other threads may start or stop the queue meanwhile.
    var (written, since) = (-1, UInt64(0))
    feeding.awaitFrames(requested) {
      if renderer.pointee.ring.written != written {
        (written, since) = (renderer.pointee.ring.written, rt_host_time())
      }
      return rt_host_time() < since + UInt64(saturating: Self.frameTimeouts.priming * 1e9)
    }
    let (fill, isLate) = lock.withLock {
      let fill = renderer.pointee.ring.fill
      let isWaiting = state == .stopped && feeding.items.canDecode && !feeding.items.isEmpty
      return (fill, isWaiting && fill < requested && !access.isInTapCallback)
    }
    guard !isLate else { throw .queuePrimeTimedOut.because("\(fill) of \(requested) frames") }
    return min(fill, frames > 0 ? frames : .max)
  }

  /// [control thread] Pauses.
  package override func pause() throws(AudioError) {
    try access.controlling {
      let isOffline = isOffline
      let hasChanged = lock.withLock {
        guard state.runs else { return false }
        feeding.items.mayDecode = false
        feeding.expectFrames()
        state = .paused
        return true
      }
      guard hasChanged else { return }
      if !isOffline { stopDevice() }
    }
  }

  /// [control thread] Stops when everything enqueued has been played.
  private func finishAll() throws(AudioError) {
    try access.controlling {
      lock.withLock {
        guard state.isActive, !feeding.items.isEnding else { return }
        feeding.items.end()
        feeding.expectFrames()
        lock.signal()
      }
    }
  }

  /// [holding `control`] Stops the queue after everything has been played.
  private func stopAtEnd() {
    guard lock.withLock({ feeding.items.isEnding && state.beginStop() }) else { return }
    if !isOffline { stopDevice() }
    lock.withLock {
      feeding.items.cancelEnd()
      state.move(to: .stopped)
      feeding.items.mayDecode = false
      feeding.expectFrames()
    }
    notify(kAudioQueueProperty_IsRunning)
    disposeIfRequested()
  }

  /// [control thread] Stops immediately.
  private func stopNow() throws(AudioError) {
    var failure: AudioError?
    var wasActive = false
    try access.controlling { () throws(AudioError) in
      try access.requireNoTapCallback()
      let isOffline = isOffline
      wasActive = lock.withLock {
        feeding.items.mayDecode = false
        feeding.expectFrames()
        lock.signal()
        return state.beginStop()
      }
      if wasActive, !isOffline { stopDevice() }
      lock.withLock {
        feeding.items.cancelEnd()
        renderers.primedFrames = 0
      }
      do throws(AudioError) { try feeding.dropAll() } catch { failure = error }
      if wasActive { lock.withLock { state.move(to: .stopped) } }
    }
    // The queue has stopped, even if a tap's callback prevents the return of its buffers.
    if wasActive { notify(kAudioQueueProperty_IsRunning) }
    disposeIfRequested()
    if let failure { throw failure }
  }

  package override func stop(immediately: Bool) throws(AudioError) {
    if immediately { try stopNow() } else { try finishAll() }
  }

  // MARK: The queue's thread

  override func run() {
    while true {
      switch feeding.next() {
      case .feed: if !feeding.feed() { feeding.awaitRendering() }
      case .reportGaps(let count):
        Explanations.log(
          "audio queue: ran dry \(count) time\(count == 1 ? "" : "s"): buffers were enqueued too "
            + "late; enqueue more of them, or larger ones")
        notify(AudioQueuePropertyID(kAUDiagnosticsProperty_Xruns))
      case .reachEnd: reachEnd()
      case .loseDevice: loseDevice()
      case .exit: return
      }
    }
  }

  /// Everything has been rendered: waits until it has been played, then stops.
  private func reachEnd() {
    var latency: Double?
    while latency == nil, mayEnd { access.controllingIfFree { latency = link?.latency ?? 0 } }
    let seconds = min(max(latency ?? 0, 0), 0.5)
    let end = rt_host_time() + UInt64(saturating: seconds * 1e9)
    while mayEnd, rt_host_time() < end { lock.withLock { _ = lock.wait(until: end) } }
    while mayEnd { access.controllingIfFree { stopAtEnd() } }
  }

  /// Whether the run that has been rendered is still the current one.
  private var mayEnd: Bool { lock.withLock { !isDisposing && feeding.hasReachedEnd } }

  // MARK: Rendering to memory

  package override func setOfflineFormat(_ format: AudioStreamBasicDescription?, layout: [UInt8]?)
    throws(AudioError)
  {
    try offline.set(format, layout: layout, own: lock.withLock { self.layout })
  }

  package override func render(into reference: AudioQueueBufferRef, frames: Int)
    throws(AudioError)
  {
    let (buffer, rendering) = try lock.withLock {
      () throws(AudioError) -> (QueueBuffer, OfflineRendering) in
      guard !isDisposing else { throw .queueDisposal }
      let buffer = try buffers.buffer(reference)
      return (buffer, try offline.begin(buffer, frames: frames))
    }
    defer { offline.end(buffer) }
    if offline.render(frames, into: buffer, rendering) { access.control.withLock { stopAtEnd() } }
  }
}
