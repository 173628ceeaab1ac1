// SPDX-License-Identifier: Apache-2.0
import CAudioBackends
import CRealTime

// The compiler cannot see into the library. These functions are made for the process callback: they
// read memory that is shared with the server. The library is responsible for that, and the sanitizer
// does not watch it.

/// [render thread] The events of a port in this cycle.
@_semantics("no_performance_analysis") @inline(never)
func jackBuffer(
  _ jack: UnsafePointer<JACKFunctions>, _ port: OpaquePointer, _ frameCount: UInt32
) -> UnsafeMutableRawPointer? {
  rt_host_enter()
  defer { rt_host_leave() }
  return jack.pointee.jack_port_get_buffer(port, frameCount)
}

/// [render thread] The number of events.
@_semantics("no_performance_analysis") @inline(never)
func jackEventCount(
  _ jack: UnsafePointer<JACKFunctions>, _ buffer: UnsafeMutableRawPointer
) -> UInt32 {
  rt_host_enter()
  defer { rt_host_leave() }
  return jack.pointee.jack_midi_get_event_count(buffer)
}

/// [render thread] An event; without bytes if there is none.
@_semantics("no_performance_analysis") @inline(never)
func jackEvent(
  _ jack: UnsafePointer<JACKFunctions>, _ buffer: UnsafeMutableRawPointer, _ index: UInt32
) -> JACKMIDIEvent {
  rt_host_enter()
  defer { rt_host_leave() }
  var event = JACKMIDIEvent()
  return jack.pointee.jack_midi_event_get(&event, buffer, index) == 0 ? event : JACKMIDIEvent()
}

/// [render thread] Removes all events.
@_semantics("no_performance_analysis") @inline(never)
func jackClear(_ jack: UnsafePointer<JACKFunctions>, _ buffer: UnsafeMutableRawPointer) {
  rt_host_enter()
  defer { rt_host_leave() }
  jack.pointee.jack_midi_clear_buffer(buffer)
}

/// [render thread] The memory for the bytes of another event; nil if there is no room.
@_semantics("no_performance_analysis") @inline(never)
func jackReserve(
  _ jack: UnsafePointer<JACKFunctions>, _ buffer: UnsafeMutableRawPointer, _ frame: UInt32,
  _ count: Int
) -> UnsafeMutablePointer<UInt8>? {
  rt_host_enter()
  defer { rt_host_leave() }
  return jack.pointee.jack_midi_event_reserve(buffer, frame, count)
}
