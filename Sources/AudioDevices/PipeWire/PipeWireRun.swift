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
  /// The server counts on request only, and needs some time for it.
  private let isXrunCountRequested = Atomic(false)

  init(_ pointer: OpaquePointer, _ callbacks: PipeWireCallbacks) {
    self.pointer = pointer
    self.callbacks = callbacks
  }

  var cycles: ServerCycles { callbacks.cycles }
  var events: EventSender { callbacks.events }

  func end() { pipewire_stream_close(pointer) }

  /// [any thread] Has the server count from now on.
  func requestXrunCount() { isXrunCountRequested.store(true, ordering: .relaxed) }

  var serverXrunCount: Int? {
    guard isXrunCountRequested.load(ordering: .relaxed) else { return nil }
    let gaps = pipewire_stream_gaps(pointer)
    return gaps < 0 ? nil : Int(gaps)
  }

  /// [any thread] Seconds to the device's output or from its input.
  func latency(_ direction: StreamDirection) -> Double {
    pipewire_stream_latency(pointer, direction == .output)
  }

  /// [any thread] How its cycles are scheduled; nil before the first.
  var scheduling: ThreadScheduling? {
    var priority: CInt = 0
    switch pipewire_stream_policy(pointer, &priority) {
    case ..<0: return nil
    case SCHED_FIFO, SCHED_RR: return .realTime(priority: Int(priority))
    default: return .ordinary(reason: "PipeWire's real-time module got no priority for it")
    }
  }

  /// [control thread] What keeps its cycles from starting, as far as the library knows.
  var missing: String? {
    var reason = [CChar](repeating: 0, count: 400)
    pipewire_stream_missing(pointer, &reason, UInt32(reason.count))
    let reasonText = text(reason)
    return reasonText.isEmpty ? nil : reasonText
  }
}
