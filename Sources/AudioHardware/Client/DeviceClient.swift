// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CRealTime
import Synchronization

/// A connection of one owner to a device, from a start to the next stop: it opens the stream, keeps
/// its time line, replaces the stream when that is lost, and moves with the default device.
///
/// Output units, devices with IOProcs, and whatever else plays or captures have one each.
///
/// Nothing waits for a server with `lock`: a stop never waits for a recovery, which finds out
/// afterwards that it is no longer needed.
package final class DeviceClient: DeviceWatchdog.Watched, @unchecked Sendable {
  /// What the client does now.
  package enum State: Equatable, Sendable {
    /// The owner has not started it, or has stopped it.
    case closed
    /// It waits for the device's back end.
    case opening
    /// Cycles run.
    case running
    /// No cycles run for the given reason, since a host time; they will again.
    case interrupted(reason: String, since: UInt64)
    /// The stream has ended by itself for the given reason and is not reopened.
    case stopped(reason: String)
  }

  /// Late cycles, as counted by this library and by the server.
  package struct Xruns: Equatable, Sendable {
    package var own = 0
    /// Nil if no server counts them.
    package var server: Int?
    package init() {}
  }

  /// The run from a start to the next stop. Accessed under `lock`.
  struct Run {
    var request: DeviceClientRequest
    /// Distinguishes the runs.
    let number: Int
    /// The time line of all its streams.
    let clock: DeviceClock
    /// The number of forks before it began.
    let forks = rt_fork_count()
    /// The stream; while interrupted the lost one. Nil while the first one is being opened.
    var connection: DeviceConnection?
    /// The missed cycles of earlier streams.
    var earlierXruns = Xruns()
    /// The number of cycles at the last check, and the host time since which there were no more.
    var progress: (cycles: Int, since: UInt64) = (-1, 0)
    /// Whether the devices may have changed since the last check.
    var checksDevices = false
  }

  /// Set once, before the first start.
  package weak var owner: (any DeviceClientOwner)?
  // Never held while waiting for a server, a cycle or the owner.
  let lock = Lock()
  // These are accessed under `lock`.
  private var stateValue = State.closed
  var run: Run?
  private var lastNumber = 0
  private var usage: Float?
  /// Whether there is a run, for threads that cannot wait for `lock`.
  private let runs = Atomic(false)
  /// The streams of runs that a callback has stopped. A thread that may wait ends them.
  private var ended: [DeviceConnection] = []
  /// The streams of the process from which this one was forked: nothing ends them here.
  private static let abandoned = Guarded<[DeviceConnection]>([])
  /// Held while streams end.
  private let ending = Lock()
  /// Held while a stream is opened for a start, and while an event of a stream is handled.
  let opening = Lock()
  /// Held while an engine is made and published, so that the newest one wins.
  let publishing = Lock()
  /// Held while a stream is replaced by another one.
  let replacing = Lock()
  /// Two workers: one recovers lost streams, the other runs jobs for callbacks and streams. Each
  /// may wait for a server or a cycle without delaying the other.
  let recovery = SerialWorker(name: "audio recovery")
  let backgroundWorker = SerialWorker(name: "audio client")

  /// A closed client, without its owner yet.
  package init() {}

  // MARK: Starting

  /// [control thread] Opens the device and starts the cycles. The owner calls this only while the
  /// client is closed, and not inside a cycle, because a cycle would wait for the back end.
  package func start(_ request: DeviceClientRequest) throws(AudioError) {
    finishStopped()
    opening.lock()
    defer { opening.unlock() }
    let (number, clock) = lock.withLock {
      lastNumber += 1
      let clock = request.clock ?? DeviceClock()
      run = Run(request: request, number: lastNumber, clock: clock)
      stateValue = .opening
      runs.store(true, ordering: .releasing)
      return (lastNumber, clock)
    }
    do throws(AudioError) {
      let (device, uses) = try target(of: request)
      let connection = try open(device, uses, request, clock)
      // The first cycle may already ask its unit, so the client counts as running before it.
      connection.handler.activate()
      _ = adopt(connection, in: number, as: .opening)
      try connection.stream.start()
      lock.withLock {
        guard run?.number == number else { return }
        run?.connection?.device = connection.stream.device
        stateValue = .running
      }
      began(connection)
    } catch {
      end(.closed)
      finishStopped()
      throw error
    }
    let stream = lock.withLock { run?.connection?.stream }
    guard let stream else { return }
    if stream.device.backend == NullBackend.name, !request.namesBackend { Backends.warnOfSilence() }
    if stream.stallLimit != nil || request.followsRequests { DeviceWatchdog.shared.watch(self) }
    if case .ordinary(let reason) = stream.scheduling {
      Explanations.log("\(request.title): its render thread has no real-time priority: \(reason)")
    }
  }

  /// [control thread] Opens a stream without starting it.
  func open(
    _ device: Device, _ uses: (input: Bool, output: Bool), _ request: DeviceClientRequest,
    _ clock: DeviceClock
  ) throws(AudioError) -> DeviceConnection {
    let usage = lock.withLock { self.usage }
    let revision = DeviceRequests.revision(of: device)
    let handler = ClientHandler(clock) { [weak self] event, handler in
      self?.streamChanged(event, of: handler)
    }
    if let usage { handler.cycleUsage.store(usage.bitPattern, ordering: .relaxed) }
    var streamRequest = StreamRequest(
      uid: device.uid, usesInput: uses.input, usesOutput: uses.output,
      startHostTime: request.startHostTime, owner: request.title, isPinned: request.namesDevice)
    streamRequest.dither = request.dither
    let stream = try Backends.named(device.backend, in: request.environment).open(
      streamRequest, handler,
      in: DeviceRequests.environment(for: device, in: request.environment))
    handler.use(stream)
    // Only now are its rate and cycle size certain.
    let shape = CycleShape(
      stream.device, usesInput: uses.input, usesOutput: uses.output,
      bridging: request.bridgeQuality)
    return DeviceConnection(
      stream: stream, handler: handler, device: stream.device, usesInput: uses.input,
      usesOutput: uses.output, revision: revision, shape: shape)
  }

  /// [control thread] Has a run use a stream with a new engine. False if the run is over.
  func adopt(
    _ connection: DeviceConnection, in number: Int, as state: State = .running
  ) -> Bool {
    publishing.withLock {
      guard let owner else { return false }
      let engine = owner.makeEngine(for: connection)
      connection.handler.use(engine)
      return lock.withLock {
        guard let old = run, old.number == number else { return false }
        if let before = old.connection {
          connection.handler.resume(from: before.handler)
          run?.earlierXruns = Self.xruns(old)
        }
        run?.connection = connection
        run?.progress = (-1, 0)
        stateValue = state
        return true
      }
    }
  }

  /// Counts a stream among those of the process.
  func began(_ connection: DeviceConnection) {
    let handler = connection.handler
    DeviceActivity.began(connection.stream) { handler.overloads.load(ordering: .relaxed) }
  }

  /// [control thread] Has later cycles rendered by a new engine, because what the owner renders has
  /// changed. Nothing happens while there is no stream.
  package func replaceEngine() {
    publishing.withLock {
      guard let owner, let connection else { return }
      connection.handler.use(owner.makeEngine(for: connection))
    }
  }

  /// [control thread] Waits until only the caller may still be called by an earlier engine.
  package func waitForOldEngines() {
    let handler = connection?.handler
    handler?.waitForCycle()
    handler?.releaseOldEngines()
  }

  // MARK: Stopping

  /// [any thread] Ends the run. When this returns no cycle can run any more. A callback cannot wait
  /// for that: the rest of its own cycle is silent, and another thread does the work.
  package func stop() {
    let connection = end(.closed)
    guard rt_current().pointee.depth > 0 else {
      finishStopped()
      return
    }
    guard let connection else { return }
    if connection.handler.isInCycle {
      connection.stream.stop()
      connection.handler.end()
    }
    runInBackground { [self] in finishStopped() }
  }

  /// Ends the run without waiting. Returns its stream.
  @discardableResult
  func end(_ state: State) -> DeviceConnection? {
    lock.withLock {
      guard let run else { return nil }
      self.run = nil
      stateValue = state
      runs.store(false, ordering: .releasing)
      guard let connection = run.connection else { return nil }
      // The process from which this one was forked continues to use the stream.
      guard run.forks == rt_fork_count() else {
        Self.abandoned.withLock { $0.append(connection) }
        return nil
      }
      ended.append(connection)
      return connection
    }
  }

  /// [control thread] Waits until stopped streams have ended and releases them. False inside a
  /// callback, which cannot wait.
  @discardableResult
  package func finishStopped() -> Bool {
    guard rt_current().pointee.depth == 0 else { return false }
    ending.withLock {
      let (connections, isOver) = lock.withLock { (ended.copied(), run == nil) }
      if !connections.isEmpty, isOver { StreamInterruptions.shared.ended(self) }
      for connection in connections {
        connection.stream.stop()
        DeviceActivity.ended(connection.stream)
        connection.handler.end()
      }
      lock.withLock {
        ended.removeAll { old in connections.contains { $0.handler === old.handler } }
      }
    }
    return true
  }

  /// [any thread] Whether no stopped stream waits to be ended.
  package var hasFinished: Bool { lock.withLock { ended.isEmpty } }

  /// [any thread] Runs `job` on another thread, which the notifier starts, because a callback has
  /// no time for that.
  package func runInBackground(_ job: @escaping @Sendable () -> Void) {
    Notifier.shared.perform { [self] in backgroundWorker.perform(job) }
  }

  // MARK: Queries

  /// [control thread] What it does now.
  package var state: State { lock.withLock { stateValue } }

  /// [any thread] Whether cycles run or will run again.
  package var isRunning: Bool { runs.load(ordering: .acquiring) }

  /// [control thread] The stream in use; the lost one while it is interrupted.
  package var connection: DeviceConnection? { lock.withLock { run?.connection } }

  /// [control thread] Why no cycles run although they should. Nil while they run.
  package var interruption: String? {
    if case .interrupted(let reason, _) = state { reason } else { nil }
  }

  /// [control thread] The missed cycles of the whole run.
  package var xruns: Xruns { lock.withLock { run.map(Self.xruns) } ?? Xruns() }

  private static func xruns(_ run: Run) -> Xruns {
    var all = run.earlierXruns
    guard let stream = run.connection?.stream else { return all }
    all.own += stream.xrunCount
    if let count = stream.serverXrunCount { all.server = (all.server ?? 0) + count }
    return all
  }

  /// [control thread] The share of a cycle that the owner may use. Longer ones count as missed. Nil
  /// counts none.
  var cycleUsage: Float? {
    get { lock.withLock { usage } }
    set {
      lock.withLock {
        usage = newValue
        let bits = (newValue ?? .infinity).bitPattern
        run?.connection?.handler.cycleUsage.store(bits, ordering: .relaxed)
      }
    }
  }

  /// [watchdog] The back end whose devices matter, and the environment to reach it in.
  var observed: (backend: String, environment: DeviceEnvironment)? {
    lock.withLock {
      guard let run, let connection = run.connection else { return nil }
      return (connection.device.backend, run.request.environment)
    }
  }

  /// Changes the state of a run. False if it is over or `isExpected` does not hold.
  func changeState(
    of number: Int, to state: State, if isExpected: (State, Run) -> Bool = { _, _ in true }
  ) -> Bool {
    lock.withLock {
      guard let run, run.number == number, isExpected(stateValue, run) else { return false }
      stateValue = state
      return true
    }
  }
}
