// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioUnitCore
import CAudioToolbox
import CRealTime
import SignalProcessing

/// A unit that plays to a device, captures from it, or both.
///
/// Element 0 is the way out and element 1 the way in. The program's sides (input scope of element 0,
/// output scope of element 1) take any linear PCM; the device's sides follow the device.
final class OutputUnit: NativeUnit, @unchecked Sendable {
  enum Parameter: AudioUnitParameterID, ParameterKey {
    case volume = 14  // kHALOutputParam_Volume

    var spec: ParameterSpec { .init("volume", .linearGain, 0...1, default: 1, ramps: true) }
  }

  /// Which device it plays to; nil follows the choice of the environment.
  var deviceID: UInt32?
  var playsOutput = true
  var capturesInput = false
  var inputCallback = AURenderCallbackStruct()
  var outputMap: [Int32]?
  var inputMap: [Int32]?
  var startsAtZero = true
  var startTime: AudioTimeStamp?
  private var stream: (any DeviceStream)?
  private var handler: IOHandler?

  init(component: Component) {
    super.init(
      component: component,
      parameters: Parameter.allCases.map { .init(id: $0.rawValue, spec: $0.spec) },
      elements: .init(inputs: 2, outputs: 2), format: .standard, maximumFrames: 1156)
    renderQuality = 64
  }

  override var properties: [Property] { Self.rows }
  override var channelCapabilities: [AUChannelInfo]? { nil }

  override var latency: Double {
    (stream?.latency(.output) ?? 0) + (handler?.engine.pointee.playbackLatency ?? 0)
  }

  /// [any thread] Whether cycles run.
  var isRunning: Bool { stream != nil }

  // MARK: Formats

  override func check(_ format: StreamFormat, at element: Element) throws(AudioError) {
    guard element.index == 0 ? element.scope == kAudioUnitScope_Input
      : element.scope == kAudioUnitScope_Output
    else {
      throw .propertyNotWritable.because(
        "\(element.title) is the device's side; its format is the device's")
    }
    guard format.sampleFormat.isSupported else {
      throw .formatNotSupported.because("\(element.title): \(format.text) is not converted here")
    }
  }

  /// Formats may be set after initialising, as long as nothing runs.
  override func formatChangeRefusal(_ element: Element) -> AudioError? {
    guard isRunning else { return nil }
    return .initialized.because(
      "\(element.title): the format is fixed while the unit runs; stop it first")
  }

  override func formatChanged(_ element: Element) {
    if isInitialized { fixRenderLimits() }
  }

  /// The device that it would play to now.
  func device() throws(AudioError) -> Device {
    if let stream { return stream.device }
    return try DeviceList.device(deviceID, input: capturesInput, output: playsOutput)
  }

  /// Makes the device's sides show the device's format.
  func followDevice() throws(AudioError) {
    let device = try device()
    if device.outputChannelCount > 0 {
      outputs[0].format = StreamFormat(
        sampleRate: device.sampleRate, channelCount: device.outputChannelCount)
    }
    if device.inputChannelCount > 0 {
      inputs[1].format = StreamFormat(
        sampleRate: device.sampleRate, channelCount: device.inputChannelCount)
    }
  }

  // MARK: Life cycle

  override func checkFormats() throws(AudioError) {
    try followDevice()
    guard playsOutput || capturesInput else {
      throw .failedInitialization.because("neither input nor output is enabled")
    }
    let device = try device()
    if playsOutput, device.outputChannelCount == 0 {
      throw .failedInitialization.because("device \(device.uid) has no output")
    }
    if capturesInput, device.inputChannelCount == 0 {
      throw .failedInitialization.because("device \(device.uid) has no input")
    }
  }

  override func uninitialize() throws(AudioError) {
    if isRunning { try stop() }
    try super.uninitialize()
  }

  override func start() throws(AudioError) {
    let hasChanged = try control { () throws(AudioError) -> Bool in
      guard isInitialized else {
        throw .uninitialized.because("initialize the unit before you start it")
      }
      guard stream == nil else { return false }
      try begin()
      return true
    }
    if hasChanged { tellRunning() }
  }

