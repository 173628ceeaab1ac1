// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Foundation

// Components, units, parameters and rendering.
extension RandomProgram {
  static let unitCalls: [Call] = [
    ("AudioComponentInstanceNew", { $0.makeUnit() }),
    ("AudioComponentInstanceNew", { $0.makeUnit() }),
    ("AudioComponentInstanceDispose", { $0.disposeUnit() }),
    ("AudioComponentInstanceCanDo", { _ = AudioComponentInstanceCanDo($0.unit, $0.selector) }),
    ("AudioComponentInstanceGetComponent", { _ = AudioComponentInstanceGetComponent($0.unit) }),
    ("AudioUnitInitialize", { _ = AudioUnitInitialize($0.unit) }),
    ("AudioUnitInitialize", { _ = AudioUnitInitialize($0.unit) }),
    ("AudioUnitUninitialize", { _ = AudioUnitUninitialize($0.unit) }),
    ("AudioUnitReset", { _ = AudioUnitReset($0.unit, $0.scope, $0.element) }),
    ("AudioOutputUnitStop", { _ = AudioOutputUnitStop($0.unit) }),
    (
      "AudioUnitAddRenderNotify",
      { _ = AudioUnitAddRenderNotify($0.unit, $0.maybeNull(render), $0.context) }
    ),
    (
      "AudioUnitRemoveRenderNotify",
      { _ = AudioUnitRemoveRenderNotify($0.unit, render, $0.context) }
    ),
    (
      "AudioUnitSetParameter",
      {
        _ = AudioUnitSetParameter(
          $0.unit, $0.parameter, $0.scope, $0.element, $0.number, $0.pick([0, 0, 1, 5_000, .max]))
      }
    ),
    ("AudioUnitGetParameter", { $0.getParameter() }),
    ("AudioUnitScheduleParameters", { $0.schedule() }),
    ("AudioUnitRender", { $0.renderUnit() }),
    ("AudioUnitRender", { $0.renderUnit() }),
    ("AudioUnitRender", { $0.renderUnit() }),
    ("AudioUnitProcess", { $0.process() }),
    ("AudioUnitProcessMultiple", { $0.processMultiple() }),
    ("AudioComponentFindNext", { $0.findComponents() }),
    ("AudioComponentRegister", { $0.registerComponent() }),
  ]

  private var selector: Int16 { pick([1, 2, 14, 19, 0x201, -1, .max]) }

  private func makeUnit() {
    guard units.count < 6 else { return disposeUnit() }
    let kind = pick(BuiltIn.all)
    var description = AudioComponentDescription(
      componentType: kind.type, componentSubType: kind.subType,
      componentManufacturer: kind.manufacturer, componentFlags: 0, componentFlagsMask: 0)
    var unit: AudioUnit?
    guard let component = AudioComponentFindNext(nil, &description),
      AudioComponentInstanceNew(component, &unit) == noErr, let unit
    else { return complain("no \(kind.name)") }
    units.append(unit)
  }

  private func disposeUnit() {
    guard !units.isEmpty else { return }
    let unit = units.remove(at: Int(next() % UInt64(units.count)))
    if AudioComponentInstanceDispose(unit) != noErr { complain("dispose was refused") }
    if AudioComponentInstanceDispose(unit) == noErr { complain("disposed of twice") }
    disposedUnits.append(unit)
  }

  private func findComponents() {
    var description = AudioComponentDescription()
    description.componentType = pick([0, kAudioUnitType_Effect, .max])
    _ = AudioComponentCount(maybeNull(pointer(&description)))
    guard let component = AudioComponentFindNext(nil, &description) else { return }
    var (version, name) = (UInt32(0), Unmanaged<CFString>?.none)
    _ = AudioComponentGetVersion(component, &version)
    _ = AudioComponentGetVersion(fromBits(UInt(next())), &version)
    _ = AudioComponentGetDescription(component, &description)
    _ = AudioComponentCopyName(component, &name)
    name?.release()
  }

  private func registerComponent() {
    var description = AudioComponentDescription(
      componentType: pick([0, kAudioUnitType_Effect]), componentSubType: 0x6675_7A7A,
      componentManufacturer: pick([0, 0x7465_7374]), componentFlags: 0, componentFlagsMask: 0)
    let name: UnsafeRawPointer = fromBits(object)
    _ = _AudioComponentRegister(&description, name, UInt32(next() % 4), { _ in nil })
    var unit: AudioUnit?
    guard let component = AudioComponentFindNext(nil, &description) else { return }
    if description.componentSubType == 0x6675_7A7A, description.componentManufacturer != 0 {
      if AudioComponentInstanceNew(component, &unit) == noErr {
        complain("an instance without a factory result")
      }
    }
  }

  private func getParameter() {
    var value: Float = 77
    let status = AudioUnitGetParameter(unit, parameter, scope, element, maybeNull(pointer(&value)))
    if status == noErr, !value.isFinite { complain("a parameter is \(value)") }
  }

  private func pointer<Value>(_ value: UnsafeMutablePointer<Value>) -> UnsafeMutablePointer<Value> {
    value
  }

  private func schedule() {
    let events = (0..<Int(next() % 5)).map { _ in
      var event = AudioUnitParameterEvent()
      (event.scope, event.element, event.parameter) = (scope, element, parameter)
      event.eventType = pick([.parameterEvent_Immediate, .parameterEvent_Ramped])
      if event.eventType == .parameterEvent_Ramped {
        event.eventValues.ramp.startBufferOffset = pick([0, 10, -10, 1_000, .min, .max])
        event.eventValues.ramp.durationInFrames = pick([0, 1, 100, 100_000, .max])
        event.eventValues.ramp.startValue = number
        event.eventValues.ramp.endValue = number
      } else {
        event.eventValues.immediate.bufferOffset = pick([0, 1, 500, .max])
        event.eventValues.immediate.value = number
      }
      return event
    }
    events.withUnsafeBufferPointer {
      guard let base = $0.baseAddress else { return }
      _ = AudioUnitScheduleParameters(unit, base, UInt32($0.count))
    }
  }

  // MARK: Rendering

  private func renderUnit() {
    let frames = frames
    let list = list(frames)
    defer { free(list.unsafeMutablePointer) }
    var (stamp, flags) = (stamp, AudioUnitRenderActionFlags(rawValue: UInt32(next() % 512)))
    let status = AudioUnitRender(
      unit, &flags, &stamp, pick([0, 0, 0, 0, 1, 7, .max]), frames,
      maybeNull(list.unsafeMutablePointer))
    let buffers = list.map { $0.mData != nil }
    if status == noErr, Set(buffers).count > 1 { complain("a list came back with half its memory") }
  }

  private func process() {
    let frames = frames
    let list = list(frames)
    defer { free(list.unsafeMutablePointer) }
    var (stamp, flags) = (stamp, AudioUnitRenderActionFlags())
    _ = AudioUnitProcess(unit, &flags, &stamp, frames, maybeNull(list.unsafeMutablePointer))
  }

  private func processMultiple() {
    let frames = frames
    let (one, other) = (list(frames), list(frames))
    defer {
      free(one.unsafeMutablePointer)
      free(other.unsafeMutablePointer)
    }
    var (stamp, flags) = (stamp, AudioUnitRenderActionFlags())
    var inputs = [maybeNull(one.unsafePointer), other.unsafePointer]
    var outputs = [maybeNull(other.unsafeMutablePointer)]
    _ = AudioUnitProcessMultiple(
      unit, &flags, &stamp, frames, pick([0, 1, 2]), &inputs, pick([0, 1]), &outputs)
  }
}
