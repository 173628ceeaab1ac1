// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioHardware
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import CRealTime
import SignalProcessing

/// Opens a device, starts and stops its cycles, and handles the events of the stream.
extension OutputUnit {
  /// [control thread, under the lock] Opens the device and starts its cycles.
  func begin() throws(AudioError) {
    finishStopped()
    let device = try usableDevice()
    let silence = silenceReason(device)
    if let silence { Explanations.log("\(title): its input is silent: \(silence)") }
    let settings = OutputRun.Settings(
      deviceID: deviceID, usesInput: capturesInput && silence == nil, usesOutput: playsOutput,
      environment: try .current())
    let handler = IOHandler(self, currentEngine: engine)
    let stream = try open(device, handler, settings, startHostTime: startHostTime)
    run = OutputRun(
      stream: stream, handler: handler, device: stream.device, settings: settings,
      beginsAt: startHostTime)
    handler.use(makeEngine(stream.device))
    handler.activate()
    adoptFormats(of: stream.device)
    do throws(AudioError) { try stream.start() } catch {
      end()
      throw error
    }
    run?.device = stream.device
    DeviceActivity.began(stream)
    run.map(reportDelay)
    if let voice { VoiceWatch.shared.began(voice, on: stream.device.outputUID) }
    startHostTime = nil
    if stream.device.backend == NullBackend.name, !settings.namesBackend {
      Backends.warnOfSilence()
    }
    if stream.stallLimit != nil { StreamWatchdog.shared.watch(self) }
    if case .ordinary(let reason) = stream.scheduling {
      Explanations.log("\(title): its render thread has no real-time priority: \(reason)")
    }
  }

  /// [control thread] Opens a stream of a device without starting it.
  func open(
    _ device: Device, _ handler: IOHandler, _ settings: OutputRun.Settings, startHostTime: UInt64?
  ) throws(AudioError) -> any DeviceStream {
    let request = StreamRequest(
      uid: device.uid, usesInput: settings.usesInput, usesOutput: settings.usesOutput,
      startHostTime: startHostTime, owner: title, isPinned: settings.namesDevice)
    let stream = try DeviceRequests.withEnvironment(for: device) {
      () throws(AudioError) -> any DeviceStream in
      try DeviceList.backend(of: device).open(request, handler)
    }
    handler.use(stream)
    return stream
  }

  /// [control thread, under the lock] Creates the engine that renders the cycles of a device.
  func makeEngine(_ device: Device) -> IOHandler.Engine {
    let setup = IOEngine.Setup(
      playback: playsOutput ? inputs[0].format : nil,
      capture: capturesInput ? outputs[1].format : nil, outputMap: outputMap, inputMap: inputMap,
      allocatesPlayback: inputs[0].allocatesBuffer, maximumFrames: maximumFrames,
      quality: quality, inputCallback: inputCallback, startsAtZero: startsAtZero,
      silencesInput: capturesInput && run?.settings.usesInput == false, voice: voice)
    return .cell(IOEngine(setup, device, side, volume: global.parameters))
  }

  /// Ends the cycles. A callback cannot wait for that: it silences the rest of its own cycle, and
  /// another thread does the work.
  func end() {
    guard let run else { return }
    self.run = nil
    if let voice { VoiceWatch.shared.ended(voice) }
    stopped.append(run)
    guard rt_current().pointee.depth > 0 else {
      finishStopped()
      return
    }
    if side.pointee.gate.isHeldByThisThread {
      run.stream.stop()
      run.handler.end()
    }
    runInBackground { [self] in lock.withLock { _ = finishStopped() } }
  }

  /// [any thread] Runs `job` on another thread, which the notifier starts, because a callback has
  /// no time for that.
  func runInBackground(_ job: @escaping @Sendable () -> Void) {
    Notifier.shared.perform { [self] in backgroundWorker.perform(job) }
  }

  /// Waits until the stopped streams have ended and releases them. False inside a callback, which
  /// cannot wait.
  @discardableResult
  func finishStopped() -> Bool {
    guard rt_current().pointee.depth == 0 else { return false }
    if !stopped.isEmpty, run == nil { StreamInterruptions.shared.ended(self) }
    for run in stopped {
      run.stream.stop()
      DeviceActivity.ended(run.stream)
      run.handler.end()
    }
    stopped.removeAll()
    return true
  }

  // MARK: Events

  static let isRunningAddress = PropertyAddress(
    kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0)

  /// Notifies the listeners that the unit no longer runs. In a callback the notifier does that.
  func notifyRunning() {
    if rt_current().pointee.depth > 0 {
      Notifier.shared.perform { [self] in notifyListeners(Self.isRunningAddress) }
    } else {
      notifyListeners(Self.isRunningAddress)
    }
  }

  /// [any thread but the render thread] Handles an event of a stream on another thread, because
  /// `stop` holds the lock while it waits for the reporting thread.
  func streamChanged(_ event: StreamEvent, of handler: IOHandler) {
    switch event {
    case .ended(let reason):
      backgroundWorker.perform { [weak self] in self?.streamEnded(reason, handler) }
    case .lost: StreamWatchdog.shared.wake()
    case .moved(let device):
      backgroundWorker.perform { [weak self] in self?.streamMoved(to: device, handler) }
    case .inputEnded: break  // cycles continue, and no property reports it
    }
  }

  private func streamEnded(_ reason: String, _ handler: IOHandler) {
    let lost = lock.withLock { () -> (any DeviceStream)? in
      guard let run, run.handler === handler else { return nil }
      end()
      return run.stream
    }
    guard let lost else { return }
    DeviceActivity.lost(lost)
    Explanations.log("\(title): stopped by itself: \(reason)")
    notifyRunning()
  }

  private func streamMoved(to device: Device, _ handler: IOHandler) {
    let hasMoved = lock.withLock {
      guard let run, run.handler === handler else { return false }
      // A different cycle size alone does not affect the engine, and its converters keep their
      // signal history.
      if !run.device.hasSameFormat(as: device) { handler.use(makeEngine(device)) }
      self.run?.device = device
      self.run.map(reportDelay)
      if let voice { VoiceWatch.shared.began(voice, on: device.outputUID) }
      adoptFormats(of: device)
      return true
    }
    if hasMoved { notifyMoved() }
  }

  /// Notifies listeners that the device is a different one or has changed.
  func notifyMoved() {
    let formats = PropertyAddress(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0)
    notifyListeners(formats)
    notifyListeners(PropertyAddress(formats.id, kAudioUnitScope_Input, 1))
    notifyListeners(PropertyAddress(kAudioUnitProperty_Latency, kAudioUnitScope_Global, 0))
    notifyListeners(
      PropertyAddress(kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0))
    deviceProperties?.deviceChanged()
  }
}
