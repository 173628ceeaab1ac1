// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers
import Synchronization

/// The functions that a program has added to one device, and the stream that calls them. All
/// functions share one stream, opened with the first start and closed with the last stop.
///
/// A lost stream is reopened until the program stops it. Sample times continue without a gap.
// Mutable state is accessed only under `lock`, which is never held while waiting for a cycle.
final class DeviceIO: IOWatchdog.Watched, @unchecked Sendable {
  let id: AudioObjectID
  let uid: String
  private let lock = Lock()
  /// Never held while waiting, because cycles use it.
  private let table = Guarded<[IOProcEntry]>([])
  private var stream: (any DeviceStream)?
  private var handler: DeviceIOHandler?
  /// The directions that the stream was opened for, and the revision of the device's requests then.
  private var opened = (input: false, output: false, revision: 0)
  /// Whether cycles run or will run again, as of the last change.
  private let runs = Atomic(false)
  private let clock = IOClock()
  private var cycleUsage: Float = 1
  private var environment: DeviceEnvironment?
  /// Why there is no stream although functions run. Nil while it runs.
  private(set) var interruption: String? {
    didSet {
      if let interruption, oldValue == nil {
        StreamInterruptions.shared.began(self, on: uid, interruption)
      } else if interruption == nil, oldValue != nil {
        StreamInterruptions.shared.ended(self)
      }
    }
  }
  /// The number of cycles at the last check, and the time since which there were no more.
  private var progress = (cycles: -1, since: UInt64(0))
  /// Opens and closes streams for threads that cannot wait.
  private let backgroundWorker = SerialWorker(name: "audio IO worker")

  init(_ id: AudioObjectID, uid: String) {
    self.id = id
    self.uid = uid
  }

