// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolboxFunctions
import AudioUnitCore
import CoreAudio
import Foundation
import SignalProcessing

/// The C unit behind an object: it renders it, and applies the scheduled events.
///
/// Events are applied in a render notification. So they also take effect if another host renders
/// the C unit, as an engine renders the units of its nodes.
final class BridgedUnit: CUnit, @unchecked Sendable {
  private struct Provider {
    let block: AURenderPullInputBlock
  }

  private struct Handler {
    let block: AUInputHandler
  }

  /// The block that supplies the inputs in the current render.
  private let pull: UnsafeMutablePointer<StoredPullBlock> = .cell(StoredPullBlock(call: nil))
  /// What plays, and what gets captured frames, through an output unit.
  private let providers = ReplaceableBlock<Provider>()
  private let handlers = ReplaceableBlock<Handler>()
  /// Whether this object feeds the unit; a lent unit has sources of its own.
  let isFed: Bool
  private let lock = Lock()
  private var isNotified = false
  private var callsHandlers = false
  private var sendsMIDI = false
  private let hostBlocks = HostBlocks()
  private var asksHost = false
  private let changes: UnsafeMutablePointer<ScheduledChanges> = .cell(ScheduledChanges())

  let midiOutput = BridgedMIDIOutput()
  /// The observers of its object.
  let observers: KeyObservers
  let watch: PropertyWatch
  let renderer: UnitRenderer
  let description: AudioComponentDescription

  /// Makes a unit of a component, with the options of a program.
  init(
    _ component: AudioComponent, _ description: AudioComponentDescription,
    _ options: AudioComponentInstantiationOptions
  ) throws {
    self.description = description
    observers = KeyObservers()
    watch = PropertyWatch(observers)
    renderer = UnitRenderer(takesMIDI: description.takesMIDI, passesEvents: false)
    isFed = true
    try super.init(component, options)
    // A unit that refuses this keeps its own number.
    try? set(kAudioUnitProperty_MaximumFramesPerSlice, to: HostValues().maximumFrames)
  }

  /// The unit behind a handle.
  init(lent handle: AudioUnit, _ description: AudioComponentDescription) {
    self.description = description
    observers = KeyObservers()
    watch = PropertyWatch(observers)
    renderer = UnitRenderer(takesMIDI: description.takesMIDI, passesEvents: false)
    isFed = false
    super.init(lent: handle)
  }

  deinit {
    watch.end(handle)
    // The unit may outlive this object, and may be in a render.
    if isNotified {
      AudioUnitRemoveRenderNotify(handle, Self.notify, Unmanaged.passUnretained(self).toOpaque())
    }
    if sendsMIDI {
      try? set(kAudioUnitProperty_MIDIOutputCallback, to: AUMIDIOutputCallbackStruct())
      midiOutput.set(nil, nil)
    }
    if asksHost { try? set(kAudioUnitProperty_HostCallbacks, to: HostCallbackInfo()) }
    if isFed, description.isOutput {
      AudioOutputUnitStop(handle)
      AudioUnitUninitialize(handle)
    }
    pull.endCell()
    changes.endCell()
  }

  // MARK: Life cycle

  /// Whether the unit is initialised, by anyone; nil if that is unknown, as for foreign units.
  var isInitialized: Bool? {
    UnitInstance.use(handle) { ($0 as? RenderedUnit)?.isInitialized }
  }

  /// Whether others initialise the unit too, and this object knows when.
  var isShared: Bool { !isFed && isInitialized != nil }

  /// Initialises the unit, fed by the block of each render.
  func allocate(inputCount: Int) throws {
    if isFed {
      for element in 0..<UInt32(inputCount) { try feed(element) }
    }
    try Self.check(AudioUnitInitialize(handle))
  }

  /// Frees what rendering needs.
  func deallocate() {
    if description.isOutput { AudioOutputUnitStop(handle) }
    AudioUnitUninitialize(handle)
  }