  private func begin() throws(AudioError) {
    try followDevice()
    let device = try device()
    let backend = try DeviceList.backend(of: device)
    let setup = IOEngine.Setup(
      playback: playsOutput ? inputs[0].format : nil,
      capture: capturesInput ? outputs[1].format : nil, device: device, outputMap: outputMap,
      inputMap: inputMap, maximumFrames: maximumFrames,
      quality: .init(renderQuality: renderQuality), inputCallback: inputCallback,
      startsAtZero: startsAtZero)
    let handler = IOHandler(setup, self)
    let start = startTime
    startTime = nil
    let stream = try backend.open(
      StreamRequest(
        uid: device.uid, usesInput: capturesInput, usesOutput: playsOutput,
        startHostTime: start.flatMap { $0.mFlags.contains(.hostTimeValid) ? $0.mHostTime : nil }),
      handler)
    self.handler = handler
    self.stream = stream
    engineAddress.pointee = handler.engine
    do throws(AudioError) { try stream.start() } catch {
      end()
      throw error
    }
  }

  override func stop() throws(AudioError) {
    let hasChanged = try control { () throws(AudioError) -> Bool in
      guard stream != nil else { return false }
      end()
      return true
    }
    if hasChanged { tellRunning() }
  }

  /// Ends the cycles; inside one, what they use is freed after it has ended.
  private func end() {
    stream?.stop()
    let (oldStream, oldHandler) = (stream, handler)
    stream = nil
    handler = nil
    engineAddress.pointee = nil
    if rt_current().pointee.depth > 0 {
      Notifier.shared.perform { [self] in
        side.pointee.gate.waitUntilIdle()
        withExtendedLifetime((oldStream, oldHandler)) {}
      }
    } else {
      side.pointee.gate.waitUntilIdle()
    }
  }

  /// Tells the listeners that it runs or no longer runs; from a callback, by the notifier.
  func tellRunning() {
    let address = PropertyAddress(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0)
    if rt_current().pointee.depth > 0 {
      Notifier.shared.perform { [self] in tellListeners(address) }
    } else {
      tellListeners(address)
    }
  }

  /// [any thread but the render thread] What the stream has to tell.
  func streamChanged(_ event: StreamEvent) {
    guard case .ended = event else { return }
    lock.withLock {
      if stream != nil { end() }
    }
    tellRunning()
  }

  override func canDo(_ selector: Int) -> Bool {
    super.canDo(selector) || selector == kAudioOutputUnitStartSelect
      || selector == kAudioOutputUnitStopSelect
  }

  // MARK: Rendering

  /// Where the render thread finds the engine.
  private let engineAddress = EngineAddress.allocate()

  deinit { engineAddress.deallocate() }

  /// [render thread] Bus 1 gives what was captured, to whoever is inside the unit's cycle. Bus 0 is
  /// the device's to ask for.
  override func render(_ call: RenderCall, into data: UnsafeMutablePointer<AudioBufferList>)
    -> OSStatus
  {
    guard side.pointee.isReadyToRender else { return kAudioUnitErr_Uninitialized }
    guard call.bus < 2 else { return kAudioUnitErr_InvalidElement }
    guard call.bus == 1 else { return kAudioUnitErr_CannotDoInCurrentContext }
    guard capturesInput else { return kAudioUnitErr_InvalidElement }
    guard call.frameCount <= maximumFrames else { return kAudioUnitErr_TooManyFramesToProcess }
    let status = side.pointee.check(call, data)
    guard status == noErr else { return status }
    guard let engine = engineAddress.pointee else { return kAudioUnitErr_CannotDoInCurrentContext }
    return engine.pointee.read(Int(call.frameCount), into: data)
  }
}

private typealias EngineAddress = UnsafeMutablePointer<UnsafeMutablePointer<IOEngine>?>

extension EngineAddress {
  fileprivate static func allocate() -> Self {
    let address = Self.allocate(capacity: 1)
    address.initialize(to: nil)
    return address
  }
}

/// What a device calls: it hands the cycles to the engine and the events to the unit.
final class IOHandler: CycleHandler, @unchecked Sendable {
  let engine: UnsafeMutablePointer<IOEngine>
  private weak var unit: OutputUnit?

  init(_ setup: IOEngine.Setup, _ unit: OutputUnit) {
    engine = .allocate(capacity: 1)
    engine.initialize(
      to: IOEngine(setup, unit.side, volume: unit.global.parameters))
    self.unit = unit
  }

  deinit { engine.deinitialize(count: 1).deallocate() }

  /// [render thread]
  @_noLocks
  override func render(_ cycle: DeviceCycle) { engine.pointee.render(cycle) }

  override func streamChanged(_ event: StreamEvent) { unit?.streamChanged(event) }
}
