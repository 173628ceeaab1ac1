// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
public import CoreAudio
public import Foundation

/// A value of a unit that may change while it sounds, with its range and unit of measure.
///
/// Created by `AUParameterTree.createParameter`.
open class AUParameter: AUParameterNode, NSSecureCoding, @unchecked Sendable {
  /// What describes it, with the range that it had at first.
  private let firstDetails: ParameterDetails
  let valueCore: ParameterCore

  /// A parameter whose value is the nearest to `value` in its range, perhaps of a unit.
  init(
    identifier: String, _ details: ParameterDetails, value: AUValue = 0,
    of implementor: (any ParameterImplementor)? = nil
  ) {
    firstDetails = details
    valueCore = ParameterCore(
      identifier: identifier, details, value: value, implementor: implementor)
    super.init(valueCore, name: details.name)
  }

  /// A parameter like this one, with its callbacks but without its observers. Addresses among
  /// `addresses` are moved by an offset, which may wrap around.
  final func copy(
    addressOffset: AUParameterAddress, of addresses: Set<AUParameterAddress>
  ) -> AUParameter {
    var details = details
    details.address &+= addressOffset
    details.dependentParameters = details.dependentParameters?.map { number in
      addresses.contains(number.uint64Value)
        ? NSNumber(value: number.uint64Value &+ addressOffset) : number
    }
    let copy = AUParameter(identifier: identifier, details, value: value)
    copy.core.takeCallbacks(of: core)
    return copy
  }

  /// What describes it.
  private final var details: ParameterDetails {
    var details = firstDetails
    (details.minimum, details.maximum) = valueCore.limits
    return details
  }

  /// Takes over the range of another description; false if more than the range differs.
  final func takeRange(of new: ParameterDetails) -> Bool {
    var details = new
    (details.minimum, details.maximum) = (firstDetails.minimum, firstDetails.maximum)
    guard details == firstDetails else { return false }
    valueCore.setLimits(new.minimum, new.maximum)
    return true
  }

  // MARK: Description

  /// The smallest value.
  open var minValue: AUValue { valueCore.limits.minimum }

  /// The largest value.
  open var maxValue: AUValue { valueCore.limits.maximum }

  /// The unit of measure.
  open var unit: AudioUnitParameterUnit { firstDetails.unit }

  /// The name of a unit of measure that is not in the list.
  open var unitName: String? { firstDetails.unitName }

  /// How a control for it should look, and what the parameter can do.
  open var flags: AudioUnitParameterOptions { firstDetails.flags }

  /// The number of the parameter, unique in its tree.
  open var address: AUParameterAddress { firstDetails.address }

  /// The names of the values, from the smallest on.
  open var valueStrings: [String]? { firstDetails.valueStrings }

  /// The addresses of the parameters that may change when this one does.
  open var dependentParameters: [NSNumber]? { firstDetails.dependentParameters }

  /// Whether other parameters change with it.
  final var isMeta: Bool {
    !flags.isDisjoint(with: [.flag_IsGlobalMeta, .flag_IsElementMeta])
      || firstDetails.dependentParameters?.isEmpty == false
  }

  // MARK: Value

  /// The value: that of the unit, if there is one, otherwise the one that was set last. [any thread]
  ///
  /// Reading it does not lock or allocate, so a render block may do so; it calls the nearest
  /// `implementorValueProvider`. A provider's number that is not finite is ignored. Setting it is
  /// `setValue(_:originator:)` without an originator.
  open var value: AUValue {
    get { valueCore.unitValue(of: self) ?? storedValue }
    set { setValue(newValue, originator: nil) }
  }

  /// The value that was set last.
  final var storedValue: AUValue { valueCore.value }

  /// Sets the value now. [any thread]
  ///
  /// The nearest value in the range is set; a number that is not finite is ignored. The unit gets it
  /// at once, on this thread; then all observers are notified, except the originator.
  open func setValue(_ value: AUValue, originator: AUParameterObserverToken?) {
    setValue(value, originator: originator, atHostTime: rt_host_time())
  }

  /// As `setValue(_:originator:)`, with the time at which a user made the change, for observers that
  /// record. [any thread]
  open func setValue(
    _ value: AUValue, originator: AUParameterObserverToken?, atHostTime hostTime: UInt64
  ) {
    setValue(value, originator: originator, atHostTime: hostTime, eventType: .value)
  }

