// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioHardware
import CRealTime
import CoreAudio

// Finds changes since the last check. One thread checks, and notifies the observers.
extension Session {
  /// Seconds after which stopped streams count as an interruption. Moving to another device takes
  /// less time than `moved`, and restarting on a server that has returned less than `reset`.
  private static let interruptionDelay = (moved: 0.4, reset: 5.0)
  /// Seconds for which a server may be gone before another back end replaces it, and for which a
  /// server that has come back may have no device.
  private static let serverTimeouts = (replaced: 5.0, empty: 10.0)
  /// Seconds between two checks. A server reports a change in several steps, so observers are
  /// notified when two checks agree. The second check comes after the device cache has expired.
  private static let interval = (lost: 0.25, interrupted: 0.1, unsettled: 0.3)

  /// [check thread] Checks for changes, and notifies the observers. Returns the seconds until the next
  /// check; nil when none is needed.
  func check() -> Double? {
    inEnvironment {
      observeDevices()
      let events = serverEvents() + deviceEvents() + streamEvents()
      let observers = withState { state in
        state.observers.sorted { $0.key < $1.key }.map(\.value)
      }
      for event in events { for observer in observers { observer(event) } }
      if withState({ $0.lostServer }) != nil { return Self.interval.lost }
      if unsettled != nil || unsettledHint != nil { return Self.interval.unsettled }
      return StreamInterruptions.shared.all.isEmpty ? nil : Self.interval.interrupted
    }
  }

  // MARK: The server

  private func serverEvents() -> [SessionEvent] {
    if let lost = withState({ $0.lostServer }) {
      let isBack = isBack(lost)
      let hasReplacement =
        seconds(since: lost.since) > Self.serverTimeouts.replaced
        && SessionDevice.standard(isInput: false).map { $0.backend != NullBackend.name } ?? false
      guard isBack || hasReplacement else { return [] }
      withState { state in
        state.lostServer = nil
        state.lastReset = rt_host_time()
        // The route is now that of another server.
        if !isBack { state.server = nil }
      }
      return [.servicesReset]
    }
    return lossOfServer()
  }

  /// The event that the server behind the route is gone, if that is new; else none. A server without
  /// devices is not gone.
  private func lossOfServer() -> [SessionEvent] {
    guard let server = withState({ $0.server }), !answers(server) else { return [] }
    withState { $0.lostServer = LostServer(backend: server, since: rt_host_time()) }
    return [.servicesLost]
  }

  /// Whether a lost server answers again. It may list its devices a little later.
  private func isBack(_ lost: LostServer) -> Bool {
    guard answers(lost.backend) else {
      withState { $0.lostServer?.answeredAt = nil }
      return false
    }
    let answeredAt = lost.answeredAt ?? rt_host_time()
    withState { $0.lostServer?.answeredAt = answeredAt }
    return Backends.survey(of: lost.backend)?.devices.isEmpty == false
      || seconds(since: answeredAt) > Self.serverTimeouts.empty
  }

  private func answers(_ backend: String) -> Bool {
    Backends.survey(of: backend)?.answers ?? false
  }

  private func seconds(since time: UInt64) -> Double {
    let now = rt_host_time()
    return Double(now - min(time, now)) / 1_000_000_000
  }

  // MARK: Devices

  private func deviceEvents() -> [SessionEvent] {
    // The route stays the same until its server is back.
    guard withState({ $0.lostServer }) == nil else { return [] }
    var now = snapshot()
    // A server may end during a query. Missing answers then do not mean a change of the route.
    let loss = lossOfServer()
    guard loss.isEmpty else { return loss }
    guard isSettled(now) else { return [] }
    now.othersPlay = settledHint(now.othersPlay)
    if let backend = now.backend, backend != NullBackend.name {
      withState { $0.server = now.server }
    }
    let ownChanges = withState { state in
      defer { state.ownChanges = [] }
      return state.ownChanges
    }
    let before = lastSnapshot
    lastSnapshot = now
    if !now.lacksDevice {
      hasLostDevice = false
    } else if let before, !before.lacksDevice, before.setup.category == now.setup.category {
      hasLostDevice = true
    }
    var events = ownChanges.compactMap { change -> SessionEvent? in
      guard change.reason == .categoryChange || before.map({ $0.route != now.route }) ?? false
      else { return nil }
      return .routeChanged(change.reason, previous: (before ?? now).route(for: change.before))
    }
    guard let before else { return events }
    if ownChanges.isEmpty, let reason = reason(before, now) {
      events.append(.routeChanged(reason, previous: before.route(for: now.setup)))
    }
    if before.inputs != now.inputs { events.append(.inputsChanged) }
    if before.volume != now.volume { events.append(.volumeChanged(now.volume)) }
    if before.othersPlay != now.othersPlay { events.append(.silenceHint(now.othersPlay)) }
    return events
  }

