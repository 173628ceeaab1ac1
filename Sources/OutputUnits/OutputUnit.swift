// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import AudioConversion
import AudioSupport
import AudioDevices
import AudioUnitCore
import CAudioToolbox
import CRealTime
import SignalProcessing

/// A unit that plays to a device, captures from it, or both.
///
/// Element 0 is the output, element 1 the input. What faces the program (input scope of element 0,
/// output scope of element 1) accepts any linear PCM. What faces the device has its format.
final class OutputUnit: NativeUnit, DeviceClientOwner, @unchecked Sendable {
  enum Parameter: AudioUnitParameterID, ParameterKey {
    case volume = 14  // kHALOutputParam_Volume

    var spec: ParameterSpec { .init("volume", .linearGain, 0...1, default: 1, ramps: true) }
  }

  /// The selected device. Nil for the default device or the environment's choice.
  var deviceID: UInt32?
  var playsOutput = true
  var capturesInput = false
  var inputCallback = AURenderCallbackStruct()
  var outputMap: [Int32]?
  var inputMap: [Int32]?
  var startsAtZero = true
  /// The noise with which samples are rounded for a device that has integers.
  var dither = Dither.Kind.none
  /// When the cycles of the next start begin, in host time.
  var startHostTime: UInt64?
  let client = DeviceClient()
  /// What the engines of the current run render. Set at the start, because the unit's settings may
  /// change before a lost stream is replaced.
  let setup = Guarded<IOEngine.Setup?>(nil)
  /// The voice processing. Nil for other output units.
  let voice: VoiceProcessing?
  /// Forwards the device's properties.
  private(set) var deviceProperties: DeviceProperties?
  /// The engine of the current cycle, for callbacks. Changed only inside the gate.
  let engine: UnsafeMutablePointer<Unmanaged<IOEngine>?>

  init(component: Component, processesVoice: Bool = false) {
    voice = processesVoice ? VoiceProcessing() : nil
    engine = .cell(nil)
    super.init(
      component: component,
      parameters: Parameter.allCases.map { .init(id: $0.rawValue, spec: $0.spec) },
      elements: .init(inputs: 2, outputs: 2), format: .standard, maximumFrames: 1156)
    renderQuality = 64
    client.owner = self
    deviceProperties = DeviceProperties(self)
  }

  deinit { engine.endCell() }

  override var properties: [UnitProperty] { voice == nil ? Self.rows : Self.voiceRows }
  override var propertyProvider: (any PropertyProvider)? { deviceProperties }
  override var hasRenderQuality: Bool { true }
  override var rendersOffline: Bool { false }

  /// The latency in seconds that the device reports, plus that of rate conversion.
  override var latency: Double {
    if let connection = client.connection {
      return connection.stream.latency(.output) + (connection.unitEngine?.playbackLatency ?? 0)
    }
    guard isInitialized, playsOutput else { return 0 }
    return RenderConversion.latency(
      from: inputs[0].format.sampleRate, to: outputs[0].format.sampleRate, quality: quality)
  }

  var quality: SampleRateConverter.Quality { .init(renderQuality: renderQuality) }

  /// [control thread, under the lock] Whether cycles run.
  var isRunning: Bool { client.isRunning }

  // MARK: Formats

  /// Whether an element faces the device, and so has the device's format.
  func hasDeviceFormat(_ element: Element) -> Bool {
    element.scope == (element.index == 0 ? kAudioUnitScope_Output : kAudioUnitScope_Input)
  }

  override func check(_ format: StreamFormat, at element: Element) throws(AudioError) {
    guard format.sampleFormat.isSupported else {
      throw .formatNotSupported.because("\(element.title): \(format.text) cannot be converted")
    }
    // Lower rates are useless for sound and cannot be converted to the rate of a fast device.
    guard format.sampleRate >= 200 else {
      throw .formatNotSupported.because(
        "\(element.title): \(format.sampleRate.plainText) Hz; expected at least 200 Hz")
    }
  }

  /// Captured sound may be connected directly to the output.
  override func feedsItself(from bus: UInt32) -> Bool { bus == 1 }

  /// Formats may be set after initialization, as long as the unit does not run.
  override func formatChangeRefusal(_ element: Element) -> AudioError? {
    guard !hasDeviceFormat(element) else {
      return .propertyNotWritable.because(
        "\(element.title) belongs to the device; its format is the device's")
    }
    // A run that a callback has stopped may still be in its last cycle.
    guard !isRunning, client.hasFinished || client.finishStopped() else {
      return .initialized.because(
        "\(element.title): the format is fixed while the unit runs; stop it first")
    }
    return nil
  }

  override func formatChanged(_ element: Element) {
    if isInitialized { fixRenderLimits() }
  }

