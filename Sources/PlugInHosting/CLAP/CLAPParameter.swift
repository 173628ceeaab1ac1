// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CPlugIns

/// Describes a parameter of a CLAP plug-in. What its values mean is in their texts only.
struct CLAPParameter {
  /// Nil if the plug-in does not describe it.
  private(set) var description: PlugInParameter?

  /// Ranges with more steps have no list of names.
  private static let mostNames = 128

  private let instance: OpaquePointer
  private let index: Int
  private var info = CLAPParamInfo()

  /// [main thread of plug-ins] Reads a parameter of an instance.
  init(_ instance: OpaquePointer, _ index: Int) {
    self.instance = instance
    self.index = index
    guard clap_parameter(instance, UInt32(index), &info) else { return }
    var parameter = PlugInParameter(
      info.id, port: index, name: CLAPText.of(array: info.name) ?? "parameter \(index)")
    let (low, high) = (Self.number(info.min_value), Self.number(info.max_value))
    (parameter.minimum, parameter.maximum) = (min(low, high), max(low, high))
    parameter.defaultValue = min(
      max(Self.number(info.default_value), parameter.minimum), parameter.maximum)
    parameter.isInteger = has(CLAPParamIsStepped) || has(CLAPParamIsEnum)
    parameter.isReadOnly = has(CLAPParamIsReadOnly)
    parameter.isHidden = has(CLAPParamIsHidden)
    parameter.isNotForRenders = !parameter.isReadOnly && !has(CLAPParamIsAutomatable)
    parameter.group = CLAPText.of(array: info.module)?.split(separator: "/").first.map(String.init)
    if has(CLAPParamIsBypass), !parameter.isReadOnly { parameter.purpose = .bypass }
    if parameter.isInteger { nameSteps(&parameter) } else { findUnit(&parameter) }
    description = parameter
  }

  private func has(_ flag: CLAPParamFlags) -> Bool { info.flags & UInt32(flag.rawValue) != 0 }

  /// A finite single-precision number.
  private static func number(_ value: Double) -> Float {
    value.isNaN ? 0 : Float(min(max(value, -1e30), 1e30))
  }

  private func text(_ value: Double) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { memory in
      guard let text = memory.baseAddress, clap_text(instance, UInt32(index), value, text, 256)
      else {
        return nil
      }
      return CLAPText.of(text)
    }
  }

  private static let switchWords: Set<String> = [
    "on", "off", "0", "1", "true", "false", "yes", "no", "enabled", "disabled",
  ]

  /// A switch, a list of names, or integers.
  private func nameSteps(_ parameter: inout PlugInParameter) {
    (parameter.minimum, parameter.maximum) = (
      parameter.minimum.rounded(), parameter.maximum.rounded()
    )
    parameter.defaultValue = parameter.defaultValue.rounded()
    let count = parameter.maximum - parameter.minimum + 1
    guard count <= Float(Self.mostNames) else { return findUnit(&parameter) }
    let points = (0..<Int(count)).compactMap { step -> PlugInParameter.Point? in
      let value = parameter.minimum + Float(step)
      return text(Double(value)).map { PlugInParameter.Point(value: value, name: $0) }
    }
    let isSwitch = points.allSatisfy { Self.switchWords.contains($0.name.lowercased()) }
    if parameter.minimum == 0, parameter.maximum == 1, isSwitch {
      parameter.unit = AudioUnitParameterUnit.boolean.rawValue
    } else if points.allSatisfy({ Self.measured($0.name)?.number == Double($0.value) }) {
      findUnit(&parameter)
    } else if Set(points.map(\.name)).count == points.count {
      parameter.points = points
    } else {
      parameter.hasTexts = true
    }
  }

  /// The unit of measure, if the texts are the values with a unit.
  private func findUnit(_ parameter: inout PlugInParameter) {
    let values = [info.min_value, info.max_value, info.default_value]
    let texts = values.compactMap { value in text(value).map { (value, Self.measured($0)) } }
    guard !texts.isEmpty else { return }
    let isPlain = texts.allSatisfy { value, text in
      guard let text else { return false }
      return (text.number - value).magnitude <= max(0.011 * value.magnitude, 0.051)
    }
    let names = Set(texts.compactMap { $0.1?.unit })
    guard isPlain, names.count == 1, let name = names.first else {
      parameter.hasTexts = true
      return
    }
    guard !name.isEmpty else { return }
    if let known = MeasuredName.units[name.lowercased()] {
      (parameter.unit, parameter.unitName) = (known.unit.rawValue, known.name)
    } else {
      (parameter.unit, parameter.unitName) = (AudioUnitParameterUnit.customUnit.rawValue, name)
    }
  }

  /// A text such as "-6.0 dB" as a number and a unit; nil if it does not begin with a number.
  private static func measured(_ text: String) -> (number: Double, unit: String)? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || "+-.".contains($0)) }
    guard let number = Double(digits) else { return nil }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    return (number, String(unit))
  }
}