  /// Whether two checks agree, or nothing changed. The program's own changes are reported
  /// immediately.
  private func isSettled(_ now: SessionSnapshot) -> Bool {
    // A device that disappeared during a query has no UID.
    let isIncomplete = [now.input, now.output].contains { $0?.uid.isEmpty ?? false }
    guard !isIncomplete else {
      unsettled = now
      return false
    }
    let isNew = lastSnapshot.map { !$0.hasSameDevices(as: now) } ?? false
    guard isNew, withState({ $0.ownChanges.isEmpty }),
      unsettled.map({ !$0.hasSameDevices(as: now) }) ?? true
    else {
      unsettled = nil
      return true
    }
    unsettled = now
    return false
  }

  /// Whether others play, as two checks agree: a server pauses all streams for a moment when it
  /// changes its rate or moves them.
  private func settledHint(_ othersPlay: Bool) -> Bool {
    guard let last = lastSnapshot?.othersPlay, last != othersPlay else {
      unsettledHint = nil
      return othersPlay
    }
    if let hint = unsettledHint, hint.othersPlay == othersPlay {
      guard seconds(since: hint.since) < Self.interval.unsettled else {
        unsettledHint = nil
        return othersPlay
      }
    } else {
      unsettledHint = (othersPlay, rt_host_time())
    }
    return last
  }

  private func snapshot() -> SessionSnapshot {
    let input = device(isInput: true), output = device(isInput: false)
    var snapshot = SessionSnapshot(
      setup: setup, input: input.map(SessionPort.init), output: output.map(SessionPort.init))
    snapshot.inputs = Set(SessionDevice.all(isInput: true).map(\.uid))
    snapshot.outputs = Set(SessionDevice.all(isInput: false).map(\.uid))
    snapshot.sampleRate = sampleRate
    snapshot.volume = output?.volume ?? 1
    // While streams of this process wait for their device, some servers do not tell other programs'
    // streams from ours.
    snapshot.othersPlay =
      output?.othersPlay
      ?? (StreamInterruptions.shared.all.isEmpty
        ? output?.isRunningElsewhere : lastSnapshot?.othersPlay) ?? false
    return snapshot
  }

  /// The reason for a change of the route; nil when it is unchanged.
  private func reason(_ before: SessionSnapshot, _ now: SessionSnapshot) -> RouteChangeReason? {
    let old = before.route(for: now.setup), new = now.route
    let category = now.setup.category
    let oldPorts = old.outputs + old.inputs, newPorts = new.outputs + new.inputs
    guard oldPorts.map(\.uid) == newPorts.map(\.uid) else {
      if category.usesOutput ? new.outputs.isEmpty : category.usesInput && new.inputs.isEmpty {
        return .noSuitableRouteForCategory
      }
      if oldPorts.contains(where: { !now.has($0) }) { return .oldDeviceUnavailable }
      // The list of the snapshot before may be newer than its route, which then lacked the device.
      if oldPorts.isEmpty || newPorts.contains(where: { !before.has($0) }) {
        return .newDeviceAvailable
      }
      return .override
    }
    let hasNewOutput = category.usesOutput && !now.outputs.isSubset(of: before.outputs)
    let hasNewInput = category.usesInput && !now.inputs.isSubset(of: before.inputs)
    if hasNewOutput || hasNewInput { return .newDeviceAvailable }
    guard old == new, before.sampleRate == now.sampleRate else { return .routeConfigurationChange }
    return nil
  }

  /// Whether another program plays to the output device. On ALSA it is unknown, and false, while this
  /// program plays to it too. On JACK, which knows only connections, each other client that is
  /// connected to the device plays.
  package var isOtherAudioPlaying: Bool {
    inEnvironment {
      guard let device = device(isInput: false) else { return false }
      return device.othersPlay ?? device.isRunningElsewhere
    }
  }

  // MARK: Streams

  private func streamEvents() -> [SessionEvent] {
    let interruptions = StreamInterruptions.shared.all
    let (isInterrupted, isActive, reset) = withState {
      ($0.isInterrupted, $0.isActive, $0.lastReset)
    }
    // Without a device nothing can play, whether a stream waits for it or not.
    let lacksDevice = isActive && hasLostDevice
    guard isInterrupted else {
      // The loss of a server has its own event.
      guard isActive, withState({ $0.lostServer }) == nil else { return [] }
      if lacksDevice {
        withState { $0.isInterrupted = true }
        return [.interruptionBegan(.routeDisconnected)]
      }
      guard let first = interruptions.min(by: { $0.since < $1.since }),
        seconds(since: first.since) > Self.interruptionDelay.moved,
        reset.map({ seconds(since: $0) > Self.interruptionDelay.reset }) ?? true
      else { return [] }
      withState { $0.isInterrupted = true }
      return [.interruptionBegan(exists(first.uid) ? .standard : .routeDisconnected)]
    }
    guard interruptions.isEmpty, !lacksDevice else { return [] }
    let shouldResume = hasStreams()
    withState { state in
      state.isInterrupted = false
      state.shouldResume = shouldResume
    }
    return [.interruptionEnded(shouldResume: shouldResume)]
  }

  /// Whether a device or both devices of a pair are present.
  private func exists(_ uid: String) -> Bool {
    let devices = Backends.survey(of: DeviceName(uid).backend)?.devices ?? []
    return DeviceName(uid).device == nil
      || (try? RequestedDevices(uid, among: devices, preferring: devicePreferences)) != nil
  }
}
