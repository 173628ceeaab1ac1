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
  /// When the next start takes effect, in host time.
  var startHostTime: UInt64?
  var run: OutputRun?
  /// Bring back a stream that was lost, and do what a callback or a stream leaves to others: each may
  /// wait for a server or a slice, and nobody else's work waits for that.
  let recovery = SerialWorker(name: "audio recovery")
  private let errands = SerialWorker(name: "audio unit")
  /// Runs that a callback has stopped, for a thread that may wait to end them.
  private var stopped: [OutputRun] = []
  /// Where callbacks find the engine of their cycle; changed only while none runs or inside the gate.
  let engine: UnsafeMutablePointer<IOHandler.Engine?>

  init(component: Component) {
    engine = .allocate(capacity: 1)
    engine.initialize(to: nil)
    super.init(
      component: component,
      parameters: Parameter.allCases.map { .init(id: $0.rawValue, spec: $0.spec) },
      elements: .init(inputs: 2, outputs: 2), format: .standard, maximumFrames: 1156)
    renderQuality = 64
  }

  deinit { engine.deallocate() }

  override var properties: [Property] { Self.rows }
  override var hasRenderQuality: Bool { true }
  override var rendersOffline: Bool { false }

  /// Seconds from a sample's cycle to the world, as far as the device tells, and those of converting
  /// the rate.
  override var latency: Double {
    if let run {
      return run.stream.latency(.output) + run.handler.playbackLatency
    }
    guard isInitialized, playsOutput else { return 0 }
    return FormatConverter.latency(
      from: inputs[0].format.sampleRate, to: outputs[0].format.sampleRate, quality: quality)
  }

  private var quality: SampleRateConverter.Quality { .init(renderQuality: renderQuality) }

  /// [control thread, under the lock] Whether cycles run.
  var isRunning: Bool { run != nil }

  /// [control thread, under the lock] What the device calls while cycles run.
  var handler: IOHandler? { run?.handler }

  // MARK: Formats

  private func isDeviceSide(_ element: Element) -> Bool {
    element.scope == (element.index == 0 ? kAudioUnitScope_Output : kAudioUnitScope_Input)
  }

  override func check(_ format: StreamFormat, at element: Element) throws(AudioError) {
    guard format.sampleFormat.isSupported else {
      throw .formatNotSupported.because("\(element.title): \(format.text) is not converted here")
    }
    // Slower than any sound, and too far from the rate of a fast device to be converted.
    guard format.sampleRate >= 200 else {
      throw .formatNotSupported.because(
        "\(element.title): \(format.sampleRate) Hz; 200 Hz at least are converted here")
    }
  }

  /// What was captured may go straight to the output.
  override func feedsItself(from bus: UInt32) -> Bool { bus == 1 }

  /// Formats may be set after initialising, as long as nothing runs.
  override func formatChangeRefusal(_ element: Element) -> AudioError? {
    guard !isDeviceSide(element) else {
      return .propertyNotWritable.because(
        "\(element.title) is the device's side; its format is the device's")
    }
    // A run that a callback has stopped may be in its last cycle.
    guard !isRunning, stopped.isEmpty || finishStopped() else {
      return .initialized.because(
        "\(element.title): the format is fixed while the unit runs; stop it first")
    }
    return nil
  }

  override func formatChanged(_ element: Element) {
    if isInitialized { fixRenderLimits() }
  }

  /// The device that it plays to, or would play to now.
  func device() throws(AudioError) -> Device {
    if let run { return run.device }
    return try DeviceList.device(deviceID, input: capturesInput, output: playsOutput)
  }

  /// The device with both directions, as far as it has them, whether they are enabled or not.
  func wholeDevice() throws(AudioError) -> Device {
    guard let used = run?.device else {
      return try DeviceList.device(deviceID, input: true, output: true)
    }
    guard used.inputChannelCount == 0 || used.outputChannelCount == 0,
      let whole = try? DeviceList.device(deviceID, input: true, output: true)
    else { return used }
    return used.outputChannelCount > 0 ? .pair(used, whole) : .pair(whole, used)
  }

  /// Makes the device's sides show the device's format.
  func follow(_ device: Device) {
    if device.outputChannelCount > 0 {
      outputs[0].format = StreamFormat(
        sampleRate: device.sampleRate, channelCount: device.outputChannelCount)
    }
    if device.inputChannelCount > 0 {
      inputs[1].format = StreamFormat(
        sampleRate: device.sampleRate, channelCount: device.inputChannelCount)
    }
  }

  /// The device's sides are called as the device.
  override func defaultName(of element: Element) -> String? {
    guard isDeviceSide(element) else { return nil }
    let isOutput = element.index == 0
    return (try? DeviceList.device(deviceID, input: !isOutput, output: isOutput))?.name
  }

  override func getProperty(
    _ address: PropertyAddress, into data: UnsafeMutableRawPointer, size: inout UInt32
  ) throws(AudioError) {
    if address.id == kAudioUnitProperty_StreamFormat || address.id == kAudioUnitProperty_SampleRate
    {
      try control { () throws(AudioError) in
        if let element = try? formatElement(address), isDeviceSide(element) {
          follow(try wholeDevice())
        }
      }
    }
    try super.getProperty(address, into: data, size: &size)
  }

  // MARK: Life cycle

  override func checkFormats() throws(AudioError) { follow(try usableDevice()) }

  /// The device, when it can do what is enabled.
  func usableDevice() throws(AudioError) -> Device {
    guard playsOutput || capturesInput else {
      throw .failedInitialization.because("neither input nor output is enabled")
    }
    return try check(try device())
  }

  /// The same device, when it can do what is enabled.
  func check(_ device: Device) throws(AudioError) -> Device {
    if playsOutput, device.outputChannelCount == 0 {
      throw .failedInitialization.because("device \(device.uid) has no output")
    }
    if capturesInput, device.inputChannelCount == 0 {
      throw .failedInitialization.because("device \(device.uid) has no input")
    }
    return device
  }

  override func uninitialize() throws(AudioError) {
    guard rt_current().pointee.depth == 0 else {
      // Stops at once; the notifier does the rest.
      try stop()
      return try super.uninitialize()
    }
    // In one go: another thread must not start it in between.
    let hasStopped = try control { () throws(AudioError) -> Bool in
      let wasRunning = isRunning
      end()
      finishStopped()
      try super.uninitialize()
      return wasRunning
    }
    if hasStopped { tellRunning() }
  }

  override func endCycles() {
    if rt_current().pointee.depth == 0 {
      lock.withLock {
        end()
        finishStopped()
      }
    } else if side.pointee.gate.isHeldHere {
      // The rest of this cycle.
      engine.pointee?.pointee.end()
    }
  }

  override func close() {
    // Its listeners hear nothing of a unit that is no more.
    lock.withLock {
      end()
      finishStopped()
    }
    super.close()
  }

  override func start() throws(AudioError) {
    let hasChanged = try control { () throws(AudioError) -> Bool in
      guard isInitialized else {
        throw .uninitialized.because("initialize the unit before you start it")
      }
      guard run == nil else { return false }
      // Opening a device takes its time, and a cycle waits for this callback.
      guard rt_current().pointee.depth == 0 else { throw .cannotDoInCurrentContext }
      try begin()
      return true
    }
    if hasChanged { notifyListeners(Self.isRunningAddress) }
  }

  private func begin() throws(AudioError) {
    finishStopped()
    let orders = OutputRun.Orders(
      deviceID: deviceID, usesInput: capturesInput, usesOutput: playsOutput,
      environment: try .current())
    let handler = IOHandler(self, place: engine)
    let stream = try open(try usableDevice(), handler, orders, startHostTime: startHostTime)
    run = OutputRun(
      stream: stream, handler: handler, device: stream.device, orders: orders,
      beginsAt: startHostTime)
    handler.lay(makeEngine(stream.device))
    handler.admit()
    follow(stream.device)
    do throws(AudioError) { try stream.start() } catch {
      end()
      throw error
    }
    run?.device = stream.device
    DeviceActivity.began(stream)
    startHostTime = nil
    if stream.device.backend == NullBackend.name, !orders.namesBackend { Backends.warnOfSilence() }
    if stream.stallLimit != nil { StreamKeeper.shared.keep(self) }
    if case .ordinary(let reason) = stream.scheduling {
      Explanations.log("\(title): its render thread is an ordinary one: \(reason)")
    }
  }

  /// [control thread] A stream of a device that does not run yet.
  func open(
    _ device: Device, _ handler: IOHandler, _ orders: OutputRun.Orders, startHostTime: UInt64?
  ) throws(AudioError) -> any DeviceStream {
    let request = StreamRequest(
      uid: device.uid, usesInput: orders.usesInput, usesOutput: orders.usesOutput,
      startHostTime: startHostTime, owner: title, isPinned: orders.namesDevice)
    return try DeviceWishes.grant(for: device) { () throws(AudioError) in
      try DeviceList.backend(of: device).open(request, handler)
    }
  }

  /// [control thread, under the lock] What renders the cycles of a device.
  func makeEngine(_ device: Device) -> IOHandler.Engine {
    let setup = IOEngine.Setup(
      playback: playsOutput ? inputs[0].format : nil,
      capture: capturesInput ? outputs[1].format : nil, outputMap: outputMap, inputMap: inputMap,
      allocatesPlayback: inputs[0].allocatesBuffer, maximumFrames: maximumFrames,
      quality: quality, inputCallback: inputCallback, startsAtZero: startsAtZero)
    let engine = IOHandler.Engine.allocate(capacity: 1)
    engine.initialize(to: IOEngine(setup, device, side, volume: global.parameters))
    return engine
  }

  override func stop() throws(AudioError) {
    do throws(AudioError) {
      let hasChanged = try control { () throws(AudioError) -> Bool in
        guard run != nil else {
          // What its own callback has stopped may be in its last cycle.
          finishStopped()
          return false
        }
        end()
        return true
      }
      if hasChanged { tellRunning() }
    } catch {
      // In a callback, while another thread has the lock and perhaps waits for this very cycle.
      runErrand { [self] in try? stop() }
    }
  }

  /// Ends the cycles. A callback cannot wait for that: it makes the rest of its own cycle silent and
  /// leaves the rest to another thread.
  private func end() {
    guard let run else { return }
    self.run = nil
    stopped.append(run)
    guard rt_current().pointee.depth > 0 else {
      finishStopped()
      return
    }
    if side.pointee.gate.isHeldHere {
      run.stream.stop()
      run.handler.end()
    }
    runErrand { [self] in lock.withLock { _ = finishStopped() } }
  }

  /// [any thread] Does `job` on another thread: a callback has no time to start one, the notifier has.
  private func runErrand(_ job: @escaping @Sendable () -> Void) {
    Notifier.shared.perform { [self] in errands.perform(job) }
  }

  /// Waits until the streams that were stopped have ended, and lets go of them; false inside a
  /// callback, where that cannot be.
  @discardableResult
  private func finishStopped() -> Bool {
    guard rt_current().pointee.depth == 0 else { return false }
    for run in stopped {
      run.stream.stop()
      DeviceActivity.ended(run.stream)
      run.handler.end()
    }
    stopped.removeAll()
    return true
  }

  override func canDo(_ selector: Int) -> Bool {
    super.canDo(selector) || selector == kAudioOutputUnitStartSelect
      || selector == kAudioOutputUnitStopSelect
  }

  // MARK: Events

  private static let isRunningAddress = PropertyAddress(
    kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0)

  /// Tells the listeners that it no longer runs; from a callback, by the notifier.
  private func tellRunning() {
    if rt_current().pointee.depth > 0 {
      Notifier.shared.perform { [self] in notifyListeners(Self.isRunningAddress) }
    } else {
      notifyListeners(Self.isRunningAddress)
    }
  }

  /// [any thread but the render thread] What a stream has to tell. `stop` holds the lock while it
  /// waits for the one who tells: another thread sees to it.
  func streamChanged(_ event: StreamEvent, of handler: IOHandler) {
    switch event {
    case .ended(let reason): errands.perform { [weak self] in self?.streamEnded(reason, handler) }
    case .lost: StreamKeeper.shared.wake()
    case .moved(let device):
      errands.perform { [weak self] in self?.streamMoved(to: device, handler) }
    case .inputEnded: break  // cycles go on; no property tells of it
    }
  }

  private func streamEnded(_ reason: String, _ handler: IOHandler) {
    let hasEnded = lock.withLock {
      guard run?.handler === handler else { return false }
      end()
      return true
    }
    guard hasEnded else { return }
    Explanations.log("\(title): stopped by itself: \(reason)")
    tellRunning()
  }

  private func streamMoved(to device: Device, _ handler: IOHandler) {
    let hasMoved = lock.withLock {
      guard let run, run.handler === handler else { return false }
      // Another cycle alone changes nothing for the engine, and converters keep their signal.
      if !run.device.hasShape(of: device) { handler.lay(makeEngine(device)) }
      self.run?.device = device
      follow(device)
      return true
    }
    if hasMoved { tellMoved() }
  }

  /// Tells the listeners that it plays to another device, or that the device has changed.
  func tellMoved() {
    let formats = PropertyAddress(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0)
    notifyListeners(formats)
    notifyListeners(PropertyAddress(formats.id, kAudioUnitScope_Input, 1))
    notifyListeners(PropertyAddress(kAudioUnitProperty_Latency, kAudioUnitScope_Global, 0))
    notifyListeners(
      PropertyAddress(kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0))
  }

  // MARK: Rendering

  /// [render thread] Bus 1 gives what was captured, to whoever is inside the unit's cycle. Bus 0 is
  /// the device's to ask for.
  override func render(_ call: RenderCall, into data: UnsafeMutablePointer<AudioBufferList>)
    -> OSStatus
  {
    guard side.pointee.isReadyToRender else { return kAudioUnitErr_Uninitialized }
    guard call.bus < 2 else { return kAudioUnitErr_InvalidElement }
    guard call.bus == 1 else { return kAudioUnitErr_CannotDoInCurrentContext }
    guard capturesInput else { return kAudioUnitErr_InvalidElement }
    // Elsewhere the engine may be gone at any moment.
    guard side.pointee.gate.isHeldHere, let engine = engine.pointee else {
      return kAudioUnitErr_CannotDoInCurrentContext
    }
    let status = side.pointee.check(call, data)
    return status == noErr ? engine.pointee.read(Int(call.frameCount), into: data) : status
  }
}
