// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// The PCMs that this process keeps to itself: open, although nothing plays. A stream of this process takes
/// the place of what is held, and is held for again when it ends.
// Opened and closed by the worker of the back end.
final class ALSAReservations: Sendable {
  private struct State: @unchecked Sendable {
    var wanted: Set<String> = []
    var held: [String: [Hold]] = [:]
  }

  /// A PCM that is open in one direction; who holds `pcm` holds it.
  private struct Hold {
    let direction: StreamDirection
    let pcm: AnyObject
  }

  /// Opens a PCM, which is closed with what is returned; nil where that cannot be.
  private let open: @Sendable (_ name: String, _ direction: StreamDirection) -> AnyObject?
  private let state = Guarded(State())

  init(open: @escaping @Sendable (_ name: String, _ direction: StreamDirection) -> AnyObject?) {
    self.open = open
  }

  /// Whether a PCM is kept.
  func contains(_ name: String) -> Bool { state.withLock { $0.wanted.contains(name) } }

  /// [worker] Keeps a PCM from now on.
  ///
  /// - Throws: Why neither direction can be opened, when this process does not play there either.
  func reserve(_ name: String, isOurs: Bool) throws(AudioError) {
    state.withLock { _ = $0.wanted.insert(name) }
    hold()
    guard state.withLock({ $0.held[name]?.isEmpty ?? true }), !isOurs else { return }
    release(name)
    throw .invalidPropertyValue.because(
      "\"\(name)\" cannot be used exclusively: it is in use")
  }

  /// [worker] Keeps it no more.
  func release(_ name: String) {
    state.withLock { state in
      state.wanted.remove(name)
      state.held[name] = nil
    }
  }

  /// [worker] Makes room for a stream of this process.
  func makeRoom(_ names: [String]) {
    state.withLock { state in for name in names { state.held[name] = nil } }
  }

  /// [worker] Opens what is kept and not held: both directions, as far as no stream has them.
  func hold() {
    for name in state.withLock({ $0.wanted }) {
      let held = state.withLock { $0.held[name] ?? [] }
      let missing = [StreamDirection.output, .input].filter { way in
        !held.contains { $0.direction == way }
      }
      let more = missing.compactMap { way in
        open(name, way).map { Hold(direction: way, pcm: $0) }
      }
      state.withLock { $0.held[name] = held + more }
    }
  }
}
