// SPDX-License-Identifier: Apache-2.0
import AudioQueues
import AudioSupport
import AudioUnitCore
import CoreAudio
import CRealTime

/// Runs `body` on the unit behind a handle; converts an error to a status, and records its
/// explanation.
///
/// A handle that is null, stale or not ours yields an error.
func status(
  _ handle: AudioUnit, in call: StaticString = #function,
  _ body: (UnitInstance) throws(AudioError) -> Void
) -> OSStatus {
  border {
    atWork {
      guard let unit = Handles.units.enter(handle) else {
        return Explanations.record(.staleUnit, in: call)
      }
      defer { Handles.units.leave(handle) }
      return unit._withUnsafeGuaranteedRef { unit in
        do throws(AudioError) {
          try body(unit)
          return noErr
        } catch {
          return Explanations.record(error.in(unit), in: call)
        }
      }
    }
  }
}

/// Runs `body` on the queue behind a handle; converts an error to a status, and records its
/// explanation.
func status(
  queue handle: AudioQueueRef, in call: StaticString = #function,
  _ body: (AudioQueue) throws(AudioError) -> Void
) -> OSStatus {
  deviceStatus(in: call) { () throws(AudioError) in try AudioQueue.use(handle, body) }
}

/// As above, for a call that returns buffers: it waits until the program has received them.
func status(
  queueReturningBuffers handle: AudioQueueRef, in call: StaticString = #function,
  _ body: (AudioQueue) throws(AudioError) -> Void
) -> OSStatus {
  deviceStatus(in: call) { () throws(AudioError) in
    try AudioQueue.useAwaitingCallbacks(handle, body)
  }
}

/// [render thread] Renders the unit behind a handle, with denormals off and under the real-time
/// sanitizer.
///
/// `isComplete`: no required argument is null.
@inline(__always)
func renderStatus(
  _ handle: AudioUnit, in call: StaticString, isComplete: Bool, bus: UInt32, frameCount: UInt32,
  _ body: (Unmanaged<UnitInstance>) -> OSStatus
) -> OSStatus {
  rt_border_enter()
  defer { rt_border_leave() }
  var status = kAudio_ParamError
  if isComplete, let unit = Handles.units.enter(handle) {
    rt_enter()
    // Only the outermost call is measured, including everything it pulls.
    let isOutermost = rt_current().pointee.depth == 1
    let start = isOutermost ? rt_ticks() : 0
    status = body(unit)
    if isOutermost, status == noErr {
      unit._withUnsafeGuaranteedRef { $0.measureLoad(since: start, frameCount: frameCount) }
    }
    rt_leave()
    Handles.units.leave(handle)
  }
  if status != noErr {
    Explanations.recordRender(status, in: call, unit: handle, bus: bus, frameCount: frameCount)
  }
  return status
}

extension AudioError {
  static var staleUnit: AudioError { stale("audio unit") }

  /// The same error, with the name of the unit that refused.
  func `in`(_ unit: UnitInstance) -> AudioError { of(unit.title) }
}
