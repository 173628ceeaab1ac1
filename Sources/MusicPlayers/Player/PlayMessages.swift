// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import CRealTime
import MusicSequences

/// Handles what the render thread of a player reports: events of the program, presets, and MIDI for
/// endpoints. [a thread of the library, or a control thread without locks]
final class PlayMessages: Sendable {
  private let head: PlayHead
  private let lock = ConditionLock()
  private nonisolated(unsafe) var isHandling = false
  /// The thread that handles messages.
  private nonisolated(unsafe) var handler: UInt64 = 0
  /// Whether another thread wanted to handle messages meanwhile.
  private nonisolated(unsafe) var hasMore = false
  /// The message that its endpoint had no room for, and since when endpoints have taken nothing.
  /// Accessed by the thread that handles messages.
  private nonisolated(unsafe) var refused: PlayMessage?
  private nonisolated(unsafe) var refusedSince: UInt64?
  /// Whether there is such a message.
  private nonisolated(unsafe) var isWaiting = false
  /// Looks for messages every two milliseconds while the player plays.
  private let check = Guarded<PeriodicCheck?>(nil)
  private let isActive = Guarded(false)

  init(_ head: PlayHead) { self.head = head }

  /// Begins to look for messages, or ends it after those that there are.
  func setActive(_ isOn: Bool) {
    isActive.withLock { $0 = isOn }
    guard isOn else {
      handle()
      waitForOthers()
      if hasToRetry { check.withLock { $0 }?.wake() }
      return
    }
    let check = check.withLock { check in
      if let check { return check }
      let new = PeriodicCheck(name: "music-messages") { [weak self] in
        guard let self else { return nil }
        handle()
        return isActive.withLock { $0 } || hasToRetry ? 0.002 : nil
      }
      check = new
      return new
    }
    check.wake()
  }

  /// Handles the messages that there are; one thread at a time, so that they keep their order.
  func handle() {
    let isFirst = lock.withLock {
      defer { isHandling = true }
      if isHandling { hasMore = true } else { handler = rt_thread_id() }
      return !isHandling
    }
    guard isFirst else { return }
    repeat {
      handleAll()
    } while !endsHandling()
  }

  /// Handles all messages, or those before one that has to wait for room. Endpoints that take nothing for
  /// a second lose what they refuse.
  private func handleAll() {
    while let message = refused ?? head.memory.pointee.messages.pop() {
      refused = nil
      if handle(message) {
        if message.isForEndpoint { refusedSince = nil }
        continue
      }
      let now = rt_host_time()
      let start = refusedSince ?? now
      refusedSince = start
      guard now >= start + 1_000_000_000 else {
        refused = message
        break
      }
      Explanations.log("a message of a player is lost: its endpoint takes none")
    }
    let isWaiting = refused != nil
    lock.withLock { self.isWaiting = isWaiting }
  }

  /// Whether a message waits for room.
  private var hasToRetry: Bool { lock.withLock { isWaiting } }

  /// Waits until no other thread handles messages; not for long, as that may call the program, which
  /// may wait for this one.
  private func waitForOthers() {
    guard rt_current().pointee.depth == 0 else { return }
    waitPolling(every: 100, until: rt_host_time() + 100_000_000) {
      lock.withLock { isHandling && handler != rt_thread_id() }
    }
  }

  /// Ends the handling, unless another thread asked for it meanwhile.
  private func endsHandling() -> Bool {
    lock.withLock {
      defer { hasMore = false }
      isHandling = hasMore
      return !hasMore
    }
  }

  /// Handles a message; false if its endpoint has no room for it.
  private func handle(_ message: PlayMessage) -> Bool {
    switch message.kind {
    case .midi:
      let count = message.status & 0xe0 == 0xc0 ? 2 : 3
      return send(Array([message.status, message.data1, message.data2].prefix(count)), message)
    case .bytes:
      guard case .raw(let bytes)? = event(message)?.event.message else { return true }
      return send(bytes, message)
    case .user: callUser(message)
    case .preset: setPreset(message)
    }
    return true
  }

  /// Sends bytes to the endpoint of a message.
  private func send(_ bytes: [UInt8], _ message: PlayMessage) -> Bool {
    Endpoints.sender?.send(
      bytes, to: MIDIEndpointRef(truncatingIfNeeded: message.target.number),
      at: message.hostTime) ?? true
  }

  private func callUser(_ message: PlayMessage) {
    guard let (track, event) = event(message), case .user(let bytes) = event.message,
      let sequence = track.sequence, let callback = sequence.userCallback
    else { return }
    let played = UserCallback.Event(
      track: track, data: bytes, time: message.beat, sliceStart: message.sliceStart,
      sliceEnd: message.sliceEnd)
    _ = callProgram { callback.call(sequence, played) }
  }

  private func setPreset(_ message: PlayMessage) {
    guard let (_, event) = event(message), case .preset(let preset) = event.message,
      let unit = AudioUnit(bitPattern: message.target.number),
      let entered = Handles.units.enter(unit)
    else { return }
    defer { Handles.units.leave(unit) }
    var object: UnsafeRawPointer? = preset.object
    try? entered.takeUnretainedValue().setProperty(
      PropertyAddress(kAudioUnitProperty_ClassInfo, preset.scope, preset.element), &object,
      size: UInt32(MemoryLayout<UnsafeRawPointer>.size))
  }

  /// The event of a message, if it was not removed since.
  private func event(_ message: PlayMessage) -> (track: EventTrack, event: MusicEvent)? {
    guard let handle = MusicTrack(bitPattern: message.track),
      let entered = EventTrack.handles.enter(handle)
    else { return nil }
    defer { EventTrack.handles.leave(handle) }
    let track = entered.takeUnretainedValue()
    let event = track.read { list in
      list.index(of: message.serial, near: message.beat).map { list[$0] }
    }
    return event.map { (track, $0) }
  }
}