  /// As `setValue(_:originator:)`, with the time of the change and whether a user's gesture begins or
  /// ends with it. [any thread]
  open func setValue(
    _ value: AUValue, originator: AUParameterObserverToken?, atHostTime hostTime: UInt64,
    eventType: AUParameterAutomationEventType
  ) {
    guard value.isFinite else { return }
    let event = ParameterEvent(
      value: valueCore.limited(value), hostTime: hostTime, type: eventType,
      originator: UInt(bitPattern: originator))
    let change = valueCore.beginChange()
    defer { valueCore.endChange() }
    guard valueCore.implement(event, for: self) else { return }
    valueCore.record(event)
    // Another thread may have reached the unit later and recorded its value earlier, so the unit gets the
    // value again: whoever records last also passes on last.
    var passed = valueCore.wasAlone(change) ? event.value : nil
    while passed != valueCore.value {
      var latest = event
      latest.value = valueCore.value
      latest.type = .value
      _ = valueCore.implement(latest, for: self)
      passed = latest.value
    }
  }

  /// [any thread] Takes over a value that the unit gets in its next render; the observers, except the
  /// originator, are notified by another thread. Does not lock or allocate.
  final func report(_ value: AUValue, originator: AUParameterObserverToken?) {
    valueCore.leave(
      ParameterEvent(
        value: value, hostTime: rt_host_time(), type: .value,
        originator: UInt(bitPattern: originator)))
  }

  /// The unit that has the value.
  override var implementors: [any ParameterImplementor] {
    valueCore.implementor.map { [$0] } ?? []
  }

  // MARK: Texts

  /// The text of a value, of the current one for nil. [control thread]
  @discardableResult
  open func string(fromValue value: UnsafePointer<AUValue>?) -> String {
    implementorStringFromValueCallback(self, value)
  }

  /// The value of a text; the current value if it is not a text of a value. [control thread]
  @discardableResult
  open func value(from string: String) -> AUValue {
    implementorValueFromStringCallback(self, string)
  }

  /// The text of a value without a callback.
  final func usualText(of value: AUValue) -> String {
    valueCore.implementor?.text(of: value, self) ?? details.text(of: value)
  }

  /// The value of a text without a callback.
  final func usualValue(of text: String) -> AUValue {
    valueCore.implementor?.value(of: text, self) ?? details.value(of: text) ?? value
  }

  override func usualName(_ length: Int) -> String {
    guard length >= 0, length < displayName.count,
      let name = valueCore.implementor?.name(of: self, length: length)
    else { return super.usualName(length) }
    return String(name.prefix(length))
  }

  // MARK: Key-value coding

  /// The value of a key: the name of one of the properties above.
  @discardableResult
  open override func value(forKey key: String) -> Any? {
    switch key {
    case "value": NSNumber(value: value)
    case "minValue": NSNumber(value: minValue)
    case "maxValue": NSNumber(value: maxValue)
    case "unit": NSNumber(value: unit.rawValue)
    case "unitName": unitName
    case "flags": NSNumber(value: flags.rawValue)
    case "address": NSNumber(value: address)
    case "valueStrings": valueStrings
    case "dependentParameters": dependentParameters
    default: super.value(forKey: key)
    }
  }

  /// Sets `value` to a number; ends the process for another key or no number.
  open override func setValue(_ value: Any?, forKey key: String) {
    guard key == "value", let number = KeyedNumber.of(value) else {
      return super.setValue(value, forKey: key)
    }
    self.value = number.floatValue
  }

  // MARK: Coding

  /// Archives of it are safe to read.
  open class var supportsSecureCoding: Bool { true }

  /// Writes the parameter and its value to an archive, without callbacks and observers.
  open func encode(with coder: NSCoder) {
    coder.encode(identifier, forKey: "identifier")
    details.encode(with: coder)
    coder.encode(value, forKey: "value")
  }

  /// Reads a parameter from an archive; nil if it is damaged.
  public required init?(coder: NSCoder) {
    guard let details = ParameterDetails(coder: coder),
      let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier")
    else { return nil }
    let value = coder.decodeFloat(forKey: "value")
    firstDetails = details
    valueCore = ParameterCore(identifier: identifier.description, details, value: value)
    super.init(valueCore, name: details.name)
  }
}
