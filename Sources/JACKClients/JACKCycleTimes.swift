// SPDX-License-Identifier: Apache-2.0
import CAudioBackends
import CRealTime

/// The times of a cycle of a JACK server.
package struct JACKCycleTimes: BitwiseCopyable, Sendable {
  /// The beginning of the cycle in host time; now if it is unknown.
  package let begin: UInt64
  /// The deadline in host time; 0 if it is unknown.
  package let end: UInt64
  /// The microseconds of a cycle as the server measures them; 0 if they are unknown.
  package let period: Float
}

/// [render thread] The times of the current cycle. The server's clock may differ from the host's, so
/// only differences from now are used.
///
/// The compiler cannot see into the library. Its functions that are called here are made for the process
/// callback, and read clocks.
@_semantics("no_performance_analysis") @inline(never)
package func jackCycleTimes(
  _ jack: UnsafePointer<JACKFunctions>, _ client: OpaquePointer
) -> JACKCycleTimes {
  rt_host_enter()
  defer { rt_host_leave() }
  /// Microseconds of no cycle: the times of a client that has just been activated may be those of long
  /// ago.
  let longest: UInt64 = 10_000_000
  var frames: UInt32 = 0
  var begin: UInt64 = 0
  var end: UInt64 = 0
  var period: Float = 0
  let answer = jack.pointee.jack_get_cycle_times(client, &frames, &begin, &end, &period)
  let (now, hostNow) = (jack.pointee.jack_get_time(), rt_host_time())
  guard answer == 0, now >= begin, now &- begin < longest, end >= begin, end &- begin < longest
  else { return JACKCycleTimes(begin: hostNow, end: 0, period: 0) }
  let hostBegin = hostNow &- (now &- begin) &* 1_000
  return JACKCycleTimes(
    begin: hostBegin, end: hostBegin &+ (end &- begin) &* 1_000, period: period)
}
