// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolboxFunctions
import AudioUnitCore
import CRealTime
import CoreAudio
import Dispatch
import Synchronization

/// The parameters of a C unit as its tree uses them.
///
/// Values are read from the unit and set in it. While the tree has observers, a listener of the C
/// interface reports what others change: programs that call `AUParameterSet` or
/// `AUEventListenerNotify`, and other trees of the unit.
final class UnitParameters: ParameterImplementor, @unchecked Sendable {
  /// Does not keep the core alive, which keeps this object alive.
  private struct Place {
    weak var core: ParameterCore?
    var isMeta: Bool
  }

  // A handle, which may be used from any thread, and after the unit was disposed of.
  let handle: AudioUnit
  private let observerCount = Guarded(0)
  /// The bits of the listener, which is also the sender of the changes that the tree makes, so that
  /// it does not report them; 0 without observers.
  private let listenerBits = Atomic<UInt>(0)
  /// The parameters of the tree.
  private let places = Guarded<[AUParameterAddress: Place]>([:])

  init(_ handle: AudioUnit) { self.handle = handle }

  deinit { if let listener { AUListenerDispose(listener) } }

  /// [control thread] From now on the tree has these parameters.
  func connect(_ parameters: some Sequence<AUParameter>) {
    var new: [AUParameterAddress: Place] = [:]
    for parameter in parameters {
      new[parameter.address] = Place(core: parameter.valueCore, isMeta: parameter.isMeta)
    }
    places.withLock { $0 = new }
  }

  private func structure(_ address: AUParameterAddress) -> AudioUnitParameter {
    let place = address.unitParameter
    return AudioUnitParameter(
      mAudioUnit: handle, mParameterID: place.id, mScope: place.scope, mElement: place.element)
  }

  private func value(at address: AUParameterAddress) -> AUValue? {
    let place = address.unitParameter
    var value: AUValue = 0
    let status = AudioUnitGetParameter(handle, place.id, place.scope, place.element, &value)
    return status == noErr ? value : nil
  }

  // MARK: Values

  func value(of parameter: AUParameter) -> AUValue? { value(at: parameter.address) }

  func apply(_ event: ParameterEvent, to parameter: AUParameter) -> Bool {
    let address = parameter.address
    switch event.type {
    case .touch:
      notify(.beginParameterChangeGesture, of: address)
      return value(at: address) == event.value || set(event.value, parameter)
    case .release:
      let isSet = value(at: address) == event.value || set(event.value, parameter)
      notify(.endParameterChangeGesture, of: address)
      return isSet
    default: return set(event.value, parameter)
    }
  }

  private func set(_ value: AUValue, _ parameter: AUParameter) -> Bool {
    var place = structure(parameter.address)
    let sender = listener
    var status = AUParameterSet(sender, nil, &place, value, 0)
    // The last observer may have been removed meanwhile, and the listener disposed of.
    if status != noErr, sender != nil { status = AUParameterSet(nil, nil, &place, value, 0) }
    guard status == noErr else { return false }
    if parameter.isMeta { reportChanges(except: parameter.address) }
    return true
  }

  private func notify(_ type: AudioUnitEventType, of address: AUParameterAddress) {
    var event = AudioUnitEvent()
    event.mEventType = type
    event.mArgument.mParameter = structure(address)
    let sender = listener
    let status = AUEventListenerNotify(sender, nil, &event)
    if status != noErr, sender != nil { AUEventListenerNotify(nil, nil, &event) }
  }

  private var listener: AUEventListenerRef? {
    AUEventListenerRef(bitPattern: listenerBits.load(ordering: .acquiring))
  }

  // MARK: Changes by others

  func observersChanged(by count: Int) {
    let ended = observerCount.withLock { observers -> AUEventListenerRef? in
      observers += count
      let old = listener
      if observers > 0, old == nil {
        listenerBits.store(UInt(bitPattern: makeListener()), ordering: .releasing)
      } else if observers <= 0, old != nil {
        listenerBits.store(0, ordering: .releasing)
        return old
      }
      return nil
    }
    if let ended { AUListenerDispose(ended) }
  }

  private func makeListener() -> AUEventListenerRef? {
    var listener: AUEventListenerRef?
    AUEventListenerCreateWithDispatchQueue(
      &listener, 0, 0, DispatchQueue(label: "audio-parameters")
    ) {
      [weak self] _, event, hostTime, value in
      self?.receive(event.pointee, value, at: hostTime)
    }
    guard let listener else { return nil }
    for type in [
      AudioUnitEventType.parameterValueChange, .beginParameterChangeGesture,
      .endParameterChangeGesture,
    ] {
      var event = AudioUnitEvent()
      event.mEventType = type
      event.mArgument.mParameter = AudioUnitParameter(
        mAudioUnit: handle, mParameterID: kAUParameterListener_AnyParameter, mScope: 0, mElement: 0)
      AUEventListenerAddEventType(listener, nil, &event)
    }
    return listener
  }

  private func receive(_ event: AudioUnitEvent, _ value: AUValue, at hostTime: UInt64) {
    let parameter = event.mArgument.mParameter
    guard parameter.mParameterID != kAUParameterListener_AnyParameter else {
      return reportChanges()
    }
    guard
      let address = AUParameterAddress(
        parameter.mParameterID, parameter.mScope, parameter.mElement),
      let place = places.withLock({ $0[address] }), let core = place.core
    else { return }
    let current = self.value(at: address) ?? core.value
    var change = ParameterEvent(value: current, hostTime: hostTime, type: .value, originator: 0)
    switch event.mEventType {
    case .beginParameterChangeGesture: change.type = .touch
    case .endParameterChangeGesture: change.type = .release
    default: change.value = value.isFinite ? value : current
    }
    core.record(change, storing: current)
    if place.isMeta, change.type == .value { reportChanges(except: address) }
  }

  /// Reports all parameters whose values in the unit are not those that the tree knows.
  private func reportChanges(except address: AUParameterAddress? = nil) {
    let now = rt_host_time()
    for (other, place) in places.withLock({ $0 }) where other != address {
      guard let core = place.core, let value = value(at: other), value.isFinite,
        value != core.value
      else { continue }
      core.record(ParameterEvent(value: value, hostTime: now, type: .value, originator: 0))
    }
  }

  // MARK: Texts

  func text(of value: AUValue, _ parameter: AUParameter) -> String? {
    let place = parameter.address.unitParameter
    return UnitInstance.use(handle) { $0.text(of: value, place) }
  }

  func value(of text: String, _ parameter: AUParameter) -> AUValue? {
    let place = parameter.address.unitParameter
    let value = UnitInstance.use(handle) { $0.value(of: text, place) }
    return value?.isFinite == true ? value : nil
  }

  func name(of parameter: AUParameter, length: Int) -> String? {
    let place = parameter.address.unitParameter
    return UnitInstance.use(handle) { $0.parameterName(place, length: length) }
  }
}