  /// The name of the device for the elements that face the device.
  override func defaultName(of element: Element) -> String? {
    guard hasDeviceFormat(element) else { return nil }
    let isOutput = element.index == 0
    return (try? DeviceList.device(deviceID, input: !isOutput, output: isOutput))?.name
  }

  override func setProperty(_ address: PropertyAddress, _ data: UnsafeRawPointer?, size: UInt32)
    throws(AudioError)
  {
    try super.setProperty(address, data, size: size)
    if address.id == kAudioOutputUnitProperty_CurrentDevice { deviceProperties?.deviceChanged() }
  }

  override func getProperty(
    _ address: PropertyAddress, into data: UnsafeMutableRawPointer, size: inout UInt32
  ) throws(AudioError) {
    if address.id == kAudioUnitProperty_StreamFormat || address.id == kAudioUnitProperty_SampleRate
    {
      try control { () throws(AudioError) in
        if let element = try? formatElement(address), hasDeviceFormat(element) {
          adoptFormats(of: try wholeDevice())
        }
      }
    }
    try super.getProperty(address, into: data, size: &size)
  }

  // MARK: Life cycle

  override func checkFormats() throws(AudioError) { adoptFormats(of: try usableDevice()) }

  override func uninitialize() throws(AudioError) {
    guard rt_current().pointee.depth == 0 else {
      // Stops immediately; the notifier does the rest.
      try stop()
      return try super.uninitialize()
    }
    // Under one lock, so that another thread cannot start the unit in between.
    let hasStopped = try control { () throws(AudioError) -> Bool in
      let wasRunning = isRunning
      end()
      try super.uninitialize()
      return wasRunning
    }
    if hasStopped { notifyRunning() }
  }

  override func endCycles() {
    if rt_current().pointee.depth == 0 {
      lock.withLock { end() }
    } else if side.pointee.gate.isHeldByThisThread {
      // Silences the rest of this cycle.
      engine.pointee?._withUnsafeGuaranteedRef { $0.end() }
    }
  }

  override func close() {
    deviceProperties?.close()
    voice?.setListener(nil)
    // A unit that has been disposed of does not call its listeners.
    lock.withLock { end() }
    super.close()
  }

  override func start() throws(AudioError) {
    guard !rt_is_forked() else { throw .forked }
    let hasChanged = try control { () throws(AudioError) -> Bool in
      guard isInitialized else {
        throw .uninitialized.because("initialize the unit before you start it")
      }
      guard !isRunning else { return false }
      // Opening a device takes long, and a cycle waits for this callback.
      guard rt_current().pointee.depth == 0 else { throw .cannotDoInCurrentContext }
      try begin()
      return true
    }
    if hasChanged { notifyListeners(Self.isRunningAddress) }
  }

  override func stop() throws(AudioError) {
    do throws(AudioError) {
      let hasChanged = try control { () throws(AudioError) -> Bool in
        // A run that its own callback has stopped may still be in its last cycle.
        let wasRunning = isRunning
        end()
        return wasRunning
      }
      if hasChanged { notifyRunning() }
    } catch {
      // This is a callback, while another thread holds the lock and perhaps waits for this cycle. A
      // device without a pace would render much before that thread is done.
      if side.pointee.gate.isHeldByThisThread {
        engine.pointee?._withUnsafeGuaranteedRef { $0.endInCycle() }
      }
      client.runInBackground { [self] in try? stop() }
    }
  }

  override func canDo(_ selector: Int) -> Bool {
    super.canDo(selector) || selector == kAudioOutputUnitStartSelect
      || selector == kAudioOutputUnitStopSelect
  }

  // MARK: Rendering

  /// [render thread] Bus 1 returns the captured frames, only inside a cycle of the unit. Only the
  /// device pulls bus 0.
  override func render(_ call: RenderCall, into data: UnsafeMutablePointer<AudioBufferList>)
    -> OSStatus
  {
    guard side.pointee.isReadyToRender else { return kAudioUnitErr_Uninitialized }
    guard call.bus < 2 else { return kAudioUnitErr_InvalidElement }
    guard call.bus == 1 else { return kAudioUnitErr_CannotDoInCurrentContext }
    guard capturesInput else { return kAudioUnitErr_InvalidElement }
    // Outside a cycle the engine may be freed at any moment.
    guard side.pointee.gate.isHeldByThisThread, let engine = engine.pointee else {
      return kAudioUnitErr_CannotDoInCurrentContext
    }
    let status = side.pointee.check(call, data)
    guard status == noErr else { return status }
    return engine._withUnsafeGuaranteedRef { $0.read(Int(call.frameCount), into: data) }
  }
}
