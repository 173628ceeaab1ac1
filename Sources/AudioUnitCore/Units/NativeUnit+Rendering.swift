// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CRealTime

// The guard around every render: one at a time, arguments checked, notifies called before and after,
// the first error kept.
extension NativeUnit {
  /// [render thread] Renders an output bus.
  @_noLocks
  package final func guardedRender(
    _ call: RenderCall, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard side.pointee.gate.tryEnter() else { return kAudioUnitErr_CannotDoInCurrentContext }
    defer { side.pointee.gate.leave() }
    side.pointee.takeSwitch()
    let plan = side.pointee.currentPlan
    var status = side.pointee.check(call, data)
    if status == noErr {
      plan.notifyBefore(call, data)
      if side.pointee.takeReset() { callForget() }
      status = callProduce(call, plan, data)
    }
    if status == noErr {
      side.pointee.noteTime(call.time.pointee.mSampleTime)
    } else {
      side.pointee.note(status)
    }
    plan.notifyAfter(call, data, status)
    return status
  }

  /// [render thread] Keeps how much of real time a host's own render took.
  @_noLocks
  final func addLoad(_ nanoseconds: UInt64, _ frameCount: UInt32) {
    let limits = side.pointee.limits
    side.pointee.load.add(
      nanoseconds: nanoseconds, frameCount: Int(frameCount),
      sampleRate: limits.pointee.sampleRate)
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
      if side.pointee.takeReset() { callForget() }
      status = callProduce(call, inputs, outputs)
    }
    if status != noErr { side.pointee.note(status) }
    return status
  }
}
