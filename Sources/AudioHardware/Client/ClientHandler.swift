// SPDX-License-Identifier: Apache-2.0
public import AudioDevices
import AudioSupport
import CRealTime
import Glibc
import Synchronization

/// The handler of one stream of a client. It keeps the time line, passes each cycle to the engine,
/// and the events to the client.
// Everything that is not atomic belongs to the render thread, except the list of engines.
public final class ClientHandler: CycleHandler, @unchecked Sendable {
  private let clock: DeviceClock
  // `clock` again, without reference counting.
  private let clockReference: Unmanaged<DeviceClock>
  /// The sample time of its first frame.
  private let base: Double
  private var lastHostTime: UInt64
  /// The engine for the next cycle.
  private let published = Published()
  /// The address of the engine that the last cycle has changed to.
  private let adopted = Atomic<UInt>(0)
  // Guards `current` and changes of `published`.
  private let engines = Lock()
  private var current: CycleEngine?
  /// Whether cycles are passed on. Until the client has adopted the stream, they are silent and
  /// call nobody.
  private let isActive = Atomic(false)
  /// Held during a cycle; all cycles run on one thread.
  private let gate = RenderGate()
  /// The share of a cycle that the owner may use. Longer cycles count as overloads.
  let cycleUsage = Atomic<UInt32>(Float.infinity.bitPattern)
  let overloads = Atomic(0)
  private let ticksPerSecond = rt_ticks_per_second()
  private let loss = Guarded<String?>(nil)
  private let changed: @Sendable (StreamEvent, ClientHandler) -> Void
  /// The stream whose cycles it handles. Set before the first cycle.
  private weak var stream: (any DeviceStream)?

  /// [control thread] Times continue those of `clock`, as if there had been no gap.
  init(
    _ clock: DeviceClock, changed: @escaping @Sendable (StreamEvent, ClientHandler) -> Void
  ) {
    self.clock = clock
    clockReference = .passUnretained(clock)
    base = clock.nextSample
    // The previous stream may have been further ahead than this one will be.
    lastHostTime = clock.anchor?.hostTime ?? 0
    self.changed = changed
  }

  /// [control thread] Sets the stream whose cycles it handles, before they begin.
  func use(_ stream: any DeviceStream) { self.stream = stream }

  /// [control thread] Passes the cycles on from now on.
  func activate() { isActive.store(true, ordering: .releasing) }

  /// [any thread] Why the stream was lost. Nil while it is not lost.
  var lossReason: String? { loss.withLock { $0 } }

  /// [any thread] The number of cycles so far, and whether one is being rendered.
  var progress: (cycles: Int, isRendering: Bool) {
    (Int(clamping: gate.round), !gate.isIdle && isActive.load(ordering: .relaxed))
  }

  // MARK: Engines

  /// [control thread] The newest engine.
  var engine: CycleEngine? { engines.withLock { current } }

  /// [control thread] Has later cycles rendered by `engine`.
  func use(_ engine: CycleEngine) {
    engine.stream = stream
    engines.withLock {
      current = engine
      published.publish(PublishedEngine(engine), in: { gate.round })
    }
    releaseOldEngines()
  }

  /// [control thread] Continues from another handler, whose stream has ended.
  func resume(from other: ClientHandler) {
    guard let engine else { return }
    if let old = engineAt(other.adopted.load(ordering: .acquiring)) {
      old._withUnsafeGuaranteedRef { engine.resume(from: $0) }
    } else if let old = other.engine {
      // It has had no cycle, but continues an earlier one.
      engine.resume(from: old)
    }
  }

  /// [control thread] Releases engines that no cycle uses any more: the cycle at the replacement is
  /// over, and a later one has changed to another engine.
  func releaseOldEngines() {
    // Released outside the lock, because that may call the program.
    let unused = engines.withLock {
      published.takeUnused { engine, cycle in
        gate.isPast(cycle)
          && adopted.load(ordering: .sequentiallyConsistent) != UInt(bitPattern: engine)
      }
    }
    for engine in unused { engine.deallocate() }
  }

