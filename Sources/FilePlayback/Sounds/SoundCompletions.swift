// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import Synchronization

/// Calls the handlers of sounds that have ended, each once and in order, on a thread that exists
/// while there are sounds.
final class SoundCompletions: @unchecked Sendable {  // `shared` belongs to the schedule
  private struct State {
    /// The sounds that have not ended.
    var pending: [Int: ScheduledSound] = [:]
    /// Those that have ended and whose last frame is still on the way to the device.
    var late: [(sound: ScheduledSound, hostTime: UInt64)] = []
    /// Those whose handlers are to be called now.
    var due: [ScheduledSound] = []
    /// Whether a sound with a handler may be pending.
    var expectsHandlers = false

    var isEmpty: Bool { pending.isEmpty && late.isEmpty && due.isEmpty }
  }

  private let shared: UnsafeMutablePointer<SoundExchange>
  private let state = Guarded(State())
  private let check: Guarded<PeriodicCheck?> = Guarded(nil)
  /// Whether the render thread takes entries soon.
  private let isActive = Atomic(false)
  /// Nanoseconds from a render until its sound has come out of the device.
  let latency = Atomic<UInt64>(0)

  /// Seconds between looks while sounds with handlers play, and while none can end, or only memory of
  /// those that have ended is to be freed.
  private static let pause = (playing: 0.005, waiting: 0.1)

  init(_ shared: UnsafeMutablePointer<SoundExchange>) { self.shared = shared }

  /// [control thread] Expects the end of a sound.
  func add(_ sound: ScheduledSound) {
    let mustLook = state.withLock { state in
      let isFirst = state.isEmpty
      let isFirstHandler = sound.request.handler != nil && !state.expectsHandlers
      if isFirstHandler { state.expectsHandlers = true }
      state.pending[sound.number] = sound
      return isFirst || isFirstHandler
    }
    if mustLook { wake() }
  }

  /// [control thread] Sets whether sounds can end soon.
  func setActive(_ isActive: Bool) {
    self.isActive.store(isActive, ordering: .relaxed)
    if isActive, !state.withLock({ $0.isEmpty }) { wake() }
  }

  /// [control thread] All sounds end now: their handlers are called soon.
  func endAll() {
    let isEmpty = state.withLock { state in
      collect(&state)
      state.due += state.late.map(\.sound)
      state.late = []
      state.due += state.pending.values.sorted { $0.number < $1.number }
      state.pending = [:]
      return state.due.isEmpty
    }
    if !isEmpty { wake() }
  }

  /// [control thread] Forgets the sounds that have not ended, and returns them in order: their
  /// handlers are not called.
  func removeAll() -> [ScheduledSound] {
    state.withLock { state in
      collect(&state)
      defer { state.pending = [:] }
      return state.pending.values.sorted { $0.number < $1.number }
    }
  }

  /// [control thread, at the end of the schedule] All sounds end now. Nothing uses the schedule's
  /// memory afterwards.
  func close() {
    check.withLock { $0 = nil }
    let rest = state.withLock { state in
      collect(&state)
      let rest =
        state.due + state.late.map(\.sound)
        + state.pending.values.sorted { $0.number < $1.number }
      state = State()
      isClosed = true
      return rest
    }
    let handlers = rest.compactMap(\.request.handler)
    if !handlers.isEmpty { Self.rest.perform { for handler in handlers { handler() } } }
  }

  private static let rest = SerialWorker(name: "audio-player")
  /// Guarded by `state`.
  private var isClosed = false

  private func wake() {
    let check = check.withLock { check in
      let made =
        check ?? PeriodicCheck(name: "audio-player") { [weak self] in self?.deliver() ?? nil }
      check = made
      return made
    }
    check.wake()
  }

  /// Takes the entries that have ended.
  private func collect(_ state: inout State) {
    guard !isClosed else { return }
    let latency = latency.load(ordering: .relaxed)
    SoundEntry.deallocateAll(shared.pointee.finished.popAll()) { sound, hostTime in
      guard state.pending.removeValue(forKey: sound.number) != nil else { return }
      if case .playedBack = sound.request.completion, hostTime > 0 {
        state.late.append((sound, hostTime &+ latency))
      } else {
        state.due.append(sound)
      }
    }
  }

  /// [its own thread] Calls the handlers that are due; returns the seconds until the next look.
  private func deliver() -> Double? {
    let due = state.withLock { state in
      collect(&state)
      let now = rt_host_time()
      while let first = state.late.first, first.hostTime <= now {
        state.due.append(first.sound)
        state.late.removeFirst()
      }
      defer { state.due = [] }
      return state.due
    }
    for sound in due { sound.request.handler?() }
    return state.withLock { state in
      guard state.due.isEmpty else { return 0 }
      guard !state.isEmpty else { return nil }
      state.expectsHandlers = state.pending.values.contains { $0.request.handler != nil }
      let isActive = state.expectsHandlers && isActive.load(ordering: .relaxed)
      return isActive || !state.late.isEmpty ? Self.pause.playing : Self.pause.waiting
    }
  }
}
