// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers

// Events of the stream, and its replacement by another one, on threads of the client.
extension DeviceClient {
  // MARK: Events

  /// [any thread but a render thread] Handles an event of a stream on another thread, because
  /// `stop` waits for the reporting thread.
  func streamChanged(_ event: StreamEvent, of handler: ClientHandler) {
    switch event {
    case .ended(let reason):
      backgroundWorker.perform { [weak self] in self?.streamEnded(reason, handler) }
    case .lost: DeviceWatchdog.shared.wake()
    case .moved(let device):
      backgroundWorker.perform { [weak self] in self?.streamMoved(to: device, handler) }
    case .inputEnded: break  // cycles continue, and no property reports it
    }
  }

  private func streamEnded(_ reason: String, _ handler: ClientHandler) {
    let lost = opening.withLock { () -> (stream: any DeviceStream, title: String)? in
      guard let run = lock.withLock({ self.run }), let connection = run.connection,
        connection.handler === handler
      else { return nil }
      end(.stopped(reason: reason))
      return (connection.stream, run.request.title)
    }
    guard let lost else { return }
    DeviceActivity.lost(lost.stream)
    finishStopped()
    Explanations.log("\(lost.title): stopped by itself: \(reason)")
    owner?.clientChanged(.stopped)
  }

  private func streamMoved(to device: Device, _ handler: ClientHandler) {
    let hasMoved = opening.withLock {
      publishing.withLock {
        guard let owner, var connection = self.connection, connection.handler === handler,
          let quality = lock.withLock({ run?.request.bridgeQuality })
        else { return false }
        connection.device = device
        let fits = connection.shape.fits(
          device, usesInput: connection.usesInput, usesOutput: connection.usesOutput)
        // A different cycle size alone needs no other shape, whose bridge would lose its frames.
        if !fits {
          connection.shape = CycleShape(
            device, usesInput: connection.usesInput, usesOutput: connection.usesOutput,
            bridging: quality)
        }
        let isCurrent = lock.withLock {
          guard run?.connection?.handler === handler else { return false }
          run?.connection = connection
          return true
        }
        if isCurrent, !fits { handler.use(owner.makeEngine(for: connection)) }
        return isCurrent
      }
    }
    if hasMoved { owner?.clientChanged(.moved(device)) }
  }

  // MARK: The watchdog

  func devicesChanged() { lock.withLock { run?.checksDevices = true } }

  func check(_ now: UInt64, wasSuspended: Bool) -> Bool? {
    let checked = lock.withLock { () -> (run: Run, state: State, stall: Double)? in
      guard let run else { return nil }
      if run.connection != nil, state != .opening { self.run?.checksDevices = false }
      return (run, state, pause(now, wasSuspended: wasSuspended))
    }
    guard let (run, state, pause) = checked else { return nil }
    guard let connection = run.connection, state != .opening else { return false }
    connection.handler.releaseOldEngines()
    owner?.clientWasChecked(connection)
    let isInterrupted = if case .interrupted = state { true } else { false }
    let stall = pause > connection.stream.stallLimit ?? .infinity ? pause : nil
    guard
      run.checksDevices || isInterrupted || stall != nil || isOutdated(connection, run.request)
        || connection.handler.lossReason != nil
    else { return pause == 0 }
    if !scheduleRecovery(stall: stall, checksDevices: run.checksDevices), run.checksDevices {
      devicesChanged()
    }
    return false
  }

  /// Has the stream replaced if necessary. False while an earlier recovery is in progress.
  @discardableResult
  func scheduleRecovery(stall: Double?, checksDevices: Bool) -> Bool {
    guard recovery.isIdle, let number = lock.withLock({ run?.number }) else { return false }
    recovery.perform { [self] in
      replace(number) { run, connection in
        lossReason(connection, stall: stall, run.request)
          ?? (checksDevices ? moveReason(run, connection) : nil).map { (reason: $0, isLost: false) }
      }
    }
    return true
  }

  /// [under the lock] The seconds for which a stream has had no cycle, as far as the checks show.
  private func pause(_ now: UInt64, wasSuspended: Bool) -> Double {
    guard let run, let connection = run.connection, connection.stream.stallLimit != nil,
      state == .running
    else { return 0 }
    let (cycles, isRendering) = connection.handler.progress
    var progress = run.progress
    // While the process was suspended no stream had a cycle. That is not an interruption.
    if progress.cycles != cycles || isRendering || wasSuspended {
      progress = (cycles, max(now, run.request.startHostTime ?? 0))
    }
    self.run?.progress = progress
    return now > progress.since ? Double(now - progress.since) / 1_000_000_000 : 0
  }

  /// Whether a new rate or cycle size was requested. A recording is never reopened for that.
  private func isOutdated(_ connection: DeviceConnection, _ request: DeviceClientRequest) -> Bool {
    request.followsRequests && connection.device.backend != FileBackend.name
      && DeviceRequests.revision(of: connection.device) != connection.revision
  }

  // MARK: Interruption

  /// [control thread] Replaces the stream by another one, because the device has changed. If that
  /// is impossible now, the watchdog tries again.
  package func reopen(_ reason: String) {
    guard let number = lock.withLock({ run?.number }) else { return }
    replace(number) { _, _ in (reason, false) }
    DeviceWatchdog.shared.watch(self)
  }

  /// Closes the stream if there is a reason to, and opens another one if it is closed. The owner is
  /// called without a lock.
  private func replace(
    _ number: Int, for reason: (Run, DeviceConnection) -> (reason: String, isLost: Bool)?
  ) {
    if replacing.withLock({ interrupt(number, for: reason) }) { owner?.clientChanged(.interrupted) }
    guard let device = replacing.withLock({ resume(number) }) else { return }
    owner?.clientChanged(.reopened(device))
  }

