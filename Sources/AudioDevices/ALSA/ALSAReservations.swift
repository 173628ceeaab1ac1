// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// The PCMs that this process reserves. They stay open even while nothing plays. A stream of this
/// process takes the place of the reservation, which is restored when the stream ends.
// The worker of the back end opens and closes the PCMs.
final class ALSAReservations: Sendable {
  private struct State: @unchecked Sendable {
    /// The reserved PCMs.
    var names: Set<String> = []
    /// Those that are open, by name.
    var held: [String: [OpenPCM]] = [:]
  }

  /// A PCM that stays open in one direction as long as `pcm` is referenced.
  private struct OpenPCM {
    let direction: StreamDirection
    let pcm: AnyObject
  }

  /// Opens a PCM, which closes when the result is released. Nil if it cannot be opened.
  private let open: @Sendable (_ name: String, _ direction: StreamDirection) -> AnyObject?
  private let state = Guarded(State())

  init(open: @escaping @Sendable (_ name: String, _ direction: StreamDirection) -> AnyObject?) {
    self.open = open
  }

  /// Whether a PCM is reserved.
  func contains(_ name: String) -> Bool { state.withLock { $0.names.contains(name) } }

  /// [worker] Reserves a PCM until `release`.
  ///
  /// - Throws: The reason if neither direction can be opened, unless this process plays to it.
  func reserve(_ name: String, isOurs: Bool) throws(AudioError) {
    state.withLock { _ = $0.names.insert(name) }
    resume()
    guard state.withLock({ $0.held[name]?.isEmpty ?? true }), !isOurs else { return }
    release(name)
    throw .invalidPropertyValue.because(
      "\"\(name)\" cannot be used exclusively: it is in use")
  }

  /// [worker] Ends the reservation of a PCM.
  func release(_ name: String) {
    state.withLock { state in
      state.names.remove(name)
      state.held[name] = nil
    }
  }

  /// [worker] Closes these PCMs so that a stream of this process can open them.
  func suspend(_ names: [String]) {
    state.withLock { state in for name in names { state.held[name] = nil } }
  }

  /// [worker] Opens each reserved PCM that is not open, in both directions, except those that a
  /// stream uses.
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
