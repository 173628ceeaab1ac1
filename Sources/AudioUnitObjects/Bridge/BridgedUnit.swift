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
  /// The blocks that supply the C unit with input. Only calls within a render use them.
  private struct Inputs {
    /// The block of the current render.
    var pull: AURenderPullInputBlock?
    /// What plays, and what gets captured frames, through an output unit.
    var provider: AURenderPullInputBlock?
    var handler: AUInputHandler?
  }

  private let inputs: UnsafeMutablePointer<Inputs> = .cell(Inputs())
  /// Whether this object feeds the unit; a lent unit has sources of its own.
  private let isFed: Bool
  private let lock = Lock()
  private var isNotified = false

  let renderer: UnitRenderer
  let description: AudioComponentDescription

  /// Makes a unit of a component.
  init(_ component: AudioComponent, _ description: AudioComponentDescription) throws {
    self.description = description
    renderer = UnitRenderer(takesMIDI: description.takesMIDI, passesEvents: false)
    isFed = true
    try super.init(component)
  }

  /// The unit behind a handle.
  init(lent handle: AudioUnit, _ description: AudioComponentDescription) {
    self.description = description
    renderer = UnitRenderer(takesMIDI: description.takesMIDI, passesEvents: false)
    isFed = false
    super.init(lent: handle)
  }

  deinit {
    // The unit may outlive this object, and may be in a render.
    if isNotified {
      AudioUnitRemoveRenderNotify(handle, Self.notify, Unmanaged.passUnretained(self).toOpaque())
    }
    if isFed, description.isOutput {
      AudioOutputUnitStop(handle)
      AudioUnitUninitialize(handle)
    }
    inputs.endCell()
  }

  // MARK: Life cycle

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
      apply(next, of: events, from: time.pointee.sampleTimeForEvents)
      event = UnsafePointer(next.pointee.head.next)
    }
    inputs.pointee.pull = pull
    defer { inputs.pointee.pull = nil }
    return AudioUnitRender(handle, flags, time, bus, frames, data)
  }

  /// [render thread] Supplies the unit with the frames of an input.
  private func supply(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32, _ frames: UInt32,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let block = inputs.pointee.pull ?? inputs.pointee.provider else {
      return kAudioUnitErr_NoConnection
    }
    return block(flags, time, frames, Int(bus), list)
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
    if flags.rawValue & RenderMoment.before != 0 {
      let start = time.pointee.sampleTimeForEvents
      let list = renderer.events.pointee.take(from: start, frames: frames)
      var event = list
      while let next = event {
        apply(next, of: list.map { UnsafePointer($0) }, from: start)
        event = next.pointee.head.next
      }
      renderer.events.pointee.giveBack(list)
    }
    renderer.observers.side.pointee.call(flags, adding: 0, time, frames, Int(bus))
  }

  /// [render thread] Passes an event of a list to the unit. An event that it refuses has no effect.
  private func apply(
    _ event: UnsafePointer<AURenderEvent>, of list: UnsafePointer<AURenderEvent>?,
    from start: AUEventSampleTime
  ) {
    let offset = UInt32(clamping: event.pointee.head.eventSampleTime &- start)
    switch event.pointee.head.eventType {
    case .parameter, .parameterRamp: apply(event.pointee.parameter, of: list, at: offset)
    case .MIDI, .midiSysEx: applyMIDI(event, at: offset)
    default: break
    }
  }

  private func apply(
    _ change: AUParameterEvent, of list: UnsafePointer<AURenderEvent>?, at offset: UInt32
  ) {
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
      event.eventValues.ramp.startValue = value(of: change, before: change, in: list)
      event.eventValues.ramp.endValue = change.value
    }
    AudioUnitScheduleParameters(handle, &event, 1)
  }

  /// The value from which a ramp starts: that of the last change before it in the same list,
  /// otherwise the present one.
  private func value(
    of change: AUParameterEvent, before ramp: AUParameterEvent,
    in list: UnsafePointer<AURenderEvent>?
  ) -> AUValue {
    let address = change.parameterAddress.unitParameter
    var value: AUValue = 0
    AudioUnitGetParameter(handle, address.id, address.scope, address.element, &value)
    var event = list
    while let next = event, next.pointee.head.next != ramp.next {
      let isChange =
        next.pointee.head.eventType == .parameter || next.pointee.head.eventType == .parameterRamp
      if isChange, next.pointee.parameter.parameterAddress == change.parameterAddress {
        value = next.pointee.parameter.value
      }
      event = UnsafePointer(next.pointee.head.next)
    }
    return value
  }

  private func applyMIDI(_ event: UnsafePointer<AURenderEvent>, at offset: UInt32) {
    let message = event.pointee.MIDI
    if message.eventType == .MIDI {
      MusicDeviceMIDIEvent(
        handle, UInt32(message.data.0), UInt32(message.data.1), UInt32(message.data.2), offset)
    } else {
      MusicDeviceSysEx(handle, EventQueue.bytes(of: event), UInt32(message.length))
    }
  }

  // MARK: Devices

  /// What plays through an output unit.
  var provider: AURenderPullInputBlock? {
    get { lock.withLock { inputs.pointee.provider } }
    set { whileStopped { inputs.pointee.provider = newValue } }
  }

  /// What gets the frames that an output unit has captured.
  var handler: AUInputHandler? {
    get { lock.withLock { inputs.pointee.handler } }
    set {
      whileStopped { inputs.pointee.handler = newValue }
      guard isFed, description.isOutput else { return }
      try? set(
        kAudioOutputUnitProperty_SetInputCallback,
        to: newValue == nil ? AURenderCallbackStruct() : inputCallback)
    }
  }

  private var inputCallback: AURenderCallbackStruct {
    AURenderCallbackStruct(
      inputProc: { context, flags, time, bus, frames, _ in
        Unmanaged<BridgedUnit>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.inputs.pointee.handler?(flags, time, frames, Int(bus))
        }
        return noErr
      }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
  }

  /// Replaces a block, while no render of a device calls it.
  private func whileStopped(_ change: () -> Void) {
    let wasRunning = flag(kAudioOutputUnitProperty_IsRunning) ?? false
    if wasRunning { AudioOutputUnitStop(handle) }
    lock.withLock(change)
    if wasRunning { AudioOutputUnitStart(handle) }
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
