// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox

// Calls of units from a render thread that the compiler cannot check: they receive notes, MIDI and
// parameters on any thread, also inside a render, and neither wait nor allocate there.

/// [any thread] Runs `body` on a unit, unless it was disposed of; false if the unit has no room for an
/// event. What it refuses for another reason it will never take.
@inline(__always)
private func use(_ handle: UInt, _ body: (UnitInstance) throws(AudioError) -> Void) -> Bool {
  guard let unit = AudioUnit(bitPattern: handle), let entered = Handles.units.enter(unit) else {
    return true
  }
  var hasRoom = true
  entered._withUnsafeGuaranteedRef { unit in
    do throws(AudioError) { try body(unit) } catch {
      hasRoom = error.status != kAudioUnitErr_CannotDoInCurrentContext
    }
  }
  Handles.units.leave(unit)
  return hasRoom
}

/// [any thread] Sends a message at a frame of the unit's next slice; false if there is no room.
@_semantics("no_performance_analysis") @inline(never)
func sendMessage(
  _ unit: UInt, _ status: UInt8, _ data1: UInt8, _ data2: UInt8, at frame: UInt32
) -> Bool {
  use(unit) { unit throws(AudioError) in
    try unit.receiveMIDIEvent(UInt32(status), UInt32(data1), UInt32(data2), offset: frame)
  }
}

/// [any thread] Sends a system-exclusive message; false if there is no room.
@_semantics("no_performance_analysis") @inline(never)
func sendBytes(_ unit: UInt, _ bytes: UnsafeMutableRawPointer, _ count: UInt32) -> Bool {
  use(unit) { unit throws(AudioError) in
    try unit.receiveMIDIMessage(
      UnsafeBufferPointer(start: bytes.assumingMemoryBound(to: UInt8.self), count: Int(count)))
  }
}

/// [any thread] Starts a note; returns its identifier, 0 if it was refused, and whether there was room.
@_semantics("no_performance_analysis") @inline(never)
func startNote(
  _ unit: UInt, _ instrument: UInt32, _ group: UInt32, _ parameters: UnsafeMutableRawPointer,
  at frame: UInt32
) -> (note: UInt32, hasRoom: Bool) {
  var note: UInt32 = 0
  let hasRoom = use(unit) { unit throws(AudioError) in
    note = try unit.startNote(
      instrument, group: group, parameters.assumingMemoryBound(to: MusicDeviceNoteParams.self),
      offset: frame)
  }
  return (note, hasRoom)
}

/// [any thread] Ends a note; false if there is no room.
@_semantics("no_performance_analysis") @inline(never)
func stopNote(_ unit: UInt, _ note: UInt32, _ group: UInt32, at frame: UInt32) -> Bool {
  use(unit) { unit throws(AudioError) in try unit.stopNote(note, group: group, offset: frame) }
}

/// [any thread] Sets a parameter at a frame; false if there is no room.
@_semantics("no_performance_analysis") @inline(never)
func setParameter(
  _ unit: UInt, _ id: UInt32, _ scope: UInt32, _ element: UInt32, _ value: Float, at frame: UInt32
) -> Bool {
  use(unit) { unit throws(AudioError) in
    try unit.setParameter(
      ParameterAddress(id, scope, element), to: value, offset: frame)
  }
}

/// [any thread] Schedules a change of a parameter; false if the unit refuses it.
@_semantics("no_performance_analysis") @inline(never)
func schedule(_ unit: UInt, _ event: UnsafePointer<AudioUnitParameterEvent>) -> Bool {
  var isScheduled = false
  _ = use(unit) { unit throws(AudioError) in
    try unit.schedule(UnsafeBufferPointer(start: event, count: 1))
    isScheduled = true
  }
  return isScheduled
}
