// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox
import CRealTime
import Glibc
import Synchronization

/// A unit of a component that a program or plug-in registered: C functions from a factory.
///
/// Its functions are looked up once, when it is opened. Its renders pass a gate like those of
/// native units.
public final class ForeignUnit: UnitInstance, @unchecked Sendable {
  private let interface: UnsafeMutablePointer<AudioComponentPlugInInterface>
  private let gate = RenderGate()
  private var isOpen = false

  private typealias Me = UnsafeMutableRawPointer
  private typealias Initialize = @convention(c) (Me) -> OSStatus
  private typealias Reset = @convention(c) (Me, AudioUnitScope, AudioUnitElement) -> OSStatus
  private typealias GetInfo =
    @convention(c) (
      Me, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement, UnsafeMutablePointer<UInt32>,
      UnsafeMutablePointer<Bool>
    ) -> OSStatus
  private typealias Get =
    @convention(c) (
      Me, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement, UnsafeMutableRawPointer,
      UnsafeMutablePointer<UInt32>
    ) -> OSStatus
  private typealias Set =
    @convention(c) (
      Me, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement, UnsafeRawPointer?, UInt32
    ) -> OSStatus
  private typealias ListenerWithData =
    @convention(c) (
      Me, AudioUnitPropertyID, AudioUnitPropertyListenerProc, UnsafeMutableRawPointer?
    ) -> OSStatus
  private typealias ListenerWithoutData =
    @convention(c) (
      Me, AudioUnitPropertyID, AudioUnitPropertyListenerProc
    ) -> OSStatus
  private typealias Notify =
    @convention(c) (
      Me, AURenderCallback, UnsafeMutableRawPointer?
    ) -> OSStatus
  private typealias GetParameter =
    @convention(c) (
      Me, AudioUnitParameterID, AudioUnitScope, AudioUnitElement, UnsafeMutablePointer<Float>
    ) -> OSStatus
  private typealias SetParameter =
    @convention(c) (
      Me, AudioUnitParameterID, AudioUnitScope, AudioUnitElement, Float, UInt32
    ) -> OSStatus
  private typealias Schedule =
    @convention(c) (
      Me, UnsafePointer<AudioUnitParameterEvent>, UInt32
    ) -> OSStatus
  private typealias Render =
    @convention(c) (
      Me, UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>, UInt32,
      UInt32, UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus
  private typealias Process =
    @convention(c) (
      Me, UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>, UInt32,
      UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus
  private typealias ProcessMultiple =
    @convention(c) (
      Me, UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>, UInt32,
      UInt32, UnsafeMutableRawPointer, UInt32, UnsafeMutableRawPointer
    ) -> OSStatus

  private var render: Render?
  private var processInPlace: Process?
  private var processMany: ProcessMultiple?
  private var getParameter: GetParameter?
  private var setParameter: SetParameter?
  private var schedule: Schedule?
  private var notes: NoteMethods?

  /// Makes an instance with the component's factory.
  public init(component: Component, factory: @escaping AudioComponentFactoryFunction)
    throws(AudioError)
  {
    var description = component.description
    let made = withUnsafeMutablePointer(to: &description) { description in
      Lock.whileYielded { callProgram { factory(description) } ?? nil }
    }
    guard let interface = made else {
      throw .failedInitialization.because("\(component.name): its factory returned no instance")
    }
    self.interface = interface
    super.init(component: component)
  }

  private var me: Me { UnsafeMutableRawPointer(interface) }

  private func method<Function>(_ selector: Int, _ type: Function.Type) -> Function? {
    let method = Lock.whileYielded {
      callProgram { [self] in interface.pointee.Lookup(Int16(selector)) } ?? nil
    }
    return method.map { unsafeBitCast($0, to: Function.self) }
  }

  private func need<Function>(_ selector: Int, _ type: Function.Type) throws(AudioError)
    -> Function
  {
    guard let method = method(selector, type) else {
      throw .unimplemented.because("\(title) has no function for selector \(selector)")
    }
    return method
  }

  /// Calls a function of the plug-in with no graph lock held, and checks its result.
  private func check(_ call: @escaping () throws(AudioError) -> OSStatus) throws(AudioError) {
    let status = try Lock.whileYielded { () throws(AudioError) in try callProgram(call) }
    guard let status else { throw .cannotDoInCurrentContext.because("\(title) threw an exception") }
    try check(status)
  }

  private func check(_ status: OSStatus) throws(AudioError) {
    guard status == noErr else { throw AudioError(status: status).because("\(title) refused") }
  }

  private func address<Function>(_ function: Function) -> UnsafeRawPointer {
    unsafeBitCast(function, to: UnsafeRawPointer.self)
  }

  // MARK: Life cycle

  public override func open() throws(AudioError) {
    guard let handle else { throw .instanceInvalidated }
    try check { [self] in interface.pointee.Open(me, handle) }
    isOpen = true
    render = method(kAudioUnitRenderSelect, Render.self)
    processInPlace = method(kAudioUnitProcessSelect, Process.self)
    processMany = method(kAudioUnitProcessMultipleSelect, ProcessMultiple.self)
    getParameter = method(kAudioUnitGetParameterSelect, GetParameter.self)
    setParameter = method(kAudioUnitSetParameterSelect, SetParameter.self)
    schedule = method(kAudioUnitScheduleParametersSelect, Schedule.self)
    notes = NoteMethods(of: interface)
  }

  public override func stopCallbacks() { gate.waitUntilIdleUnlessRendering() }

  public override func close() {
    consumers.disconnect(from: self)
    // The gate remains closed, because another unit may still try to render this one.
    waitPolling(every: 50) { !gate.tryEnter() }
    try? uninitialize()
    if isOpen { callProgram { [self] in interface.pointee.Close(me) } }
    isOpen = false
  }

  public override func initialize() throws(AudioError) {
    try check { [self] () throws(AudioError) in
      try need(kAudioUnitInitializeSelect, Initialize.self)(me)
    }
  }
  public override func uninitialize() throws(AudioError) {
    // Inside a callback this would wait for itself.
    if rt_current().pointee.depth == 0 { waitForReaders() }
    try check { [self] () throws(AudioError) in
      try need(kAudioUnitUninitializeSelect, Initialize.self)(me)
    }
  }
  public override func reset(_ scope: AudioUnitScope, _ element: AudioUnitElement)
    throws(AudioError)
  {
    try check { [self] () throws(AudioError) in
      try need(kAudioUnitResetSelect, Reset.self)(me, scope, element)
    }
  }
  public override func canDo(_ selector: Int) -> Bool {
    Int16(exactly: selector).map { interface.pointee.Lookup($0) != nil } ?? false
  }
  public override func start() throws(AudioError) {
    try check { [self] () throws(AudioError) in
      try need(kAudioOutputUnitStartSelect, Initialize.self)(me)
    }
  }
  public override func stop() throws(AudioError) {
    try check { [self] () throws(AudioError) in
      try need(kAudioOutputUnitStopSelect, Initialize.self)(me)
    }
  }

  // MARK: Properties

  public override func propertyInfo(_ address: PropertyAddress) throws(AudioError) -> PropertyInfo {
    var size: UInt32 = 0
    var isWritable = false
    try withUnsafeMutablePointer(to: &size) { size throws(AudioError) in
      try withUnsafeMutablePointer(to: &isWritable) { isWritable throws(AudioError) in
        try check { [self] () throws(AudioError) in
          try need(kAudioUnitGetPropertyInfoSelect, GetInfo.self)(
            me, address.id, address.scope, address.element, size, isWritable)
        }
      }
    }
    return PropertyInfo(size: Int(size), isWritable: isWritable)
  }
  public override func getProperty(
    _ address: PropertyAddress, into data: UnsafeMutableRawPointer, size: inout UInt32
  ) throws(AudioError) {
    try withUnsafeMutablePointer(to: &size) { size throws(AudioError) in
      try check { [self] () throws(AudioError) in
        try need(kAudioUnitGetPropertySelect, Get.self)(
          me, address.id, address.scope, address.element, data, size)
      }
    }
  }
  public override func setProperty(
    _ address: PropertyAddress, _ data: UnsafeRawPointer?, size: UInt32
  ) throws(AudioError) {
    try check { [self] () throws(AudioError) in
      try need(kAudioUnitSetPropertySelect, Set.self)(
        me, address.id, address.scope, address.element, data, size)
    }
    if address.id == kAudioUnitProperty_MaximumFramesPerSlice {
      hasChosenMaximumFrames = true
      findFrameLimit()
    }
  }
  public override func addPropertyListener(_ id: AudioUnitPropertyID, _ listener: PropertyListener)
    throws(AudioError)
  {
    try check { [self] () throws(AudioError) in
      try need(kAudioUnitAddPropertyListenerSelect, ListenerWithData.self)(
        me, id, listener.function, listener.userData)
    }
  }
  public override func removePropertyListener(
    _ id: AudioUnitPropertyID, _ listener: PropertyListener, matchingUserData: Bool
  ) throws(AudioError) {
    if matchingUserData {
      try check { [self] () throws(AudioError) in
        try need(kAudioUnitRemovePropertyListenerWithUserDataSelect, ListenerWithData.self)(
          me, id, listener.function, listener.userData)
      }
    } else {
      try check { [self] () throws(AudioError) in
        try need(kAudioUnitRemovePropertyListenerSelect, ListenerWithoutData.self)(
          me, id, listener.function)
      }
    }
  }

  // MARK: Parameters

  public override func parameter(_ address: ParameterAddress) throws(AudioError)
    -> AudioUnitParameterValue
  {
    guard let getParameter else { throw .unimplemented }
    var value: Float = 0
    try check(
      Lock.whileYielded {
        rt_call_get_parameter(
          self.address(getParameter), me, address.id, address.scope, address.element, &value)
      })
    return value
  }
  public override func setParameter(
    _ address: ParameterAddress, to value: AudioUnitParameterValue, offset: UInt32
  ) throws(AudioError) {
    guard let setParameter else { throw .unimplemented }
    try check(
      Lock.whileYielded {
        rt_call_set_parameter(
          self.address(setParameter), me, address.id, address.scope, address.element, value, offset)
      })
  }
  public override func schedule(_ events: UnsafeBufferPointer<AudioUnitParameterEvent>)
    throws(AudioError)
  {
    guard let first = events.baseAddress else { return }
    guard let schedule else {
      throw .unimplemented.because("\(title) has no function to schedule parameters")
    }
    try check(
      Lock.whileYielded { rt_call_schedule(address(schedule), me, first, UInt32(events.count)) })
  }

  // MARK: Notes

  public override var noteMethods: NoteMethods? { notes }

  // MARK: Rendering

  public override func addRenderNotify(_ notify: RenderCallback) throws(AudioError) {
    try check { [self] () throws(AudioError) in
      try need(kAudioUnitAddRenderNotifySelect, Notify.self)(me, notify.function, notify.context)
    }
  }
  public override func removeRenderNotify(_ notify: RenderCallback) throws(AudioError) {
    try check { [self] () throws(AudioError) in
      try need(kAudioUnitRemoveRenderNotifySelect, Notify.self)(me, notify.function, notify.context)
    }
  }
  public override func render(
    _ call: RenderCall, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let render else { return kAudio_UnimplementedError }
    return guarded {
      rt_call_host(
        unsafeBitCast(render, to: UnsafeRawPointer.self), me, call.flags, call.time, call.bus,
        call.frameCount, data)
    }
  }
  public override func process(_ call: RenderCall, _ data: UnsafeMutablePointer<AudioBufferList>)
    -> OSStatus
  {
    guard let processInPlace else { return kAudio_UnimplementedError }
    return guarded {
      rt_call_process(
        unsafeBitCast(processInPlace, to: UnsafeRawPointer.self), me, call.flags, call.time,
        call.frameCount, data)
    }
  }
  public override func processMultiple(
    _ call: RenderCall, inputs: UnsafeBufferPointer<UnsafePointer<AudioBufferList>?>,
    outputs: UnsafeBufferPointer<UnsafeMutablePointer<AudioBufferList>?>
  ) -> OSStatus {
    guard let processMany, let from = inputs.baseAddress, let to = outputs.baseAddress else {
      return kAudio_UnimplementedError
    }
    return guarded {
      rt_call_process_multiple(
        unsafeBitCast(processMany, to: UnsafeRawPointer.self), me, call.flags, call.time,
        call.frameCount, UInt32(inputs.count), UnsafeMutableRawPointer(mutating: from),
        UInt32(outputs.count),
        UnsafeMutableRawPointer(mutating: to))
    }
  }

  /// [render thread] Runs the plug-in's own code, one call at a time.
  private func guarded(_ body: () -> OSStatus) -> OSStatus {
    guard gate.tryEnter() else { return kAudioUnitErr_CannotDoInCurrentContext }
    defer { gate.leave() }
    return body()
  }

  // MARK: Connections

  private let consumers = Consumers()

  public override func sourceChanged(for consumer: UnitInstance, isConnected: Bool) {
    consumers.change(consumer, isConnected: isConnected) { _ in }
  }
  public override var readers: [UnitInstance] { consumers.readers }
  public override var isRendering: Bool { !gate.isIdle }

  private let knownFrameLimit: UnsafeMutablePointer<Atomic<UInt32>> = .cell(Atomic(.max))

  deinit { knownFrameLimit.endCell() }

  package override var frameLimit: Int? {
    let frames = knownFrameLimit.pointee.load(ordering: .relaxed)
    return frames < .max ? Int(frames) : nil
  }
  override var foreignFrameLimit: UnsafeMutablePointer<Atomic<UInt32>>? { knownFrameLimit }
  package override func findFrameLimit() {
    knownFrameLimit.pointee.store(maximumFramesPerSlice ?? .max, ordering: .relaxed)
  }
  public override func waitForRender() { gate.waitUntilIdle() }
}
