// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// The PCMs that this process reserves: they stay open although nothing plays. A stream of this
/// process replaces the reservation, which returns when the stream ends.
// Opened and closed by the worker of the back end.
final class ALSAReservations: Sendable {
  private struct State: @unchecked Sendable {
    var names: Set<String> = []
    var held: [String: [OpenPCM]] = [:]
  }

  /// A PCM that is open in one direction, as long as `pcm` is referenced.
  private struct OpenPCM {
    let direction: StreamDirection
    let pcm: AnyObject
  }

  /// Opens a PCM, which closes when the result is released; nil when it cannot be opened.
  private let open: @Sendable (_ name: String, _ direction: StreamDirection) -> AnyObject?
  private let state = Guarded(State())

  init(open: @escaping @Sendable (_ name: String, _ direction: StreamDirection) -> AnyObject?) {
    self.open = open
  }

  /// Whether a PCM is reserved.
  func contains(_ name: String) -> Bool { state.withLock { $0.names.contains(name) } }

  /// [worker] Reserves a PCM from now on.
  ///
  /// - Throws: Why neither direction can be opened, unless this process plays there itself.
  func reserve(_ name: String, isOurs: Bool) throws(AudioError) {
    state.withLock { _ = $0.names.insert(name) }
    resume()
    guard state.withLock({ $0.held[name]?.isEmpty ?? true }), !isOurs else { return }
    release(name)
    throw .invalidPropertyValue.because(
      "\"\(name)\" cannot be used exclusively: it is in use")
  }

  /// [worker] Ends its reservation.
  func release(_ name: String) {
    state.withLock { state in
      state.names.remove(name)
      state.held[name] = nil
    }
  }

  /// [worker] Makes room for a stream of this process.
  func suspend(_ names: [String]) {
    state.withLock { state in for name in names { state.held[name] = nil } }
  }

  /// [worker] Opens each reserved PCM that is not open: both directions, unless a stream has them.
  func resume() {
    for name in state.withLock({ $0.names }) {
      let held = state.withLock { $0.held[name] ?? [] }
      let missing = [StreamDirection.output, .input].filter { direction in
        !held.contains { $0.direction == direction }
      }
      let more = missing.compactMap { direction in
        open(name, direction).map { OpenPCM(direction: direction, pcm: $0) }
      }
      state.withLock { $0.held[name] = held + more }
    }
  }
}
