// SPDX-License-Identifier: Apache-2.0
package import AudioSupport
package import CAudioToolbox
import Glibc
import SignalProcessing

/// The common part of playback and recording queues: a handle, buffers, listeners, parameters.
///
/// Three kinds of threads are involved. The program's threads call the methods, at any time. The
/// queue's own thread decodes or encodes. The device's thread renders, and accesses only a
/// `PlaybackRenderer` or `CaptureRenderer`. The program's callbacks are called on the queue's
/// executor, while the queue holds no lock.
package class AudioQueue: Disposable, @unchecked Sendable {
  /// All queues of the process.
  package static let handles = HandleTable<AudioQueue, AudioQueueRef>(kind: 0x18)

  let core: QueueCore
  // Guarded by `lock`.
  var buffers = BufferTable()
  var timelines = Timelines()
  var deviceUID: String?
  var layout: [UInt8]?
  var codecPolicy: UInt32 = 0
  /// The number of gaps in time that the device caused.
  var deviceGaps = 0
  /// The last reported time.
  var lastTime = -Double.infinity
  /// The queue's own thread.
  private var thread: WorkerThread?
  /// The link to the device; set under `control`.
  var link: DeviceLink?

  init(_ core: QueueCore) { self.core = core }

  var format: AudioStreamBasicDescription { core.format }
  /// Who may change the queue.
  var access: QueueAccess { core.access }
  var lock: ConditionLock { core.access.lock }
  /// [holding `lock`] What the queue is doing.
  var state: QueueState {
    get { core.access.state }
    set { core.access.state = newValue }
  }
  /// [holding `lock`]
  var isDisposing: Bool { core.access.isDisposing }
  var handle: AudioQueueRef? { core.calls.handle }

  // MARK: Life

  /// [control thread] Creates the handle of a new queue.
  func register() throws(AudioError) -> AudioQueueRef {
    let handle = try Self.handles.insert(self)
    core.calls.handle = handle
    return handle
  }

  /// [any thread] Runs `body` on the queue behind a handle; the queue lives until `body` returns.
  package static func use(
    _ handle: AudioQueueRef, _ body: (AudioQueue) throws(AudioError) -> Void
  ) throws(AudioError) {
    guard let entered = handles.enter(handle) else { throw .stale("audio queue") }
    defer { handles.leave(handle) }
    try body(entered.takeUnretainedValue())
  }

  /// [control thread] Disposes of the queue behind a handle: immediately, or when all enqueued
  /// buffers have been played.
  package static func dispose(_ handle: AudioQueueRef, immediately: Bool) throws(AudioError) {
    guard let entered = handles.enter(handle) else { throw .stale("audio queue") }
    let queue = entered.takeUnretainedValue()
    let finishesPlayback = !immediately && queue.hasSoundToPlay
    if !finishesPlayback { queue.beginDisposal() }
    handles.leave(handle)
    guard finishesPlayback else { return try handles.dispose(handle, kind: "audio queue") }
    guard handles.invalidate(handle) else { throw .stale("audio queue") }
    queue.stopCallbacks()
    queue.lock.withLock { queue.access.disposesWhenStopped = true }
    queue.stopAndDispose()
  }

  /// [any thread] Plays all enqueued buffers; then the queue disposes of itself.
  private func stopAndDispose() {
    do throws(AudioError) { try stop(immediately: false) } catch {
      // This is a tap's callback, and another thread may be waiting for it.
      return Notifier.disposal.perform { [self] in stopAndDispose() }
    }
    // The queue may have stopped meanwhile.
    if lock.withLock({ !state.runs && state != .stopping }) { disposeIfRequested() }
  }

  /// [any thread] Disposes of a queue whose handle has been disposed of, once, on the disposal
  /// thread.
  func disposeIfRequested() {
    let isOurs = lock.withLock {
      defer { access.disposesWhenStopped = false }
      return access.disposesWhenStopped
    }
    guard isOurs, let number = handle?.number else { return }
    Notifier.disposal.perform {
      guard let handle = AudioQueueRef(bitPattern: number) else { return }
      Self.handles.release(handle)?.finishDisposal()
    }
  }

  /// Whether the queue is playing to a device.
  private var hasSoundToPlay: Bool {
    !isOffline && lock.withLock { state.runs || state == .stopping }
  }

  /// Wakes all threads that wait inside calls, and ends their waiting.
  private func beginDisposal() {
    lock.withLock {
      state = .disposing
      lock.signal()
    }
  }

  /// [any thread] Ends all calls of the program's callbacks.
  package func stopCallbacks() { core.calls.stop() }

  /// [control thread] Frees the queue's resources; no thread uses the queue any more.
  package func finishDisposal() {
    beginDisposal()
    stopCallbacks()
    endThread()
    access.currentTap?.end()
    for timeline in lock.withLock({ timelines.removeAll() }) { QueueTimeline.dispose(timeline) }
    core.calls.executor.stop()
    lock.withLock {
      access.tap = nil
      dropBuffers()
      buffers.removeAll()
    }
  }

  // MARK: For subclasses

  var isInput: Bool { false }
  /// Whether the queue renders to memory.
  var isOffline: Bool { false }
  /// [the queue's thread] Decodes or encodes until the queue is disposed of.
  func run() {}
  /// [holding `lock`, during disposal] Drops the enqueued buffers.
  func dropBuffers() {}

  /// [control thread] Implements the functions of these names.
  package func start(at time: AudioTimeStamp?) throws(AudioError) {}
  package func stop(immediately: Bool) throws(AudioError) {}
  /// [control thread] Implements the functions of these names.
  package func pause() throws(AudioError) {}
  package func flush() throws(AudioError) {}
  package func reset() throws(AudioError) {}
  /// [control thread] Decodes ahead; returns how many frames are ready.
  package func prime(_ frames: Int) throws(AudioError) -> Int { 0 }
  /// [control thread, while stopped] Has a playback queue render to memory; nil: to the device.
  package func setOfflineFormat(_ format: AudioStreamBasicDescription?, layout: [UInt8]?)
    throws(AudioError)
  { throw .queueType.because("a recording queue cannot render") }
  /// [control thread] Renders frames of a playback queue into a buffer, and returns used-up buffers
  /// to the program.
  package func render(into buffer: AudioQueueBufferRef, frames: Int) throws(AudioError) {
    throw .queueType.because("a recording queue cannot render")
  }
  /// [any thread] Whether the render thread must not wait for frames, or for room for them.
  func setStopping(_ isStopping: Bool) {}
  /// The position of the queue's render thread.
  var position: QueuePosition { .init() }
  /// The levels of its channels.
  func levels(inDecibels: Bool) -> [AudioQueueLevelMeterState] { [] }
  var measuresLevels: Bool {
    get { false }
    set {}
  }
  /// Gaps in the sound so far.
  var gaps: Int { 0 }
  /// [holding `lock`] The value of `kAudioQueueProperty_IsRunning`.
  var isRunning: Bool { state.hasStarted }
  /// [holding `lock`] The last error of the codec.
  var converterError: OSStatus { noErr }

  // MARK: The thread

  /// [holding `lock`] Starts the thread on which the queue decodes or encodes, unless it runs.
  func startThread() throws(AudioError) {
    guard thread == nil, !isDisposing else { return }
    let started = WorkerThread(name: "audio-queue") { [self] _ in run() }
    try started.start()
    thread = started
  }

  /// [control thread, during disposal] Ends the device's cycles, the thread and the device link.
  private func endThread() {
    access.control.withLock { stopDevice() }
    let thread = lock.withLock { () -> WorkerThread? in
      lock.signal()
      defer { self.thread = nil }
      return self.thread
    }
    thread?.stop()
    access.control.withLock {
      link?.close()
      link = nil
    }
  }

  // MARK: Buffers and parameters

  /// [control thread] Allocates a buffer.
  package func allocate(byteCount: UInt32, descriptionCount: UInt32) throws(AudioError)
    -> AudioQueueBufferRef
  {
    let buffer = try BufferTable.make(byteCount: byteCount, descriptionCount: descriptionCount)
    try lock.withLock { () throws(AudioError) in
      guard !isDisposing else { throw .queueDisposal }
      buffers.add(buffer)
    }
    return buffer.reference
  }

  /// [control thread] Frees a buffer that is not enqueued. A callback for it that is due is not
  /// called; while another thread is inside one, the buffer stays.
  package func free(_ reference: AudioQueueBufferRef) throws(AudioError) {
    try lock.withLock { () throws(AudioError) in try buffers.free(reference) }
  }

  /// [any thread but a render thread] Enqueues a buffer; returns the queue time, in frames, at
  /// which it begins.
  @discardableResult
  package func enqueue(
    _ buffer: AudioQueueBufferRef,
    _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription> = .init(
      start: nil, count: 0), options: BufferOptions? = nil
  ) throws(AudioError) -> Int { 0 }

  /// [any thread] The value of a parameter.
  package func parameter(_ id: AudioQueueParameterID) throws(AudioError) -> Float {
    guard let value = core.parameters.pointee.value(id) else { throw QueueParameters.unknown(id) }
    return value
  }

  /// [any thread] Sets a parameter.
  package func setParameter(_ id: AudioQueueParameterID, to value: Float) throws(AudioError) {
    try core.parameters.pointee.check(id, value)
    _ = core.parameters.pointee.set(id, value)
  }

  // MARK: Calling the program

  /// [any thread but a render thread] Schedules calls of a property's listeners.
  func notify(_ id: AudioQueuePropertyID) { core.calls.notify(id) }

  /// [control thread] Adds a listener, which is called after its property changed.
  package func add(_ listener: QueueListener) { core.calls.add(listener) }

  /// [control thread] Removes the listener; waits for a running call.
  package func remove(_ listener: QueueListener) { core.calls.remove(listener) }
}
