// SPDX-License-Identifier: Apache-2.0
import CAudioBackends
import CRealTime

// The compiler cannot see into the library. These functions are made for the process callback: they
// read clocks, and memory that is shared with the server. The library is responsible for that, and
// the sanitizer does not watch it.

/// [render thread] The beginning of the cycle in host time. The server's clock may differ from the
/// host's, so only the difference from now is used.
@_semantics("no_performance_analysis") @inline(never)
func jackCycleBegin(_ jack: UnsafePointer<JACKFunctions>, _ client: OpaquePointer) -> UInt64 {
  rt_host_enter()
  defer { rt_host_leave() }
  var frames: UInt32 = 0
  var begin: UInt64 = 0
  var end: UInt64 = 0
  var period: Float = 0
  let answer = jack.pointee.jack_get_cycle_times(client, &frames, &begin, &end, &period)
  let (now, hostNow) = (jack.pointee.jack_get_time(), rt_host_time())
  // The times of a client that has just been activated may be those of long ago.
  guard answer == 0, now >= begin, now &- begin < 10_000_000 else { return hostNow }
  return hostNow &- (now &- begin) &* 1_000
}

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
