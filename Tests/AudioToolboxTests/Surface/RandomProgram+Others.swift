// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Foundation

// Listeners of parameters and events, audio objects, texts.
extension RandomProgram {
  static let otherCalls: [Call] = [
    ("AUListenerCreate", { $0.makeListener() }),
    ("AUListenerDispose", { $0.endListener() }),
    ("AUListenerAddParameter", { $0.listen() }),
    ("AUEventListenerAddEventType", { $0.listenToEvent() }),
    ("AUParameterSet", { $0.setByListener() }),
    ("AUParameterListenerNotify", { $0.notify() }),
    ("AUParameterValueToLinear", { $0.scale() }),
    ("AudioObjectGetPropertyData", { $0.askObject() }),
    ("AudioObjectAddPropertyListener", { $0.listenToObject() }),
    ("AUDiagnosticsCopyLastExplanation", { $0.explain() }),
  ]

  private func makeListener() {
    guard listeners.count < 4 else { return endListener() }
    var listener: AUParameterListenerRef?
    let (loop, mode): (UnsafeRawPointer?, UnsafeRawPointer?) = (
      isOne(in: 6) ? UnsafeRawPointer(bitPattern: object) : nil,
      isOne(in: 6) ? UnsafeRawPointer(bitPattern: object) : nil
    )
    let interval = pick([0, 0, 0.01, -1, 1e30, .nan] as [Float])
    let status =
      isOne(in: 2)
      ? _AUListenerCreate(
        { context, _, _, _ in RandomProgram.heardParameter(context) }, context, loop, mode,
        interval, &listener)
      : _AUEventListenerCreate(
        { context, _, _, _, _ in RandomProgram.heardParameter(context) }, context, loop, mode,
        interval, number, &listener)
    if status == noErr, let listener { listeners.append(listener) }
  }

  private static func heardParameter(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    let address = UInt(bitPattern: context)
    guard let unit = AudioUnit(bitPattern: address) else { return }
    heard(context, unit, 0, 0, 0)
  }

  private func endListener() {
    guard !listeners.isEmpty else { return }
    let listener = listeners.remove(at: Int(next() % UInt64(listeners.count)))
    if AUListenerDispose(listener) != noErr { complain("dispose of a listener was refused") }
    if AUListenerDispose(listener) == noErr { complain("a listener was disposed of twice") }
    deadListeners.append(listener)
  }

  private var place: AudioUnitParameter {
    AudioUnitParameter(
      mAudioUnit: unit, mParameterID: isOne(in: 6) ? kAUParameterListener_AnyParameter : parameter,
      mScope: scope, mElement: element)
  }

  private func listen() {
    var place = place
    _ = AUListenerAddParameter(listener, context, &place)
    if isOne(in: 2) { _ = AUListenerRemoveParameter(listener, context, &place) }
  }

  private func listenToEvent() {
    var event = AudioUnitEvent()
    let type = AudioUnitEventType(rawValue: pick([0, 1, 2, 3, 4, .max]))
    if let type { event.mEventType = type }
    if event.mEventType == .propertyChange {
      event.mArgument.mProperty = AudioUnitProperty(
        mAudioUnit: unit, mPropertyID: property, mScope: scope, mElement: element)
    } else {
      event.mArgument.mParameter = place
    }
    _ = AUEventListenerAddEventType(listener, context, &event)
    _ = AUEventListenerNotify(isOne(in: 2) ? nil : listener, nil, &event)
    if isOne(in: 2) { _ = AUEventListenerRemoveEventType(listener, context, &event) }
  }

  private func setByListener() {
    var place = place
    _ = AUParameterSet(isOne(in: 2) ? nil : listener, nil, &place, number, pick([0, 1, .max]))
  }

  private func notify() {
    var place = place
    _ = AUParameterListenerNotify(isOne(in: 2) ? nil : listener, nil, &place)
  }

  private func scale() {
    var place = place
    let linear = AUParameterValueToLinear(number, &place)
    let value = AUParameterValueFromLinear(linear, &place)
    var text = [CChar](repeating: 0, count: 32)
    _ = AUParameterFormatValue(Double(value), &place, &text, pick([0, 1, 4]))
    if !text.contains(0) { complain("a text without an end") }
  }

  private var address: AudioObjectPropertyAddress {
    AudioObjectPropertyAddress(
      mSelector: pick([
        kAudioHardwarePropertyDefaultOutputDevice, kAudioDevicePropertyNominalSampleRate,
        kAudioObjectPropertySelectorWildcard, 0, .max,
      ]),
      mScope: pick([kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyScopeWildcard, .max]),
      mElement: pick([0, 1, .max]))
  }

  /// An object that is none: what devices there are is for other tests.
  private var objectID: AudioObjectID { pick([0, 999_999, .max]) }

  private func askObject() {
    var address = address
    var size: UInt32 = pick([0, 4, 8, 64])
    var bytes = [UInt8](repeating: 0, count: 64)
    _ = AudioObjectHasProperty(objectID, &address)
    _ = AudioObjectGetPropertyDataSize(objectID, &address, 0, nil, &size)
    size = min(size, 64)
    _ = AudioObjectGetPropertyData(objectID, &address, 0, nil, &size, &bytes)
    _ = AudioObjectSetPropertyData(objectID, &address, 0, nil, 4, &bytes)
  }

  private func listenToObject() {
    var address = address
    let function: AudioObjectPropertyListenerProc = { _, _, _, _ in noErr }
    guard AudioObjectAddPropertyListener(objectID, &address, function, context) == noErr else {
      return
    }
    _ = AudioObjectRemovePropertyListener(objectID, &address, function, context)
  }

  private func explain() {
    AUDiagnosticsCopyLastExplanation()?.release()
    AUDiagnosticsCopyDescription(pick([0, -50, -10_868, .min])).release()
  }
}