  /// Changes the state under the lock.
  private func changeState<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    lock.lock()
    defer {
      runs.store(stream != nil || interruption != nil, ordering: .releasing)
      lock.unlock()
    }
    return try body()
  }

  // MARK: Functions

  /// [control thread] Adds a function, which is called after a start.
  func add(_ entry: IOProcEntry) { table.withLock { $0.append(entry) } }

  /// [any thread] The function with a number.
  func entry(_ id: UInt) -> IOProcEntry? { table.withLock { $0.first { $0.id == id } } }

  /// [control thread] Stops and removes a function. False if it is unknown.
  func remove(_ id: UInt) -> Bool {
    guard let entry = entry(id) else { return false }
    entry.isActive.store(false, ordering: .releasing)
    table.withLock { $0.removeAll { $0 === entry } }
    runOutsideCycle { io in
      io.changeState {
        entry.startCount = 0
        io.update()
      }
      io.waitForOldPlans()
    }
    return true
  }

  /// [any thread] Has the device call a function, beginning at a host time. An entry without a
  /// function only runs the device.
  func start(_ entry: IOProcEntry, at hostTime: UInt64 = 0) throws(AudioError) {
    entry.startTime.store(hostTime, ordering: .relaxed)
    guard rt_current().pointee.depth == 0 else {
      // The device runs, because this is called inside a cycle.
      entry.isActive.store(true, ordering: .releasing)
      return runOutsideCycle { io in
        io.changeState {
          entry.startCount = 1
          io.update()
        }
      }
    }
    try changeState { () throws(AudioError) in
      entry.startCount += entry.function == nil ? 1 : 1 - entry.startCount
      entry.isActive.store(true, ordering: .releasing)
      do throws(AudioError) {
        if stream == nil, interruption == nil { try open() } else { try reopenIfNeeded() }
      } catch {
        entry.startCount = 0
        entry.isActive.store(false, ordering: .releasing)
        throw error
      }
      publish()
    }
    IOWatchdog.shared.watch(self)
  }

  /// [any thread] Stops a function. No call of it is in progress afterwards, except the caller.
  func stop(_ entry: IOProcEntry) {
    if entry.function != nil { entry.isActive.store(false, ordering: .releasing) }
    runOutsideCycle { io in
      io.changeState {
        entry.startCount = entry.function == nil ? max(entry.startCount - 1, 0) : 0
        io.update()
      }
      io.waitForOldPlans()
    }
  }

  /// [control thread] Stops all functions.
  func stopAll() { runOutsideCycle { io in io.changeState { io.stopEntries() } } }

  /// [control thread] Reopens the device if it runs, because it has changed.
  func reopenIfRunning() {
    runOutsideCycle { io in io.changeState { if io.stream != nil { io.reopen("it has changed") } } }
  }

  /// [under the lock] Stops all functions.
  private func stopEntries() {
    for entry in table.withLock({ $0 }) {
      entry.startCount = 0
      entry.isActive.store(false, ordering: .releasing)
    }
    close()
  }

  /// Runs `body` now, or on another thread if this one is in a cycle and cannot wait.
  private func runOutsideCycle(_ body: @escaping @Sendable (DeviceIO) -> Void) {
    guard rt_current().pointee.depth > 0 else { return body(self) }
    Notifier.shared.perform { [self] in backgroundWorker.perform { [self] in body(self) } }
  }

  // MARK: Streams

  /// The running functions.
  private var running: [IOProcEntry] { table.withLock { $0.filter { $0.startCount > 0 } } }

  /// [under the lock] Adapts to the running functions: with another plan, another stream, or none.
  private func update() {
    if running.isEmpty {
      close()
    } else {
      publish()
      try? reopenIfNeeded()
    }
  }

  /// [under the lock] Has the cycles call the functions that run now.
  private func publish() {
    guard let stream, let handler else { return }
    let device = stream.device
    handler.use(
      IOPlan(
        running, id,
        .init(
          inputs: device.streams(isInput: true), outputs: device.streams(isInput: false)),
        maximumFrames: handler.callFrames(device.callFrames)))
  }

  /// [control thread] Waits until only the caller may still be called by an earlier plan.
  private func waitForOldPlans() {
    changeState { handler }?.waitForCycle()
    changeState { handler?.releaseRetiredPlans() }
  }

  private func usesInput(_ device: Device) -> Bool {
    usesAnyStream(device.streams(isInput: true).count, \.unusedInputs)
  }

  private func usesOutput(_ device: Device) -> Bool {
    usesAnyStream(device.streams(isInput: false).count, \.unusedOutputs)
  }

  /// Whether a running function uses one of `count` streams. An entry without a function uses all.
  private func usesAnyStream(_ count: Int, _ unused: KeyPath<IOProcEntry, Set<Int>>) -> Bool {
    count > 0
      && running.contains { entry in
        entry.function == nil || (0..<count).contains { !entry[keyPath: unused].contains($0) }
      }
  }

  /// [under the lock] Opens the device and starts its cycles.
  private func open() throws(AudioError) {
    let environment = if let environment { environment } else { try DeviceEnvironment.current() }
    self.environment = environment
    let device = try withEnvironment(environment) { () throws(AudioError) in
      try AudioObjects.device(id)
    }
    let (input, output) = (usesInput(device), usesOutput(device))
    guard input || output else {
      throw AudioError(status: kAudioHardwareIllegalOperationError).because(
        "\(uid): no function uses a stream")
    }
    let revision = DeviceRequests.revision(of: device)
    let handler = DeviceIOHandler(clock, base: nextSample()) { [weak self] event in
      self?.streamChanged(event)
    }
    handler.cycleUsage.store(cycleUsage.bitPattern, ordering: .relaxed)
    let request = StreamRequest(
      uid: device.uid, usesInput: input, usesOutput: output, owner: "\(device.name) IO",
      isPinned: true)
    let stream = try withEnvironment(environment) { () throws(AudioError) -> any DeviceStream in
      try DeviceRequests.withEnvironment(for: device) { () throws(AudioError) -> any DeviceStream in
        try Backends.named(device.backend).open(request, handler)
      }
    }
    // Only now are its rate and cycle size certain.
    handler.prepare(
      stream.device, uses: (input, output), maximumFrames: stream.device.callFrames)
    self.handler = handler
    self.stream = stream
    opened = (input, output, revision)
    progress = (-1, rt_host_time())
    publish()
    do throws(AudioError) { try stream.start() } catch {
      closeStream()
      throw error
    }
    DeviceActivity.began(stream) { handler.overloads.load(ordering: .relaxed) }
    interruption = nil
  }

  /// [under the lock] Reopens the stream if other directions are in use than it was opened for.
  private func reopenIfNeeded() throws(AudioError) {
    guard let stream else { return }
    let device = stream.device
    guard opened.input != usesInput(device) || opened.output != usesOutput(device) else { return }
    close()
    try open()
  }

  /// [under the lock] Ends the cycles.
  private func close() {
    interruption = nil
    environment = nil
    closeStream()
  }

  private func closeStream() {
    guard let stream else { return }
    stream.stop()
    DeviceActivity.ended(stream)
    handler?.use(nil)
    (self.stream, handler) = (nil, nil)
  }

  /// The sample time of the next frame, as if there had been no gap.
  private func nextSample() -> Double {
    guard let anchor = clock.anchor else { return 0 }
    return max(anchor.sampleTime + Double(anchor.frameCount), anchor.sample(at: rt_host_time()))
      .rounded(.up)
  }

  private func withEnvironment<Result>(
    _ environment: DeviceEnvironment, _ body: () throws(AudioError) -> Result
  ) throws(AudioError) -> Result {
    let answer = DeviceEnvironment.$override.withValue(environment) {
      () -> Swift.Result<Result, AudioError> in
      do throws(AudioError) { return .success(try body()) } catch { return .failure(error) }
    }
    return try answer.get()
  }

  // MARK: Events of a stream

  private func streamChanged(_ event: StreamEvent) {
    switch event {
    case .lost: IOWatchdog.shared.wake()
    case .ended(let reason):
      backgroundWorker.perform { [self] in
        changeState {
          guard let stream else { return }
          Explanations.log("\(uid): stopped by itself: \(reason)")
          DeviceActivity.lost(stream)
          stopEntries()
        }
      }
    case .moved(let device):
      backgroundWorker.perform { [self] in
        changeState {
          guard let stream, stream.device.sampleRate == device.sampleRate else {
            return reopen("its rate is now \(device.sampleRate.plainText) Hz")
          }
          publish()
        }
        AudioObjectListeners.shared.check()
      }
    case .inputEnded: break
    }
  }

  /// [under the lock] Replaces a lost stream, now or as soon as possible.
  private func reopen(_ reason: String) {
    if let stream {
      Explanations.log("\(uid): interrupted: \(reason)")
      DeviceActivity.lost(stream)
      closeStream()
    }
    guard !running.isEmpty else { return interruption = nil }
    interruption = reason
    do throws(AudioError) {
      DeviceCache.invalidate()
      try open()
      Explanations.log("\(uid): runs again")
      AudioObjectListeners.shared.check()
    } catch { interruption = error.explanation }
  }

  /// [watchdog] Restarts the stream if necessary. Whether it runs then; nil if no function runs.
  func check(_ now: UInt64) -> Bool? {
    guard lock.tryLock() else { return false }
    let isNeeded = !running.isEmpty
    let (stream, handler, isInterrupted) = (stream, handler, interruption != nil)
    var reason = handler?.lossReason
    if reason == nil, let stream, let handler, let limit = stream.stallLimit {
      let cycles = handler.cycleCount
      if cycles != progress.cycles { progress = (cycles, now) }
      let pause = Double(now &- progress.since) * 1e-9
      if now > progress.since, pause > limit {
        reason = "no cycle for \(Int(saturating: pause * 1_000)) milliseconds"
      }
    }
    let isStreamOutdated = stream.map { isOutdated($0) } ?? false
    lock.unlock()
    guard isNeeded else { return nil }
    guard isInterrupted || reason != nil || isStreamOutdated else { return true }
    guard backgroundWorker.isIdle else { return false }
    let why = reason ?? "its settings changed"
    backgroundWorker.perform { [self] in changeState { reopen(why) } }
    return false
  }

  /// Whether a new rate or cycle size was requested. A recording is never reopened for that.
  private func isOutdated(_ stream: any DeviceStream) -> Bool {
    stream.device.backend != FileBackend.name
      && DeviceRequests.revision(of: stream.device) != opened.revision
  }

  // MARK: Queries

  /// [control thread] The captured frames and the channels of each input stream. Nil if none.
  var captured: (samples: CapturedSamples, streams: [Int])? {
    lock.withLock {
      guard let stream, let samples = handler?.captured else { return nil }
      return (samples, stream.device.streams(isInput: true))
    }
  }

  /// [control thread] Seconds of latency that the bridge adds to an input with its own clock.
  var bridgeLatency: Double { lock.withLock { handler?.bridgeLatency ?? 0 } }

  /// [any thread] The device's clock and its last cycle. Nil while it does not run.
  var timing: (clock: IOClock, anchor: IOClock.Anchor)? {
    guard let anchor = clock.anchor, isRunning else { return nil }
    return (clock, anchor)
  }

  /// [any thread] Whether cycles run or will run again.
  var isRunning: Bool { runs.load(ordering: .acquiring) }

  /// [control thread] The share of a cycle that functions may use.
  var usage: Float {
    get { lock.withLock { cycleUsage } }
    set {
      lock.withLock {
        cycleUsage = newValue
        handler?.cycleUsage.store(newValue.bitPattern, ordering: .relaxed)
      }
    }
  }

  /// [control thread] The streams of a side that a function does not use.
  func unused(_ entry: IOProcEntry, isInput: Bool) -> Set<Int> {
    lock.withLock { isInput ? entry.unusedInputs : entry.unusedOutputs }
  }

  /// [control thread] Sets the streams of a side that a function does not use.
  func setUnused(_ entry: IOProcEntry, isInput: Bool, _ streams: Set<Int>) {
    changeState {
      if isInput { entry.unusedInputs = streams } else { entry.unusedOutputs = streams }
      if !running.isEmpty { update() }
    }
  }
}
