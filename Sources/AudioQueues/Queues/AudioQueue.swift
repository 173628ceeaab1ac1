// SPDX-License-Identifier: Apache-2.0
package import AudioSupport
package import CAudioToolbox
import Glibc
import SignalProcessing

/// The common part of playback and recording queues: a handle, buffers, listeners, parameters.
///
/// Three kinds of threads are involved. The program's threads call the methods, at any time. The
/// queue's own thread decodes or encodes. The device's thread renders, and accesses only a
/// `PlaybackSide` or `CaptureSide`. The program's functions are called at the queue's place, with
/// no lock held.
package class AudioQueue: Disposable, @unchecked Sendable {
  /// All queues of the process.
  package static let handles = HandleTable<AudioQueue, AudioQueueRef>(kind: 0x18)

  /// Whether the device runs for the queue.
  enum RunState { case stopped, running, paused }

  /// The format of the buffers, every field filled in.
  let format: AudioStreamBasicDescription
  let place: any CallbackPlace
  private(set) var handle: AudioQueueRef?
  /// Calls of the program's functions; removed when the queue falls silent.
  let calls = ProgramCalls.Entry()
  /// Serialises starts, stops and changes of settings that are fixed while the queue runs.
  let control = Lock()
  /// Guards everything below, and what extensions mark as guarded.
  let monitor = Monitor()
  var state = RunState.stopped
  /// The value of the property, which follows the device.
  var isRunning = false
  var isDisposing = false
  /// Whether it ends when it stops.
  var endsAfterwards = false
  var buffers: [AudioQueueBufferRef: QueueBuffer] = [:]
  var listeners: [QueueListener] = []
  var timelines: [AudioQueueTimelineRef: Int] = [:]
  var deviceUID: String?
  var layout: [UInt8]?
  var codecPolicy: UInt32 = 0
  var converterError: OSStatus = 0
  /// How many gaps in the time the device caused.
  var deviceGaps = 0
  /// The last reported time.
  var lastTime = -Double.infinity
  var tap: ProcessingTap?
  /// Whether buffers are being returned.
  var isResetting = false
  /// The queue's own thread.
  var thread: pthread_t?
  var threadID: UInt64 = 0
  /// Whether buffers must not be touched, whether one is in use, and by which thread.
  var isHalted = false
  var isBusy = false
  var busyThread: UInt64 = 0
  /// Whether the program starts or stops the device, and whether that has stopped by itself.
  var isStartingOrStopping = false
  var hasLostDevice = false
  /// The link to the device; set under `control`.
  var link: DeviceLink?
  let parameters: UnsafeMutablePointer<QueueParameters>

  init(_ format: AudioStreamBasicDescription, at place: any CallbackPlace) {
    self.format = format
    self.place = place
    parameters = .cell(QueueParameters())
  }

  deinit { parameters.endCell() }

  // MARK: Life

  /// [control thread] Gives a new queue its handle.
  func settle() throws(AudioError) -> AudioQueueRef {
    let handle = try Self.handles.insert(self)
    self.handle = handle
    return handle
  }

  /// [any thread] Runs `body` on the queue behind a handle, which lives until it returns.
  package static func use(
    _ handle: AudioQueueRef, _ body: (AudioQueue) throws(AudioError) -> Void
  ) throws(AudioError) {
    guard let entered = handles.enter(handle) else { throw .stale("audio queue") }
    defer { handles.leave(handle) }
    try body(entered.takeUnretainedValue())
  }

  /// [control thread] Disposes of the queue of a handle: immediately, or when the enqueued buffers
  /// have been played.
  package static func dispose(_ handle: AudioQueueRef, immediately: Bool) throws(AudioError) {
    guard let entered = handles.enter(handle) else { throw .stale("audio queue") }
    let queue = entered.takeUnretainedValue()
    let playsOn = !immediately && queue.isToPlayOn
    if !playsOn { queue.beginDisposal() }
    handles.leave(handle)
    guard playsOn else { return try handles.dispose(handle, kind: "audio queue") }
    guard handles.invalidate(handle) else { throw .stale("audio queue") }
    queue.stopCallbacks()
    queue.monitor.withLock { queue.endsAfterwards = true }
    try queue.stop(immediately: false)
    // It may have stopped meanwhile.
    if queue.monitor.withLock({ queue.state != .running }) { queue.finishAfterwards() }
  }

  /// [any thread] Disposes of a queue whose handle is gone, on the notifier's thread: once.
  func finishAfterwards() {
    let isOurs = monitor.withLock {
      defer { endsAfterwards = false }
      return endsAfterwards
    }
    guard isOurs, let number = handle?.number else { return }
    Notifier.shared.perform {
      guard let handle = AudioQueueRef(bitPattern: number) else { return }
      Self.handles.release(handle)?.finishDisposal()
    }
  }

  /// Whether it runs with something left to play.
  private var isToPlayOn: Bool { !isOffline && monitor.withLock { state == .running } }

  /// Ends all waiting inside calls.
  private func beginDisposal() {
    monitor.withLock {
      isDisposing = true
      monitor.signal()
    }
  }

  /// [any thread] Ends all calls of the program's functions.
  package func stopCallbacks() {
    var entries = [calls]
    monitor.withLock { entries += listeners.map(\.entry) }
    ProgramCalls.shared.remove(entries)
  }

  /// [control thread] Frees it: nothing uses it any more.
  package func finishDisposal() {
    beginDisposal()
    stopCallbacks()
    endThread()
    currentTap?.end()
    endTimelines()
    place.leave()
    monitor.withLock {
      tap = nil
      state = .stopped
      forgetBuffers()
      buffers.removeAll()
      listeners.removeAll()
    }
  }

  // MARK: What the kinds do

  var isInput: Bool { false }
  /// Whether it renders to memory.
  var isOffline: Bool { false }
  /// [the queue's thread] Decodes or encodes until the queue is disposed of.
  func run() {}
  /// [inside the monitor, last of all] Drops the enqueued buffers.
  func forgetBuffers() {}

  /// [control thread] Implements the functions of these names.
  package func start(at time: AudioTimeStamp?) throws(AudioError) {}
  package func stop(immediately: Bool) throws(AudioError) {}
  /// [control thread] Implements the functions of these names.
  package func pause() throws(AudioError) {}
  package func flush() throws(AudioError) {}
  package func reset() throws(AudioError) {}
  /// [control thread] Decodes ahead; returns how many frames are ready.
  package func prime(_ frames: Int) throws(AudioError) -> Int { 0 }
  /// The position of its render thread.
  var moment: PublishedTime.Moment { .init() }
  /// The levels of its channels.
  func levels(inDecibels: Bool) -> [AudioQueueLevelMeterState] { [] }
  var measuresLevels: Bool {
    get { false }
    set {}
  }
  /// The function that processes the sound.
  var currentTap: ProcessingTap? {
    get { monitor.withLock { tap } }
    set { monitor.withLock { tap = newValue } }
  }
  /// Gaps in the sound so far.
  var gaps: Int { 0 }
  /// Throws while the queue runs: the uid, the layout and similar settings are fixed then.
  func requireStopped() throws(AudioError) {
    try monitor.withLock { () throws(AudioError) in
      guard state == .stopped else {
        throw .queueRunState.because("the queue is \(state); stop it first")
      }
    }
  }

  // MARK: Calling the program

  /// [any thread but a render thread] Has a function of the program called at the queue's place.
  func callProgram(_ call: @escaping @Sendable (AudioQueueRef) -> Void) {
    guard let number = handle?.number else { return }
    let entry = calls
    place.perform {
      guard let handle = AudioQueueRef(bitPattern: number) else { return }
      ProgramCalls.shared.run(entry) { call(handle) }
    }
  }

  /// [any thread but a render thread] Has the listeners of a property called.
  func notify(_ id: AudioQueuePropertyID) {
    let wanted = monitor.withLock { listeners.filter { $0.id == id } }
    guard let number = handle?.number else { return }
    for listener in wanted {
      place.perform {
        guard let handle = AudioQueueRef(bitPattern: number) else { return }
        ProgramCalls.shared.run(listener.entry) { listener.call(handle) }
      }
    }
  }

  /// The device has started or stopped.
  func setRunning(_ runs: Bool) {
    let hasChanged = monitor.withLock {
      defer { isRunning = runs }
      return isRunning != runs
    }
    if hasChanged { notify(kAudioQueueProperty_IsRunning) }
  }

  /// [control thread] Has a function called after a property changed.
  package func add(_ listener: QueueListener) { monitor.withLock { listeners.append(listener) } }

  /// [control thread] Removes the listener; waits for a running call.
  package func remove(_ listener: QueueListener) {
    let found = monitor.withLock { () -> QueueListener? in
      guard let index = listeners.firstIndex(where: { $0.isSame(listener) }) else { return nil }
      return listeners.remove(at: index)
    }
    if let found { ProgramCalls.shared.remove([found.entry]) }
  }
}

/// A function of the program that observes a property.
package struct QueueListener: @unchecked Sendable {
  let id: AudioQueuePropertyID
  private let function: AudioQueuePropertyListenerProc
  private let userData: UnsafeMutableRawPointer?
  let entry = ProgramCalls.Entry()

  package init(
    _ id: AudioQueuePropertyID, _ function: @escaping AudioQueuePropertyListenerProc,
    _ userData: UnsafeMutableRawPointer?
  ) {
    self.id = id
    self.function = function
    self.userData = userData
  }

  /// Whether it is the same function, with the same data, of the same property.
  func isSame(_ other: QueueListener) -> Bool {
    id == other.id && userData == other.userData
      && unsafeBitCast(function, to: UInt.self) == unsafeBitCast(other.function, to: UInt.self)
  }

  /// Calls it.
  func call(_ queue: AudioQueueRef) { function(userData, queue, id) }
}
