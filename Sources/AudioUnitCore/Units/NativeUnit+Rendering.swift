// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CRealTime

// The guard around every render: it admits one render at a time, checks the arguments, calls the
// notifications before and after the render, and stores the first error.
extension NativeUnit {
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
    if status == noErr { status = fill(data, call, side.pointee.plan) }
    side.pointee.recordResult(PullResult(status), at: call.time)
    return status
  }

  /// [render thread, inside the gate] Renders with notifications or pending work.
  @_noLocks @inline(never)
  private func renderWithPendingWork(
    _ call: RenderCall, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    side.pointee.applyPendingSwap()
    let (plan, notifyTable) = (side.pointee.plan, side.pointee.notifyTable)
    let refusal = side.pointee.check(call, data)
    guard refusal == noErr else {
      // No notifications: those before the render were not called.
      side.pointee.recordResult(PullResult(refusal), at: call.time)
      return refusal
    }
    notifyTable.before(call, data)
    if side.pointee.consumeReset() { clearAllHistory() }
    let status = fill(data, call, plan)
    side.pointee.recordResult(PullResult(status), at: call.time)
    notifyTable.after(call, data, status)
    return status
  }

  /// [render thread, inside the gate] Produces the frames, with the kernel if there is one.
  @_noLocks
  private func fill(
    _ data: UnsafeMutablePointer<AudioBufferList>, _ call: RenderCall, _ plan: RenderPlan
  ) -> OSStatus {
    guard let renderer = side.pointee.kernelRenderer else { return callProduce(call, plan, data) }
    return renderer.pointee.render(call, plan, into: data)
  }

  /// [render thread, inside the gate] Clears the signal history.
  @_noLocks
  private func clearAllHistory() {
    guard let renderer = side.pointee.kernelRenderer else { return callClearHistory() }
    renderer.pointee.reset()
  }

  /// [render thread] Measures the load of a render that a host calls.
  @_noLocks
  final func measure(since start: UInt64, _ frameCount: UInt32) {
    let limits = side.pointee.limits
    side.pointee.load.add(
      since: start, frameCount: Int(frameCount), sampleRate: limits.pointee.sampleRate)
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
    if status != noErr { side.pointee.recordError(status) }
    return status
  }

  // MARK: Calls that the compiler cannot check (see `UncheckedCalls.swift`)

  /// [render thread] Calls an overridden method, which is checked where it is written.
  @_semantics("no_performance_analysis") @inline(never)
  final func callClearHistory() { clearHistory() }

  /// [render thread] Calls an overridden method, which is checked where it is written.
  @_semantics("no_performance_analysis") @inline(never)
  final func callProduce(
    _ call: RenderCall, _ plan: RenderPlan, _ data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    produce(call, plan, into: data)
  }
}
