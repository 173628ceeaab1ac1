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

  /// Whether the device runs for the queue.
  enum RunState { case stopped, running, paused }

  /// The format of the buffers, every field filled in.
  let format: AudioStreamBasicDescription
  let executor: any CallbackExecutor
  private(set) var handle: AudioQueueRef?
  /// The calls of the program's callbacks; `stopCallbacks` removes them.
  let calls = ProgramCalls.Entry()
  private let listeners = ListenerList<QueueListener>(isReportedTo: false)
  /// Serializes starts, stops and changes of settings that are fixed while the queue runs. Its
  /// holder may wait for the queue's thread and for a cycle of the device; so these never wait for
  /// it. See `controlling`.
  let control = Lock()
  /// Guards all properties below, and those that subclasses mark as guarded.
  let lock = ConditionLock()
  var state = RunState.stopped
  /// The value of `kAudioQueueProperty_IsRunning`, which follows the device.
  var isRunning = false
  var isDisposing = false
  /// Whether the queue disposes of itself when it stops.
  var disposesWhenStopped = false
  var buffers: [AudioQueueBufferRef: QueueBuffer] = [:]
  var timelines: [AudioQueueTimelineRef: Int] = [:]
  var deviceUID: String?
  var layout: [UInt8]?
  var codecPolicy: UInt32 = 0
  var converterError: OSStatus = 0
  /// The number of gaps in time that the device caused.
  var deviceGaps = 0
  /// The last reported time.
  var lastTime = -Double.infinity
  var tap: ProcessingTap?
  /// Whether buffers are being returned.
  var isResetting = false
  /// The queue's own thread.
  var thread: WorkerThread?
  var threadID: UInt64 = 0
  /// Whether no thread may touch buffers, whether a thread is using one, and which threads.
  var isHalted = false
  var haltingThread: UInt64 = 0
  var isBusy = false
  var busyThread: UInt64 = 0
  /// The number of threads that want to stop or reset the queue. A start waits for no frames then.
  var stopRequests = 0
  /// Whether the program is starting or stopping the device, and whether the device has stopped by
  /// itself.
  var isStartingOrStopping = false
  var hasLostDevice = false
  /// The link to the device; set under `control`.
  var link: DeviceLink?
  let parameters: UnsafeMutablePointer<QueueParameters>

  init(_ format: AudioStreamBasicDescription, on executor: any CallbackExecutor) {
    self.format = format
    self.executor = executor
    parameters = .cell(QueueParameters())
  }

  deinit { parameters.endCell() }

  // MARK: Life

  /// [control thread] Creates the handle of a new queue.
  func register() throws(AudioError) -> AudioQueueRef {
    let handle = try Self.handles.insert(self)
    self.handle = handle
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
    queue.lock.withLock { queue.disposesWhenStopped = true }
    queue.stopAndDispose()
  }

  /// [any thread] Plays all enqueued buffers; then the queue disposes of itself.
  private func stopAndDispose() {
    do throws(AudioError) { try stop(immediately: false) } catch {
      // This is a tap's callback, and another thread may be waiting for it.
      return Notifier.disposal.perform { [self] in stopAndDispose() }
    }
    // The queue may have stopped meanwhile.
    if lock.withLock({ state != .running }) { disposeIfRequested() }
  }

  /// [any thread] Disposes of a queue whose handle has been disposed of, once, on the disposal
  /// thread.
  func disposeIfRequested() {
    let isOurs = lock.withLock {
      defer { disposesWhenStopped = false }
      return disposesWhenStopped
    }
    guard isOurs, let number = handle?.number else { return }
    Notifier.disposal.perform {
      guard let handle = AudioQueueRef(bitPattern: number) else { return }
      Self.handles.release(handle)?.finishDisposal()
    }
  }

  /// Whether the queue is playing to a device.
  private var hasSoundToPlay: Bool { !isOffline && lock.withLock { state == .running } }

  /// Wakes all threads that wait inside calls, and ends their waiting.
  private func beginDisposal() {
    lock.withLock {
      isDisposing = true
      lock.signal()
    }
  }

  /// [any thread] Ends all calls of the program's callbacks.
  package func stopCallbacks() {
    listeners.remove()
    ProgramCalls.shared.remove([calls])
  }

  /// [control thread] Frees the queue's resources; no thread uses the queue any more.
  package func finishDisposal() {
    beginDisposal()
    stopCallbacks()
    endThread()
    currentTap?.end()
    endTimelines()
    executor.stop()
    lock.withLock {
      tap = nil
      state = .stopped
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
  /// [any thread] Whether the render thread must not wait for frames, or for room for them.
  func setStopping(_ isStopping: Bool) {}
  /// The position of the queue's render thread.
  var position: PublishedTime.Position { .init() }
  /// The levels of its channels.
  func levels(inDecibels: Bool) -> [AudioQueueLevelMeterState] { [] }
  var measuresLevels: Bool {
    get { false }
    set {}
  }
  /// The tap that processes the sound.
  var currentTap: ProcessingTap? {
    get { lock.withLock { tap } }
    set { lock.withLock { tap = newValue } }
  }
  /// Gaps in the sound so far.
  var gaps: Int { 0 }
  /// Throws while the queue runs: the device, the layout and similar settings are fixed then.
  func requireStopped() throws(AudioError) {
    try lock.withLock { () throws(AudioError) in
      guard state == .stopped else {
        throw .queueRunState.because("the queue is \(state); stop it first")
      }
    }
  }

  // MARK: Calling the program

  /// [any thread but a render thread] Schedules a call of the program's callback for a buffer on
  /// the queue's executor, and of `completion` after it. A buffer that the program frees before is
  /// not passed to the callback.
  func callProgram(
    for buffer: QueueBuffer, _ call: @escaping @Sendable (AudioQueueRef) -> Void,
    completion: @escaping @Sendable () -> Void = {}
  ) {
    guard let number = handle?.number else { return }
    executor.perform { [weak self, calls] in
      guard let handle = AudioQueueRef(bitPattern: number) else { return }
      self?.call(for: buffer) { ProgramCalls.shared.run(calls) { call(handle) } }
      completion()
    }
  }

  /// [any thread but a render thread] Schedules calls of a property's listeners on the queue's
  /// executor.
  func notify(_ id: AudioQueuePropertyID) {
    guard let number = handle?.number else { return }
    for entry in listeners.entries(where: { $0.id == id }) {
      executor.perform {
        guard let handle = AudioQueueRef(bitPattern: number) else { return }
        entry.call { $0.call(handle) }
      }
    }
  }

  /// Records that the device has started or stopped, and notifies the listeners.
  func setRunning(_ runs: Bool) {
    let hasChanged = lock.withLock {
      defer { isRunning = runs }
      return isRunning != runs
    }
    if hasChanged { notify(kAudioQueueProperty_IsRunning) }
  }

  /// [control thread] Adds a listener, which is called after its property changed.
  package func add(_ listener: QueueListener) { listeners.add(listener) }

  /// [control thread] Removes the listener; waits for a running call.
  package func remove(_ listener: QueueListener) {
    listeners.remove(onlyFirst: true) { $0.isSame(listener) }
  }
}

/// A function of the program that observes a property.
package struct QueueListener: @unchecked Sendable {
  let id: AudioQueuePropertyID
  private let function: AudioQueuePropertyListenerProc
  private let userData: UnsafeMutableRawPointer?

  package init(
    _ id: AudioQueuePropertyID, _ function: @escaping AudioQueuePropertyListenerProc,
    _ userData: UnsafeMutableRawPointer?
  ) {
    self.id = id
    self.function = function
    self.userData = userData
  }

  /// Whether both have the same function, data and property.
  func isSame(_ other: QueueListener) -> Bool {
    id == other.id && userData == other.userData
      && unsafeBitCast(function, to: UInt.self) == unsafeBitCast(other.function, to: UInt.self)
  }

  /// Calls the function.
  func call(_ queue: AudioQueueRef) { function(userData, queue, id) }
}