  /// [control thread] Waits until a running cycle is over. Returns immediately inside that cycle.
  func waitForCycle() {
    if !isInCycle { gate.waitUntilIdle() }
  }

  /// [any thread] Whether the caller runs inside a cycle of this handler.
  var isInCycle: Bool { gate.isHeldByThisThread }

  /// [render thread, or while no cycle runs] Ends the run. The rest of the cycle is silent.
  func end() {
    guard let engine = engineAt(adopted.load(ordering: .acquiring)) else { return }
    engine._withUnsafeGuaranteedRef { $0.end() }
  }

  // MARK: Cycles

  /// [render thread] Has the engine render one cycle, or silences it if that is impossible now.
  @_noLocks
  override public func render(_ cycle: DeviceCycle) {
    guard gate.tryEnter(as: rt_thread_id()) else { return cycle.silenceOutput(from: 0) }
    renderCycle(cycle)
    gate.leave()
  }

  @_noLocks
  private func renderCycle(_ cycle: DeviceCycle) {
    guard isActive.load(ordering: .acquiring), let engine = nextEngine() else {
      return cycle.silenceOutput(from: 0)
    }
    let (now, firstTick) = (rt_host_time(), rt_ticks())
    let format = engine._withUnsafeGuaranteedRef { $0.format }
    guard format.fits(cycle) else { return cycle.silenceOutput(from: 0) }
    if let bridge = format.bridge, cycle.output == nil {
      // The cycles of the other clock read it.
      if let input = cycle.input {
        bridge.pointee.push(input, frames: cycle.frameCount, hostTime: now)
      }
      return
    }
    var clientCycle = ClientCycle(continued(cycle, format.sampleRate), at: now, format)
    callEngine(engine, &clientCycle)
    let share = Double(Float(bitPattern: cycleUsage.load(ordering: .relaxed)))
    let limit = share * Double(cycle.frameCount) / format.sampleRate * ticksPerSecond
    if Double(rt_ticks() &- firstTick) > limit { overloads.wrappingAdd(1, ordering: .relaxed) }
  }

  /// Changes to a new engine, if there is one.
  @_noLocks
  private func nextEngine() -> Unmanaged<CycleEngine>? {
    let address = UInt(bitPattern: published.loadIfAny())
    guard let engine = engineAt(address) else { return nil }
    let before = adopted.load(ordering: .relaxed)
    if before != address {
      if let old = engineAt(before) { resumeEngine(engine, old) }
      adopted.store(address, ordering: .sequentiallyConsistent)
    }
    return engine
  }

  /// The cycle with the times of the client's time line, on which neither time goes back.
  @_noLocks
  private func continued(_ cycle: DeviceCycle, _ sampleRate: Double) -> DeviceCycle {
    var cycle = cycle
    cycle.sampleTime += base
    cycle.hostTime = max(cycle.hostTime, lastHostTime &+ 1)
    lastHostTime = cycle.hostTime
    let anchor = DeviceClock.Anchor(
      sampleTime: cycle.sampleTime, hostTime: cycle.hostTime,
      rate: sampleRate * cycle.rateScalar * 1e-9, rateScalar: cycle.rateScalar,
      frameCount: cycle.frameCount)
    clockReference._withUnsafeGuaranteedRef { $0.update(anchor) }
    return cycle
  }

  override public func streamChanged(_ event: StreamEvent) {
    if case .lost(let reason) = event { loss.withLock { $0 = $0 ?? reason } }
    changed(event, self)
  }
}

/// The engine at an address. Nil at 0.
@_noLocks
private func engineAt(_ address: UInt) -> Unmanaged<CycleEngine>? {
  guard let pointer = UnsafeRawPointer(bitPattern: address) else { return nil }
  return Unmanaged.fromOpaque(pointer)
}

/// A published engine, which is retained until no cycle uses it.
private struct PublishedEngine: Publishable {
  private let engine: Unmanaged<CycleEngine>

  init(_ engine: CycleEngine) { self.engine = .passRetained(engine) }

  var address: UnsafeMutableRawPointer { engine.toOpaque() }
  func deallocate() { engine.release() }
}
