// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioDevices
import AudioHardware
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import CRealTime
import SignalProcessing

/// Starts and stops the cycles, and handles what happens to the stream.
extension OutputUnit {
  /// [control thread, under the lock] Opens the device and starts its cycles.
  func begin() throws(AudioError) {
    let device = try usableDevice()
    if let silence = silenceReason(device) {
      Explanations.log("\(title): its input is silent: \(silence)")
    }
    var request = DeviceClientRequest(
      deviceID.map { .pinned($0) } ?? .followsDefault,
      usesInput: capturesInput && !(playsOutput && hasCategoryWithoutInput),
      usesOutput: playsOutput, startHostTime: startHostTime, title: title,
      environment: try .current())
    request.bridgeQuality = quality
    request.dither = Dither(dither)
    setup.withLock { $0 = makeSetup() }
    try client.start(request)
    startHostTime = nil
    if let connection = client.connection { use(connection) }
  }

  /// [control thread, under the lock] What the engines of a run that starts now render.
  func makeSetup() -> IOEngine.Setup {
    IOEngine.Setup(
      playback: playsOutput ? inputs[0].format : nil,
      capture: capturesInput ? outputs[1].format : nil, outputMap: outputMap,
      outputLayout: inputs[0].layout.flatMap { $0.withUnsafeBytes { ChannelLayout($0) } },
      inputMap: inputMap,
      allocatesPlayback: inputs[0].allocatesBuffer, maximumFrames: maximumFrames,
      quality: quality, inputCallback: inputCallback, startsAtZero: startsAtZero, voice: voice)
  }

  /// The directions that it uses on a device.
  func directions(
    on device: Device, of request: DeviceClientRequest
  ) throws(AudioError) -> (input: Bool, output: Bool) {
    if request.usesOutput, device.outputChannelCount == 0 {
      throw .failedInitialization.because("device \(device.uid) has no output")
    }
    if !request.usesOutput, device.inputChannelCount == 0 {
      throw .failedInitialization.because(
        "device \(device.uid) has no input; the monitor of an output must be named")
    }
    return (request.usesInput && device.inputChannelCount > 0, request.usesOutput)
  }

  /// Makes the engine that renders the cycles of a stream.
  func makeEngine(for connection: DeviceConnection) -> CycleEngine {
    guard let setup = setup.withLock({ $0 }) else { return CycleEngine(connection.shape) }
    return IOEngine(setup, connection, side, current: engine, volume: global.parameters)
  }

  /// Ends the cycles. A callback cannot wait for that: it silences the rest of its own cycle, and
  /// another thread does the work.
  func end() {
    if let voice { VoiceWatch.shared.ended(voice) }
    client.stop()
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

  /// Devices report the delay only some cycles after the start, and it may change.
  func clientWasChecked(_ connection: DeviceConnection) {
    reportDelay(of: connection)
  }

  /// Adopts what another device or another stream has changed, and notifies listeners.
  func clientChanged(_ change: DeviceClientChange) {
    switch change {
    case .interrupted: notifyListeners(Self.interruptionAddress)
    case .reopened, .moved:
      let isRunning = lock.withLock {
        guard let connection = client.connection else { return false }
        use(connection)
        return true
      }
      guard isRunning else { return }
      if case .reopened = change { notifyListeners(Self.interruptionAddress) }
      notifyMoved()
    case .stopped:
      lock.withLock { if let voice, !isRunning { VoiceWatch.shared.ended(voice) } }
      notifyRunning()
    }
  }

  /// [control thread, under the lock] Adopts the formats of the device in use, and its echo.
  private func use(_ connection: DeviceConnection) {
    adoptFormats(of: connection.device)
    reportDelay(of: connection)
    if let voice { VoiceWatch.shared.began(voice, on: connection.device.outputUID) }
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

  static let interruptionAddress = PropertyAddress(
    kAUDiagnosticsProperty_Interruption, kAudioUnitScope_Global, 0)
}

extension DeviceConnection {
  /// The engine of an output unit.
  var unitEngine: IOEngine? { engine as? IOEngine }

  /// [control thread] The latency in seconds that a bridge between two clocks and voice processing
  /// add to the input.
  var captureLatency: Double { shape.bridgeLatency + (unitEngine?.voiceLatency ?? 0) }
}