  private func feed(_ element: AudioUnitElement) throws {
    // An output unit has its source on bus 0; bus 1 is the device's input.
    guard !description.isOutput || element == 0 else { return }
    try set(
      kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, element,
      to: AURenderCallbackStruct(
        inputProc: { context, flags, time, bus, frames, list in
          guard let list else { return kAudio_ParamError }
          return Unmanaged<BridgedUnit>.fromOpaque(context)._withUnsafeGuaranteedRef {
            $0.supply(flags, time, bus, frames, list)
          }
        }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque()))
  }

  /// Lets the unit ask a host for its tempo and its transport. A lent unit asks its owner's.
  func setHostBlocks(
    _ musicalContext: AUHostMusicalContextBlock?, _ transportState: AUHostTransportStateBlock?
  ) {
    guard isFed else { return }
    lock.withLock { asksHost = true }
    // Most units ask nothing, and refuse this.
    try? set(
      kAudioUnitProperty_HostCallbacks, to: hostBlocks.replace(musicalContext, transportState))
  }

  // MARK: Rendering

  /// [render thread] Renders a bus with the block that supplies the inputs.
  func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: AUAudioFrameCount, _ bus: Int,
    _ data: UnsafeMutablePointer<AudioBufferList>, _ events: UnsafePointer<AURenderEvent>?,
    _ pull: AURenderPullInputBlock?
  ) -> AUAudioUnitStatus {
    guard let bus = UInt32(exactly: bus) else { return kAudioUnitErr_InvalidElement }
    var event = events
    while let next = event {
      apply(next, from: time.pointee.sampleTimeForEvents)
      event = UnsafePointer(next.pointee.head.next)
    }
    // Rendering bus 1 of an output unit, which is captured, may overlap with rendering bus 0.
    guard let pull, bus == 0 || !description.isOutput else {
      return AudioUnitRender(handle, flags, time, bus, frames, data)
    }
    self.pull.pointee = StoredPullBlock(call: pull)
    defer { self.pull.pointee = StoredPullBlock(call: nil) }
    return AudioUnitRender(handle, flags, time, bus, frames, data)
  }

  /// [render thread] Supplies the unit with the frames of an input.
  private func supply(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32, _ frames: UInt32,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    if let block = pull.pointee.call { return block(flags, time, frames, Int(bus), list) }
    return providers.call { $0.block(flags, time, frames, Int(bus), list) }
  }

  // MARK: Events and observers

  /// [control thread] From now on events take effect, and observers are called.
  func watchRenders() {
    lock.withLock {
      guard !isNotified else { return }
      isNotified = true
      AudioUnitAddRenderNotify(handle, Self.notify, Unmanaged.passUnretained(self).toOpaque())
    }
  }

  private static let notify: AURenderCallback = { context, flags, time, bus, frames, _ in
    Unmanaged<BridgedUnit>.fromOpaque(context)._withUnsafeGuaranteedRef {
      $0.rendering(flags.pointee, time, bus, frames)
    }
    return noErr
  }

  /// [render thread] A render begins or ends.
  private func rendering(
    _ flags: AudioUnitRenderActionFlags, _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32,
    _ frames: UInt32
  ) {
    // First, because the events that an observer schedules may be for these frames.
    renderer.observers.side.pointee.call(flags, adding: 0, time, frames, Int(bus))
    guard flags.rawValue & RenderMoment.before != 0 else { return }
    let start = time.pointee.sampleTimeForEvents
    let list = renderer.events.pointee.take(from: start, frames: frames)
    var event = list
    while let next = event {
      apply(next, from: start)
      event = next.pointee.head.next
    }
    renderer.events.pointee.giveBack(list)
  }

  /// [render thread] Passes an event to the unit, in the order of time. An event that it refuses has
  /// no effect.
  private func apply(_ event: UnsafePointer<AURenderEvent>, from start: AUEventSampleTime) {
    let offset = UInt32(clamping: event.pointee.head.eventSampleTime &- start)
    switch event.pointee.head.eventType {
    case .parameter, .parameterRamp: apply(event.pointee.parameter, at: offset, from: start)
    case .MIDI, .midiSysEx: applyMIDI(event, at: offset)
    case .midiEventList: MusicDeviceMIDIEventList(handle, offset, EventFields.list(of: event))
    default: break
    }
  }

  private func apply(
    _ change: AUParameterEvent, at offset: UInt32, from start: AUEventSampleTime
  ) {
    let time = start &+ AUEventSampleTime(offset)
    var startValue = change.value
    let address = change.parameterAddress.unitParameter
    var event = AudioUnitParameterEvent()
    event.scope = address.scope
    event.element = address.element
    event.parameter = address.id
    if change.rampDurationSampleFrames == 0 {
      event.eventType = .parameterEvent_Immediate
      event.eventValues.immediate.bufferOffset = offset
      event.eventValues.immediate.value = change.value
    } else {
      event.eventType = .parameterEvent_Ramped
      event.eventValues.ramp.startBufferOffset = Int32(clamping: offset)
      event.eventValues.ramp.durationInFrames = change.rampDurationSampleFrames
      startValue = value(of: change.parameterAddress, at: time, in: start)
      event.eventValues.ramp.startValue = startValue
      event.eventValues.ramp.endValue = change.value
    }
    guard AudioUnitScheduleParameters(handle, &event, 1) == noErr else { return }
    changes.pointee.record(
      change.parameterAddress, from: startValue, to: change.value, at: time,
      frames: change.rampDurationSampleFrames)
  }

  /// The value from which a ramp starts: where the last scheduled change is at that time, or else
  /// the present value.
  private func value(
    of address: AUParameterAddress, at time: AUEventSampleTime, in cycle: AUEventSampleTime
  ) -> AUValue {
    if let value = changes.pointee.value(of: address, at: time, in: cycle) { return value }
    let place = address.unitParameter
    var value: AUValue = 0
    AudioUnitGetParameter(handle, place.id, place.scope, place.element, &value)
    return value
  }

  private func applyMIDI(_ event: UnsafePointer<AURenderEvent>, at offset: UInt32) {
    let message = event.pointee.MIDI
    if message.eventType == .MIDI {
      MusicDeviceMIDIEvent(
        handle, UInt32(message.data.0), UInt32(message.data.1), UInt32(message.data.2), offset)
    } else {
      MusicDeviceSysEx(handle, EventFields.bytes(of: event), UInt32(message.length))
    }
  }

  /// [control thread] Whether the unit has no callback for its MIDI messages yet; it gets one now.
  func beginMIDIOutput() -> Bool {
    lock.withLock {
      defer { sendsMIDI = true }
      return !sendsMIDI
    }
  }

  // MARK: Devices

  /// What plays through an output unit. A lent unit keeps the source that it has.
  var provider: AURenderPullInputBlock? {
    get { providers.value?.block }
    set {
      guard isFed else { return }
      providers.replace(by: newValue.map { Provider(block: $0) })
    }
  }

  /// What gets the frames that an output unit has captured. That of a lent unit is its owner's.
  var handler: AUInputHandler? {
    get { handlers.value?.block }
    set {
      guard isFed else { return }
      handlers.replace(by: newValue.map { Handler(block: $0) })
      if newValue != nil, description.isOutput { callHandlers() }
    }
  }

  /// From now on the unit calls the handler when it has captured frames. That can only be set while
  /// the device is stopped.
  private func callHandlers() {
    let isFirst = lock.withLock {
      defer { callsHandlers = true }
      return !callsHandlers
    }
    guard isFirst else { return }
    let wasRunning = flag(kAudioOutputUnitProperty_IsRunning) ?? false
    if wasRunning { AudioOutputUnitStop(handle) }
    try? set(kAudioOutputUnitProperty_SetInputCallback, to: inputCallback)
    if wasRunning { AudioOutputUnitStart(handle) }
  }

  private var inputCallback: AURenderCallbackStruct {
    AURenderCallbackStruct(
      inputProc: { context, flags, time, bus, frames, _ in
        _ = Unmanaged<BridgedUnit>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.handlers.call { handler in
            handler.block(flags, time, frames, Int(bus))
            return noErr
          }
        }
        return noErr
      }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
  }
}

extension AudioComponentDescription {
  /// Whether units of this type receive MIDI.
  var takesMIDI: Bool {
    [kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect, kAudioUnitType_MIDIProcessor]
      .contains(componentType)
  }

  /// Whether units of this type play to a device or to the program.
  var isOutput: Bool { componentType == kAudioUnitType_Output }
}
