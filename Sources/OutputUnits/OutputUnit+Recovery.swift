// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import AudioSupport
import AudioDevices
import AudioUnitCore
import CAudioToolbox
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers

// Recovers a unit whose stream is lost, on its own thread, without the lock.
extension OutputUnit {
  /// [watchdog] Whether the stream of a run must be replaced.
  func needsRecovery(_ run: OutputRun, stall: Double?) -> Bool {
    run.interruption != nil || run.handler.lossReason != nil || stall != nil
  }

  /// [watchdog] Closes a stream if necessary and opens another if there is a device. False while an
  /// earlier recovery is in progress.
  func scheduleRecovery(_ run: OutputRun, stall: Double?, checksDefault: Bool) -> Bool {
    guard recovery.isIdle else { return false }
    recovery.perform { [self] in
      interrupt(run, stall: stall, checksDefault: checksDefault)
      resume()
    }
    return true
  }

  /// Seconds that a unit that follows the default device waits for its server before it uses
  /// another one.
  private static let serverWait = 5.0

  /// Closes a stream that is lost, has no cycles, or plays to a device that is no longer the
  /// default.
  private func interrupt(_ run: OutputRun, stall: Double?, checksDefault: Bool) {
    guard run.interruption == nil else { return }
    var reason = run.handler.lossReason
    if reason == nil, let stall {
      let milliseconds = Int(saturating: stall * 1_000)
      reason = "\(run.device.uid) had no cycle for \(milliseconds) milliseconds"
    }
    let isLost = reason != nil
    if reason == nil, checksDefault { reason = moveReason(run) }
    guard let reason else { return }
    let isOurs = lock.withLock {
      guard self.run?.handler === run.handler else { return false }
      self.run?.interruption = (reason, rt_host_time())
      return true
    }
    guard isOurs else { return }
    Explanations.log("\(title): interrupted: \(reason)")
    run.stream.stop()
    if isLost {
      DeviceActivity.lost(run.stream)
      StreamInterruptions.shared.began(self, on: run.device.uid, reason)
      // The unit was stopped meanwhile.
      if lock.withLock({ self.run?.handler !== run.handler }) {
        StreamInterruptions.shared.ended(self)
      }
    }
    notifyListeners(Self.interruptionAddress)
  }

  /// Why a unit that follows the default device must move. Nil if it need not.
  private func moveReason(_ run: OutputRun) -> String? {
    guard !run.settings.namesDevice,
      let device = try? targetDevice(run), device.uid != run.device.uid
    else { return nil }
    return "the default device is now \(device.uid)"
  }

  /// Opens another stream to replace an interrupted one, if there is a device.
  private func resume() {
    guard let run = lock.withLock({ self.run }), let since = run.interruption?.since else { return }
    do throws(AudioError) {
      let device = try check(try targetDevice(run))
      let handler = IOHandler(self, currentEngine: engine)
      let stream = try withEnvironment(of: run) { () throws(AudioError) in
        let stream = try open(device, handler, run.settings, startHostTime: run.beginsAt)
        try stream.start()
        return stream
      }
      guard adopt(stream, handler, after: run) else { return stream.stop() }
      DeviceActivity.ended(run.stream)
      DeviceActivity.began(stream)
      StreamInterruptions.shared.ended(self)
      let seconds = Double(rt_host_time() - since) / 1_000_000_000
      Explanations.log("\(title): plays again, to \(stream.device.uid), after \(seconds) s")
      notifyListeners(Self.interruptionAddress)
      notifyMoved()
    } catch {
      // The device is not available yet. The watchdog will try again.
      let why = error.explanation
      let isNew = lock.withLock {
        guard self.run?.handler === run.handler, run.interruption?.reason != why else {
          return false
        }
        self.run?.interruption?.reason = why
        return true
      }
      if isNew { Explanations.log("\(title): still interrupted: \(why)") }
    }
  }

  /// Replaces the previous stream by a running one. False if the unit was stopped meanwhile.
  private func adopt(_ stream: any DeviceStream, _ handler: IOHandler, after run: OutputRun) -> Bool
  {
    lock.withLock {
      guard self.run?.handler === run.handler else { return false }
      handler.use(makeEngine(stream.device))
      handler.resume(from: run.handler)
      engine.pointee = nil
      self.run = OutputRun(
        stream: stream, handler: handler, device: stream.device, settings: run.settings,
        beginsAt: run.beginsAt, earlierXruns: run.xruns)
      handler.activate()
      self.run.map(reportDelay)
      if let voice { VoiceWatch.shared.began(voice, on: stream.device.outputUID) }
      adoptFormats(of: stream.device)
      return true
    }
  }

  /// The device that the unit should use now.
  private func targetDevice(_ run: OutputRun) throws(AudioError) -> Device {
    let since = run.interruption?.since ?? rt_host_time()
    let waitsForServer = Double(rt_host_time() - since) / 1_000_000_000 < Self.serverWait
    return try withEnvironment(of: run) { () throws(AudioError) in
      let device = try DeviceList.device(
        run.settings.deviceID, input: run.settings.usesInput, output: run.settings.usesOutput,
        of: waitsForServer ? run.device.backend : nil)
      // Do not move to the silent device: the server may come back.
      guard device.backend == run.device.backend || device.backend != NullBackend.name else {
        throw .failedInitialization.because("there is no sound server")
      }
      return device
    }
  }

  private func withEnvironment<Result>(
    of run: OutputRun, _ body: () throws(AudioError) -> Result
  ) throws(AudioError) -> Result {
    let answer = DeviceEnvironment.$override.withValue(run.settings.environment) {
      () -> Swift.Result<Result, AudioError> in
      do throws(AudioError) { return .success(try body()) } catch { return .failure(error) }
    }
    return try answer.get()
  }

  static let interruptionAddress = PropertyAddress(
    kAUDiagnosticsProperty_Interruption, kAudioUnitScope_Global, 0)
}
