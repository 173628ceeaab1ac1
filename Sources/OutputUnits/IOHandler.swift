// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import AudioUnitCore
import CRealTime
import SignalProcessing
import Synchronization

/// The handler of a device's cycles. It passes the cycles to the engine and the events to the unit.
/// There is one for each stream of a unit.
final class IOHandler: CycleHandler, @unchecked Sendable {
  typealias Engine = UnsafeMutablePointer<IOEngine>

  /// The engine of the current cycle. It belongs to the render thread, and to the control side
  /// while no cycle runs.
  private var engine: Engine?
  /// The engine for the next cycle, if it changes.
  private let next = Atomic<UInt>(0)
  /// All engines of this run, the newest last.
  private var engines: [Engine] = []
  private let side: UnsafeMutablePointer<RenderSide>
  private let currentEngine: UnsafeMutablePointer<Engine?>
  private let renderingHandler: UnsafeMutablePointer<Unmanaged<IOHandler>?>
  private weak var unit: OutputUnit?
  /// Whether cycles are passed on. Until the unit has adopted the stream, they are silent and call
  /// nobody.
  private let isActive = Atomic(false)
  private let cycles = Atomic(0)
  private let isRendering = Atomic(false)
  private let loss = Guarded<String?>(nil)
  /// The stream whose cycles it handles. Set before the first cycle.
  private weak var stream: (any DeviceStream)?

  /// Serves `unit`, whose callbacks find the engine in `currentEngine` when they read the input, and
  /// this handler in `unit.renderingHandler`.
  init(_ unit: OutputUnit, currentEngine: UnsafeMutablePointer<Engine?>) {
    side = unit.side
    self.currentEngine = currentEngine
    renderingHandler = unit.renderingHandler
    self.unit = unit
  }

  /// [control thread] Sets the stream whose cycles it handles, before they begin.
  func use(_ stream: any DeviceStream) { self.stream = stream }

  /// [render thread, inside its cycle] Makes this cycle the last, without the unit's lock.
  func endInCycle() {
    isActive.store(false, ordering: .releasing)
    stream?.stop()
    end()
  }

  deinit { for engine in engines { engine.endCell() } }

  /// [control thread] Has later cycles rendered by `engine`. Earlier engines are kept, because a
  /// run has few of them.
  func use(_ engine: Engine) {
    engines.append(engine)
    next.store(UInt(bitPattern: engine), ordering: .releasing)
  }

  /// [control thread] Continues from another handler, whose stream has ended.
  func resume(from other: IOHandler) {
    guard let old = other.engine ?? other.engines.last, let new = engines.last else { return }
    new.pointee.resume(from: old.pointee)
  }

  /// [control thread] Passes the cycles on from now on.
  func activate() { isActive.store(true, ordering: .releasing) }

  /// [any thread] The number of cycles so far, and whether one is being rendered.
  var progress: (cycles: Int, isRendering: Bool) {
    (cycles.load(ordering: .relaxed), isRendering.load(ordering: .relaxed))
  }

  /// [any thread] Why the stream was lost. Nil while it is not lost.
  var lossReason: String? { loss.withLock { $0 } }

  /// [control thread] The latency in seconds that rate conversion adds to the output.
  var playbackLatency: Double { engines.last?.pointee.playbackLatency ?? 0 }

  /// [control thread] The latency in seconds that a bridge between two clocks adds to the input,
  /// and the sum of that and of voice processing.
  var bridgeLatency: Double { engines.last?.pointee.bridgeLatency ?? 0 }
  var captureLatency: Double { engines.last?.pointee.captureLatency ?? 0 }

  /// [render thread, or while no cycle runs] Ends the run. The rest of the cycle is silent.
  func end() {
    engine?.pointee.end()
    currentEngine.pointee = nil
  }

  /// [render thread] Renders one cycle with exclusive use of the unit, or silence if that is
  /// impossible now.
  @_noLocks
  override func render(_ cycle: DeviceCycle) {
    cycles.wrappingAdd(1, ordering: .relaxed)
    guard isActive.load(ordering: .acquiring) else { return cycle.silenceOutput(from: 0) }
    isRendering.store(true, ordering: .relaxed)
    defer { isRendering.store(false, ordering: .relaxed) }
    guard side.pointee.gate.tryEnter(as: rt_thread_id()) else {
      return cycle.silenceOutput(from: 0)
    }
    renderingHandler.pointee = .passUnretained(self)
    defer {
      renderingHandler.pointee = nil
      side.pointee.gate.leave()
    }
    adoptNextEngine()
    guard side.pointee.isReadyToRender, let engine, engine.pointee.fits(cycle) else {
      return cycle.silenceOutput(from: 0)
    }
    engine.pointee.render(cycle)
  }

  @_noLocks
  private func adoptNextEngine() {
    guard next.load(ordering: .relaxed) != 0,
      let new = Engine(bitPattern: next.exchange(0, ordering: .acquiring))
    else { return }
    if let engine { new.pointee.resume(from: engine.pointee) }
    engine = new
    currentEngine.pointee = new
  }

  override func streamChanged(_ event: StreamEvent) {
    if case .lost(let reason) = event { loss.withLock { $0 = $0 ?? reason } }
    unit?.streamChanged(event, of: self)
  }
}
