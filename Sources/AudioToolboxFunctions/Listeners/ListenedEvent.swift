// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CoreAudio

/// An event that listeners can subscribe to: a change or gesture of a parameter, or a change of a
/// property.
struct ListenedEvent: Hashable, Sendable {
  let type: AudioUnitEventType
  /// The unit's handle.
  let unit: UInt
  /// The identifier of the parameter or property.
  let id: UInt32
  let scope: AudioUnitScope
  let element: AudioUnitElement

  /// The event with exactly these parts.
  init(
    _ type: AudioUnitEventType, unit: UInt, id: UInt32, scope: AudioUnitScope,
    element: AudioUnitElement
  ) {
    self.type = type
    self.unit = unit
    self.id = id
    self.scope = scope
    self.element = element
  }

  init(_ type: AudioUnitEventType, of parameter: AudioUnitParameter) {
    self.type = type
    unit = UInt(bitPattern: parameter.mAudioUnit)
    id = parameter.mParameterID
    // This stands for every parameter of every scope and element.
    let isAny = parameter.mParameterID == kAUParameterListener_AnyParameter
    scope = isAny ? kAudioUnitScope_Global : parameter.mScope
    element = isAny ? 0 : parameter.mElement
  }

  init(changeOf property: AudioUnitProperty) {
    type = .propertyChange
    unit = UInt(bitPattern: property.mAudioUnit)
    id = property.mPropertyID
    scope = property.mScope
    element = property.mElement
  }

  /// The event of a C structure.
  init(_ event: AudioUnitEvent) throws(AudioError) {
    switch event.mEventType {
    case .parameterValueChange, .beginParameterChangeGesture, .endParameterChangeGesture:
      self.init(event.mEventType, of: event.mArgument.mParameter)
    case .propertyChange:
      self.init(changeOf: event.mArgument.mProperty)
    @unknown default:
      throw .invalidArgument.because("there is no event type \(event.mEventType.rawValue)")
    }
  }

  /// Whether the event stands for every parameter of the unit.
  var isOfAnyParameter: Bool {
    type != .propertyChange && id == kAUParameterListener_AnyParameter
  }

  /// The same event for every parameter of the unit; nil for an event of a property.
  var ofAnyParameter: Self? {
    guard type != .propertyChange, let unit = AudioUnit(bitPattern: unit) else { return nil }
    return Self(
      type,
      of: AudioUnitParameter(
        mAudioUnit: unit, mParameterID: kAUParameterListener_AnyParameter,
        mScope: kAudioUnitScope_Global, mElement: 0))
  }

  /// Whether both are events of the same parameter.
  func hasSameParameter(as other: Self) -> Bool {
    type != .propertyChange && other.type != .propertyChange && unit == other.unit
      && id == other.id && scope == other.scope && element == other.element
  }

  /// The address of the parameter, as a C structure.
  var parameter: AudioUnitParameter? {
    guard let unit = AudioUnit(bitPattern: unit) else { return nil }
    return AudioUnitParameter(
      mAudioUnit: unit, mParameterID: id, mScope: scope, mElement: element)
  }

  /// The event as a C structure.
  var structure: AudioUnitEvent? {
    guard let unit = AudioUnit(bitPattern: unit), let parameter else { return nil }
    var event = AudioUnitEvent()
    event.mEventType = type
    if type == .propertyChange {
      event.mArgument.mProperty = AudioUnitProperty(
        mAudioUnit: unit, mPropertyID: id, mScope: scope, mElement: element)
    } else {
      event.mArgument.mParameter = parameter
    }
    return event
  }

  /// [any thread] The parameter's current value; nil when there is no such parameter, or its unit
  /// is gone.
  var currentValue: AudioUnitParameterValue? {
    guard !isOfAnyParameter, let handle = AudioUnit(bitPattern: unit),
      let unit = Handles.units.enter(handle)
    else { return nil }
    defer { Handles.units.leave(handle) }
    return unit._withUnsafeGuaranteedRef { unit in
      try? unit.parameter(ParameterAddress(id, scope, element))
    }
  }
}

/// An event on its way to the listeners.
struct EventReport: BitwiseCopyable, Sendable {
  var event: ListenedEvent
  /// The handle of the listener that sends it; 0 for none.
  var sender: UInt = 0
  /// The sender's object that is not notified; 0: none of its objects are.
  var senderObject: UInt = 0
  /// The host time of the event.
  var hostTime: UInt64
  /// The parameter's new value; 0 for other events.
  var value: AudioUnitParameterValue = 0
}
