// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Foundation

// Parameter and event listeners, audio objects, explanations.
extension RandomProgram {
  static let otherCalls: [Call] = [
    ("AUListenerCreate", { $0.makeListener() }),
    ("AUListenerDispose", { $0.disposeListener() }),
    ("AUListenerAddParameter", { $0.listen() }),
    ("AUEventListenerAddEventType", { $0.listenToEvent() }),
    ("AUParameterSet", { $0.setByListener() }),
    ("AUParameterListenerNotify", { $0.notify() }),
    ("AUParameterValueToLinear", { $0.scale() }),
    ("AudioObjectGetPropertyData", { $0.queryObject() }),
    ("AudioObjectAddPropertyListener", { $0.listenToObject() }),
    ("AUDiagnosticsCopyLastExplanation", { $0.explain() }),
  ]

  private func makeListener() {
    guard listeners.count < 4 else { return disposeListener() }
    var listener: AUParameterListenerRef?
    let (loop, mode): (UnsafeRawPointer?, UnsafeRawPointer?) = (
      isOne(in: 6) ? UnsafeRawPointer(bitPattern: object) : nil,
      isOne(in: 6) ? UnsafeRawPointer(bitPattern: object) : nil
    )
    let interval = pick([0, 0, 0.01, -1, 1e30, .nan] as [Float])
    let status =
      isOne(in: 2)
      ? _AUListenerCreate(
        { context, _, _, _ in RandomProgram.parameterChanged(context) }, context, loop, mode,
        interval, &listener)
      : _AUEventListenerCreate(
        { context, _, _, _, _ in RandomProgram.parameterChanged(context) }, context, loop, mode,
        interval, number, &listener)
    if status == noErr, let listener { listeners.append(listener) }
  }

  private static func parameterChanged(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    let address = UInt(bitPattern: context)
    guard let unit = AudioUnit(bitPattern: address) else { return }
    propertyChanged(context, unit, 0, 0, 0)
  }

  private func disposeListener() {
    guard !listeners.isEmpty else { return }
    let listener = listeners.remove(at: Int(next() % UInt64(listeners.count)))
    if AUListenerDispose(listener) != noErr { complain("dispose of a listener was refused") }
    if AUListenerDispose(listener) == noErr { complain("a listener was disposed of twice") }
    disposedListeners.append(listener)
  }

  private var randomParameter: AudioUnitParameter {
    AudioUnitParameter(
      mAudioUnit: unit, mParameterID: isOne(in: 6) ? kAUParameterListener_AnyParameter : parameter,
      mScope: scope, mElement: element)
  }

  private func listen() {
    var randomParameter = randomParameter
    _ = AUListenerAddParameter(listener, context, &randomParameter)
    if isOne(in: 2) { _ = AUListenerRemoveParameter(listener, context, &randomParameter) }
  }

  private func listenToEvent() {
    var event = AudioUnitEvent()
    let type = AudioUnitEventType(rawValue: pick([0, 1, 2, 3, 4, .max]))
    if let type { event.mEventType = type }
    if event.mEventType == .propertyChange {
      event.mArgument.mProperty = AudioUnitProperty(
        mAudioUnit: unit, mPropertyID: property, mScope: scope, mElement: element)
    } else {
      event.mArgument.mParameter = randomParameter
    }
    _ = AUEventListenerAddEventType(listener, context, &event)
    _ = AUEventListenerNotify(isOne(in: 2) ? nil : listener, nil, &event)
    if isOne(in: 2) { _ = AUEventListenerRemoveEventType(listener, context, &event) }
  }

  private func setByListener() {
    var randomParameter = randomParameter
    _ = AUParameterSet(
      isOne(in: 2) ? nil : listener, nil, &randomParameter, number, pick([0, 1, .max]))
  }

  private func notify() {
    var randomParameter = randomParameter
    _ = AUParameterListenerNotify(isOne(in: 2) ? nil : listener, nil, &randomParameter)
  }

  private func scale() {
    var randomParameter = randomParameter
    let linear = AUParameterValueToLinear(number, &randomParameter)
    let value = AUParameterValueFromLinear(linear, &randomParameter)
    var text = [CChar](repeating: 0, count: 32)
    _ = AUParameterFormatValue(Double(value), &randomParameter, &text, pick([0, 1, 4]))
    if !text.contains(0) { complain("a text without a terminator") }
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

  /// An object that does not exist: other tests use the real devices.
  private var objectID: AudioObjectID { pick([0, 999_999, .max]) }

  private func queryObject() {
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
    AUDiagnosticsCopyReason(pick([0, -50, -10_868, .min])).release()
    var code: OSStatus = 0
    var (name, meaning): (Unmanaged<CFString>?, Unmanaged<CFString>?)
    let index = pick([0, 1, AUDiagnosticsGetStatusCount(), .max])
    _ = AUDiagnosticsCopyStatusAtIndex(index, &code, &name, &meaning)
    name?.release()
    meaning?.release()
    var (property, flags) = (AudioUnitPropertyID(0), UInt32(0))
    var type: Unmanaged<CFString>?
    name = nil
    let described = pick([nil, unit] as [AudioUnit?])
    let place = pick([0, 1, AUDiagnosticsGetPropertyCount(), .max])
    _ = AUDiagnosticsCopyPropertyAtIndex(described, place, &property, &flags, &name, &type)
    name?.release()
    type?.release()
    _ = AUDevicesSetPreferences(pick([-1, .infinity, .nan]), pick([0, .max]))
    _ = AUDevicesRemoveListener({ _ in }, nil)
    AUDevicesCopyBackEnds(pick(["null", "no such back end"]) as CFString).release()
    AUAggregateDevicesCopyDescriptions().release()
    _ = AUAggregateDevicesDestroy("no such device" as CFString)
  }
}
