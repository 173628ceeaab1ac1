// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import Glibc
import Synchronization

/// One run of a stream: the library's stream and its callbacks.
// Only the library dereferences the pointer.
final class PipeWireRun: ServerRun, @unchecked Sendable {
  private let pointer: OpaquePointer
  private let callbacks: PipeWireCallbacks
  /// Whether counting was requested: the server counts only on request, and needs some time to
  /// start.
  private let isXrunCountRequested = Atomic(false)

  init(_ pointer: OpaquePointer, _ callbacks: PipeWireCallbacks) {
    self.pointer = pointer
    self.callbacks = callbacks
  }

  var cycles: ServerCycles { callbacks.cycles }
  var events: EventSender { callbacks.events }

  func end() { pipewire_stream_close(pointer) }

  /// [any thread] Requests that the server starts counting.
  func requestXrunCount() { isXrunCountRequested.store(true, ordering: .relaxed) }

  var serverXrunCount: Int? {
    guard isXrunCountRequested.load(ordering: .relaxed) else { return nil }
    let gaps = pipewire_stream_gaps(pointer)
    return gaps < 0 ? nil : Int(gaps)
  }

  /// [any thread] Seconds to the device's output or from its input.
  func latency(_ direction: StreamDirection) -> Double {
    let seconds = pipewire_stream_latency(pointer, direction == .output)
    return seconds.isFinite ? seconds : 0
  }

  /// [any thread] The scheduling of its cycles. Nil before the first cycle.
  var scheduling: ThreadScheduling? {
    var priority: CInt = 0
    switch pipewire_stream_policy(pointer, &priority) {
    case ..<0: return nil
    case SCHED_FIFO, SCHED_RR: return .realTime(priority: Int(priority))
    default: return .ordinary(reason: "PipeWire's real-time module got no priority for it")
    }
  }

  /// [control thread] Why its cycles do not start. Nil if the library does not know.
  var missing: String? {
    var reason = [CChar](repeating: 0, count: 400)
    pipewire_stream_missing(pointer, &reason, UInt32(clamping: reason.count))
    let reasonText = text(reason)
    return reasonText.isEmpty ? nil : reasonText
  }
}
