// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import PlainText
import ToneModel
import UnitTexts
@_spi(TrappingConversions) import CheckedNumbers

/// A parameter of the unit in a view: its value as text and as a place on a slider, and its steps.
struct ViewedParameter {
  let unit: AudioUnit
  let about: ParameterDescription
  var scope = kAudioUnitScope_Global
  var element: AudioUnitElement = 0
  /// Whether it is shown only, and not changed.
  var isMeter: Bool { !about.isWritable }

  /// The size of a step.
  enum Step { case fine, normal, large }

  /// The value; the minimum if it cannot be read.
  var value: Float {
    var value: Float = 0
    let status = AudioUnitGetParameter(unit, about.id, scope, element, &value)
    return status == noErr && value.isFinite ? value : about.info.minValue
  }

  /// Sets a value, limited to the range; false: the unit refuses.
  @discardableResult func set(_ value: Float) -> Bool {
    let limited = min(max(value, about.info.minValue), about.info.maxValue)
    return AudioUnitSetParameter(unit, about.id, scope, element, limited, 0) == noErr
  }

  // MARK: Texts

  /// A value with its unit, or its name.
  func text(_ value: Float) -> String {
    if let name = name(of: value) { return name }
    if about.info.unit == .boolean { return value >= 0.5 ? "on" : "off" }
    if let text = ownText(value) { return text }
    let symbol =
      about.unitName ?? (isNumbered ? "" : CodeNames.unit(about.info.unit))
    return Self.number(value) + (symbol.isEmpty ? "" : " \(symbol)")
  }

  /// Whether the values are whole numbers without names.
  var isNumbered: Bool { about.info.unit == .indexed }
  /// Whether the values are steps, of which each is a choice.
  var isChoice: Bool { isNumbered || about.info.unit == .boolean || !about.valueNames.isEmpty }

  private func name(of value: Float) -> String? {
    let index = Int(saturating: Double(value - about.info.minValue).rounded())
    return about.valueNames.indices.contains(index) ? about.valueNames[index] : nil
  }

  /// The text that only the unit knows.
  private func ownText(_ value: Float) -> String? {
    guard about.info.flags.contains(.flag_ValuesHaveStrings) else { return nil }
    return withUnsafePointer(to: value) { value in
      let query = AudioUnitParameterStringFromValue(
        inParamID: about.id, inValue: value, outString: nil)
      let found = unit.value(
        kAudioUnitProperty_ParameterStringFromValue, scope, element, over: query)?.outString
      return found.map { String(describing: $0.takeRetainedValue()) }
    }
  }

  /// A number with about four digits.
  static func number(_ value: Float) -> String {
    let size = abs(value)
    if size >= 1_000 || value == value.rounded() { return Numbers.short(Double(value), digits: 0) }
    return Numbers.short(Double(value), digits: size >= 100 ? 1 : size >= 10 ? 2 : 3)
  }

  // MARK: Slider

  private var isLogarithmic: Bool {
    let isMarked =
      about.info.flags.contains(.flag_DisplayLogarithmic) || about.info.unit == .hertz
    return isMarked && about.info.minValue > 0 && about.info.maxValue > about.info.minValue
  }

  /// The place of a value, from 0 to 1.
  func place(_ value: Float) -> Double {
    let (low, high) = (Double(about.info.minValue), Double(about.info.maxValue))
    guard high > low else { return 0 }
    let limited = min(max(Double(value), low), high)
    return isLogarithmic ? log(limited / low) / log(high / low) : (limited - low) / (high - low)
  }

  /// The value at a place from 0 to 1.
  func value(at place: Double) -> Float {
    let (low, high) = (Double(about.info.minValue), Double(about.info.maxValue))
    let place = min(max(place, 0), 1)
    return Float(isLogarithmic ? low * pow(high / low, place) : low + place * (high - low))
  }

  /// Sets the value that somebody types.
  /// - Throws: What the unit expects, or that it refuses the value.
  func type(_ text: String) throws(Failure) {
    guard let value = about.value(of: text), about.info.minValue <= value,
      value <= about.info.maxValue
    else { throw Failure("\(Excerpt.quoted(text)): expected \(about.expectation)") }
    if !set(value) { throw Failure("the unit refuses \(Excerpt.quoted(text))") }
  }

  /// Changes the value by a step up or down; choices go to the next one.
  func step(_ direction: Int, _ step: Step) {
    if isChoice {
      let change = step == .large ? 10 : 1
      set(value.rounded() + Float(direction * change))
      return
    }
    let change =
      switch step {
      case .fine: 0.001
      case .normal: 0.01
      case .large: 0.1
      }
    set(value(at: place(value) + Double(direction) * change))
  }
}
