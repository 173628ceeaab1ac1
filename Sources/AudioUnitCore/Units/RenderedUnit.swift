// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox
import CRealTime

/// A unit of this library as render threads and connected units use it: the guard around every
/// render, the render notifications, and the readers of its output.
///
/// The guard admits one render at a time, checks the arguments, calls the notifications before and
/// after the render, and stores the first error. `NativeUnit` adds everything that hosts set.
open class RenderedUnit: UnitInstance, @unchecked Sendable {
  /// The lock of every control call; a render thread only uses `tryLock`.
  public let lock = Lock()
  /// The part that render threads use.
  package let side: UnsafeMutablePointer<RenderSide>
  let output: SharedOutput
  private var notifies: NotifyList

  /// Takes ownership of `side`.
  init(component: Component, side: UnsafeMutablePointer<RenderSide>) {
    self.side = side
    output = SharedOutput(side)
    notifies = NotifyList(side)
    super.init(component: component)
  }

  deinit { RenderSide.deallocate(side) }

  // MARK: Units without a kernel

  /// [render thread] Produces the frames of an output bus, for units without a kernel. The
  /// arguments are checked, and no other render is inside.
  open func produce(
    _ call: RenderCall, _ sources: SourceTable, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus { kAudio_UnimplementedError }

  /// [render thread, or control thread while nothing renders] Clears the signal history.
  open func clearHistory() {}

  // MARK: Control

  open override func open() throws(AudioError) {
    side.pointee.handle.store(
      handle.map { UInt(bitPattern: $0) } ?? 0, ordering: .relaxed)
  }

  /// [any thread] Runs `body` under the unit's lock. A render thread gets an error if it would have
  /// to wait.
  public final func control<Result>(_ body: () throws(AudioError) -> Result) throws(AudioError)
    -> Result
  {
    try lock.acquire()
    defer { lock.unlock() }
    return try body()
  }

  /// [any thread] Whether it can render now.
  public final var isInitialized: Bool { side.pointee.isReadyToRender }
  open override var isRendering: Bool { !side.pointee.gate.isIdle }
  open override func waitForRender() { side.pointee.gate.waitUntilIdle() }
  final override var renderSide: UnsafeMutablePointer<RenderSide>? { side }

  /// Whether no reader can still use replaced tables.
  final var isQuiet: Bool {
    guard !isRendering else { return false }
    guard let handle else { return true }
    return Handles.units.users(of: handle) <= 1
  }

  // MARK: Readers of its output

  open override func sourceChanged(for consumer: UnitInstance, isConnected: Bool) {
    output.change(consumer, isConnected: isConnected, isQuiet: { isQuiet })
  }
  package final override func readersChanged() { output.fit(isQuiet: { isQuiet }) }
  open override var readers: [UnitInstance] { output.consumers.readers }
  open override func dropRender() { side.pointee.pending.raise(.stale) }

  // MARK: Notifications

  open override func addRenderNotify(_ notify: RenderCallback) throws(AudioError) {
    try control { () in notifies.add(notify, isQuiet: { isQuiet }) }
  }

  open override func removeRenderNotify(_ notify: RenderCallback) throws(AudioError) {
    try control { () in notifies.remove(notify, isQuiet: { isQuiet }) }
    // The host may free the context as soon as this returns.
    side.pointee.gate.waitUntilIdleUnlessRendering()
  }

  // MARK: The guard around every render

  open override func render(_ call: RenderCall, into data: UnsafeMutablePointer<AudioBufferList>)
    -> OSStatus
  { guardedRender(call, into: data) }

  /// [render thread] Renders an output bus.
  @_noLocks
  package final func guardedRender(
    _ call: RenderCall, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let side = side
    guard let kinds = side.pointee.beginRender() else { return RenderSide.isBusy.status }
    defer { side.pointee.endRender() }
    guard !kinds.has(.guardWork) else { return renderWithPendingWork(call, into: data) }
    var status = side.pointee.limits.pointee.check(call, data)
    if status == noErr { status = fill(data, call, side.pointee.sourceTable) }
    return side.pointee.finish(PullResult(status), at: call.time).status
  }

  /// [render thread, inside the gate] Renders with notifications or pending work.
  @_noLocks @inline(never)
  private final func renderWithPendingWork(
    _ call: RenderCall, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    side.pointee.applyPendingSwap()
    let (sources, notifyTable) = (side.pointee.sourceTable, side.pointee.notifyTable)
    let refusal = side.pointee.check(call, data)
    guard refusal == noErr else {
      // No notifications: those before the render were not called.
      return side.pointee.finish(PullResult(refusal), at: call.time).status
    }
    notifyTable.before(call, data)
    if side.pointee.consumeReset() { clearAllHistory() }
    let filled = PullResult(fill(data, call, sources))
    let status = side.pointee.finish(filled, at: call.time).status
    notifyTable.after(call, data, status)
    return status
  }

  /// [render thread, inside the gate] Produces the frames, with the kernel if there is one.
  @_noLocks
  private final func fill(
    _ data: UnsafeMutablePointer<AudioBufferList>, _ call: RenderCall, _ sources: SourceTable
  ) -> OSStatus {
    if let renderer = side.pointee.kernelRenderer {
      return renderer.pointee.render(call, sources, into: data)
    }
    if let passThrough = side.pointee.passThrough {
      return passThrough.pointee.render(call, sources, into: data)
    }
    return callProduce(call, sources, data)
  }

  /// [render thread, inside the gate] Clears the signal history.
  @_noLocks
  private final func clearAllHistory() {
    if let renderer = side.pointee.kernelRenderer { return renderer.pointee.reset() }
    if let passThrough = side.pointee.passThrough { return passThrough.pointee.reset() }
    callClearHistory()
  }

  /// [render thread] Processes the caller's lists without pulling and without notifications.
  @_noLocks
  final func guardedProcess(
    _ call: RenderCall, _ inputs: UnsafeBufferPointer<UnsafePointer<AudioBufferList>?>,
    _ outputs: UnsafeBufferPointer<UnsafeMutablePointer<AudioBufferList>?>
  ) -> OSStatus {
    let side = side
    guard let kinds = side.pointee.beginRender() else { return RenderSide.isBusy.status }
    defer { side.pointee.endRender() }
    var status = kAudioUnitErr_Uninitialized
    if !kinds.has(.notReady) {
      if side.pointee.consumeReset() { clearAllHistory() }
      status = kAudio_UnimplementedError
      if let renderer = side.pointee.kernelRenderer {
        status = renderer.pointee.process(call, inputs, outputs)
      }
    }
    return side.pointee.finish(processed: status)
  }

  @_noLocks
  open override func measureLoad(since start: UInt64, frameCount: UInt32) {
    let limits = side.pointee.limits
    side.pointee.load.add(
      since: start, frameCount: Int(frameCount), sampleRate: limits.pointee.sampleRate)
  }

  // MARK: Calls that the compiler cannot check (see `RenderUncheckedCalls.swift`)

  /// [render thread] Calls an overridden method, which is checked where it is written.
  @_semantics("no_performance_analysis") @inline(never)
  private final func callClearHistory() { clearHistory() }

  /// [render thread] Calls an overridden method, which is checked where it is written.
  @_semantics("no_performance_analysis") @inline(never)
  private final func callProduce(
    _ call: RenderCall, _ sources: SourceTable, _ data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    produce(call, sources, into: data)
  }
}