  /// Why a stream must be replaced, because it is lost, has no cycles or has outdated settings.
  private func lossReason(
    _ connection: DeviceConnection, stall: Double?, _ request: DeviceClientRequest
  ) -> (reason: String, isLost: Bool)? {
    if let reason = connection.handler.lossReason { return (reason, true) }
    if let stall {
      let milliseconds = Int(saturating: stall * 1_000)
      return ("\(connection.device.uid) had no cycle for \(milliseconds) milliseconds", true)
    }
    return isOutdated(connection, request) ? ("its settings changed", false) : nil
  }

  /// Why a client must move: to another default device, or because an input has appeared or is
  /// gone. Nil if it need not.
  private func moveReason(_ run: Run, _ connection: DeviceConnection) -> String? {
    guard let (device, uses) = try? target(of: run.request, after: connection) else { return nil }
    if !run.request.namesDevice, device.uid != connection.device.uid {
      return "the default device is now \(device.uid)"
    }
    guard run.request.playsWithoutInput, uses.input != connection.usesInput else { return nil }
    return uses.input ? "\(device.uid) has an input now" : "\(device.uid) has no input any more"
  }

  /// Closes a stream if there is a reason to. Whether that was done.
  private func interrupt(
    _ number: Int, for why: (Run, DeviceConnection) -> (reason: String, isLost: Bool)?
  ) -> Bool {
    guard let run = lock.withLock({ self.run }), run.number == number, state == .running,
      let connection = run.connection, let (reason, isLost) = why(run, connection)
    else { return false }
    let isOurs = changeState(
      of: number, to: .interrupted(reason: reason, since: rt_host_time()),
      if: { $1.connection?.handler === connection.handler })
    guard isOurs else { return false }
    Explanations.log("\(run.request.title): interrupted: \(reason)")
    connection.stream.stop()
    if isLost {
      DeviceActivity.lost(connection.stream)
      StreamInterruptions.shared.began(self, on: connection.device.uid, reason)
      // The client was stopped meanwhile.
      if lock.withLock({ self.run?.number != number }) { StreamInterruptions.shared.ended(self) }
    }
    return true
  }

  /// Opens another stream to replace an interrupted one. Nil if there is no device.
  private func resume(_ number: Int) -> Device? {
    let (run, state) = lock.withLock { (self.run, self.state) }
    guard let run, run.number == number, let old = run.connection,
      case .interrupted(let before, let since) = state
    else { return nil }
    do throws(AudioError) {
      DeviceCache.invalidate()
      let (device, uses) = try target(of: run.request, after: old, since: since)
      var new = try open(device, uses, run.request, run.clock)
      try new.stream.start()
      // The start may have changed it, and events before the adoption are not handled.
      new.device = new.stream.device
      if !new.shape.fits(new.device, usesInput: new.usesInput, usesOutput: new.usesOutput) {
        new.shape = CycleShape(
          new.device, usesInput: new.usesInput, usesOutput: new.usesOutput,
          bridging: run.request.bridgeQuality)
      }
      guard adopt(new, in: number) else {
        new.stream.stop()
        return nil
      }
      new.handler.activate()
      DeviceActivity.ended(old.stream)
      began(new)
      // The client was stopped meanwhile, before its stream was counted.
      if lock.withLock({ self.run?.number != number }) { DeviceActivity.ended(new.stream) }
      StreamInterruptions.shared.ended(self)
      let seconds = Double(rt_host_time() - since) / 1_000_000_000
      Explanations.log(
        "\(run.request.title): plays again, to \(new.device.uid), after \(seconds) s")
      return new.device
    } catch {
      // The device is not available yet. The watchdog will try again.
      let why = error.explanation
      if why != before, changeState(of: number, to: .interrupted(reason: why, since: since)) {
        Explanations.log("\(run.request.title): still interrupted: \(why)")
      }
      return nil
    }
  }

  // MARK: The device

  /// [control thread] The device that a run should use now, and the directions. `old` is the last
  /// stream of the run, which was lost at a host time (nil: it runs).
  func target(
    of request: DeviceClientRequest, after old: DeviceConnection? = nil, since: UInt64? = nil
  ) throws(AudioError) -> (device: Device, uses: (input: Bool, output: Bool)) {
    guard let owner else { throw .failedInitialization.because("the client has no owner") }
    do throws(AudioError) {
      let device = try device(of: request, after: old, since: since, usesInput: request.usesInput)
      return (device, try owner.directions(on: device, of: request))
    } catch {
      // One that plays continues on the output of a pair whose input is gone.
      guard request.playsWithoutInput, request.namesDevice, let old,
        let output = DeviceList.device(uid: old.device.outputUID, in: request.environment)
      else { throw error }
      return (output, (false, try owner.directions(on: output, of: request).output))
    }
  }

  private func device(
    of request: DeviceClientRequest, after old: DeviceConnection?, since: UInt64?, usesInput: Bool
  ) throws(AudioError) -> Device {
    switch request.policy {
    case .only(let id): return try AudioObjects.device(id, in: request.environment)
    case .pinned(let id):
      return try DeviceList.device(
        id, input: usesInput, output: request.usesOutput, in: request.environment)
    case .followsDefault:
      let now = rt_host_time()
      let seconds = Double(now - min(since ?? now, now)) / 1_000_000_000
      let waitsForServer = seconds < DevicePolicy.serverWait
      let device = try DeviceList.device(
        nil, input: usesInput, output: request.usesOutput,
        of: waitsForServer ? old?.device.backend : nil, in: request.environment)
      // Do not move to the silent device: the server may come back.
      guard
        old == nil || device.backend == old?.device.backend || device.backend != NullBackend.name
      else { throw .failedInitialization.because("there is no sound server") }
      return device
    }
  }
}
