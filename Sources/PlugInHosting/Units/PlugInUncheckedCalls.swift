// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CPlugIns
import CRealTime
import Glibc

// Calls into plug-ins, whose code nobody checks. The sanitizer is not informed of them, and the modes of the
// floating-point unit are restored.

/// [render thread] Runs an instance; its unit owns it while it is initialised. Returns why the block has no sound of the
/// plug-in, or `noErr`.
@_semantics("no_performance_analysis") @inline(never)
func runPlugIn(_ instance: Unmanaged<PlugInInstance>, _ block: PlugInBlock) -> OSStatus {
  let modes = floating_point_modes()
  rt_host_enter()
  let status = instance._withUnsafeGuaranteedRef { instance in
    instance.run(block)
    return instance.renderStatus
  }
  rt_host_leave()
  floating_point_restore(modes)
  return status
}

/// [render thread] Resets an instance.
@_semantics("no_performance_analysis") @inline(never)
func resetPlugIn(_ instance: Unmanaged<PlugInInstance>) {
  let modes = floating_point_modes()
  rt_host_enter()
  instance._withUnsafeGuaranteedRef { $0.reset() }
  rt_host_leave()
  floating_point_restore(modes)
}

/// [render thread] Asks the host where it is in musical time; the host is responsible for its functions.
/// Nil: it does not say.
@_semantics("no_performance_analysis") @inline(never)
func musicalPosition(_ shared: UnsafeMutablePointer<HostedRuntime.Shared>) -> MusicalPosition? {
  guard let host = shared.pointee.host.load() else { return nil }
  var position = MusicalPosition()
  rt_host_enter()
  defer { rt_host_leave() }
  guard let beatAndTempo = host.beatAndTempoProc,
    beatAndTempo(host.hostUserData, &position.beat, &position.tempo) == noErr
  else { return nil }
  var (offset, denominator, numerator): (UInt32, UInt32, Float) = (0, 4, 0)
  var downbeat = 0.0
  if let location = host.musicalTimeLocationProc,
    location(host.hostUserData, &offset, &numerator, &denominator, &downbeat) == noErr,
    numerator > 0, denominator > 0
  {
    (position.numerator, position.denominator, position.downbeat) = (
      numerator, denominator, downbeat
    )
  }
  var (isPlaying, isChanged) = (true, false)
  if let state = host.transportStateProc {
    let status = state(
      host.hostUserData, &isPlaying, &isChanged, &position.frame, &position.isCycling,
      &position.cycleStart,
      &position.cycleEnd)
    if status != noErr { (isPlaying, position.isCycling) = (true, false) }
  }
  position.isPlaying = isPlaying
  return position
}

/// [render thread] Wakes the thread of plug-ins.
@_semantics("no_performance_analysis") @inline(never)
func wakePlugInThread(_ wake: UnsafeMutablePointer<sem_t>) { sem_post(wake) }
