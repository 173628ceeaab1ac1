// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CRealTime

// The guard around every render: one at a time, arguments checked, notifies called before and after,
// the first error kept.
extension NativeUnit {
  /// [render thread] The render half of a unit that runs a kernel.
  final var renderer: UnsafeMutablePointer<KernelRenderer>? {
    @_noLocks get { side.pointee.renderer }
  }

  /// [render thread] Renders an output bus.
  @_noLocks
  package final func guardedRender(
    _ call: RenderCall, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let side = side
    guard side.pointee.gate.tryEnter() else { return kAudioUnitErr_CannotDoInCurrentContext }
    defer { side.pointee.gate.leave() }
    guard !side.pointee.attention.has(.guarded) else { return renderAttentively(call, into: data) }
    var status = side.pointee.limits.pointee.check(call, data)
    if status == noErr { status = fill(data, call, side.pointee.plan) }
    side.pointee.end(call, status)
    return status
  }

  /// [render thread, inside the gate] The same where somebody has to be told, or something to be done
  /// before.
  @_noLocks @inline(never)
  private func renderAttentively(
    _ call: RenderCall, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    side.pointee.takeSwitch()
    let (plan, notified) = (side.pointee.plan, side.pointee.notified)
    let refusal = side.pointee.check(call, data)
    guard refusal == noErr else {
      // Nobody was told that it begins.
      side.pointee.end(call, refusal)
      return refusal
    }
    notified.before(call, data)
    if side.pointee.takeReset() { forgetPast() }
    let status = fill(data, call, plan)
    side.pointee.end(call, status)
    notified.after(call, data, status)
    return status
  }

  /// [render thread, inside the gate] Produces the frames, by the kernel where there is one.
  @_noLocks
  private func fill(
    _ data: UnsafeMutablePointer<AudioBufferList>, _ call: RenderCall, _ plan: RenderPlan
  ) -> OSStatus {
    guard let renderer = side.pointee.renderer else { return callProduce(call, plan, data) }
    return renderer.pointee.render(call, plan, into: data)
  }

  /// [render thread, inside the gate] Forgets signal history.
  @_noLocks
  private func forgetPast() {
    guard let renderer = side.pointee.renderer else { return callForget() }
    renderer.pointee.reset()
  }

  /// [render thread] Keeps how much of real time a host's own render took.
  @_noLocks
  final func addLoad(since start: UInt64, _ frameCount: UInt32) {
    let limits = side.pointee.limits
    side.pointee.load.add(
      since: start, frameCount: Int(frameCount), sampleRate: limits.pointee.sampleRate)
  }

  /// [render thread] Processes the caller's lists without pulling; no notifies are called.
  @_noLocks
  final func guardedProcess(
    _ call: RenderCall, _ inputs: UnsafeBufferPointer<UnsafePointer<AudioBufferList>?>,
    _ outputs: UnsafeBufferPointer<UnsafeMutablePointer<AudioBufferList>?>
  ) -> OSStatus {
    guard side.pointee.gate.tryEnter() else { return kAudioUnitErr_CannotDoInCurrentContext }
    defer { side.pointee.gate.leave() }
    var status = kAudioUnitErr_Uninitialized
    if side.pointee.isReadyToRender {
      if side.pointee.takeReset() { forgetPast() }
      status = kAudio_UnimplementedError
      if let renderer = side.pointee.renderer {
        status = renderer.pointee.process(call, inputs, outputs)
      }
    }
    if status != noErr { side.pointee.note(status) }
    return status
  }
}
