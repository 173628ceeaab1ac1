// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CPlugIns
import Glibc

/// Describes a type of LADSPA plug-in.
struct LADSPADescribing {
  private(set) var description: PlugInDescription
  private let type: UnsafePointer<LADSPADescriptor>

  /// More ports are a fault.
  private static let highestPortCount = 16_384

  /// [control thread] Reads the descriptor of a plug-in in the library at `path`.
  init(_ type: UnsafePointer<LADSPADescriptor>, _ path: String) {
    self.type = type
    let label = Self.text(type.pointee.label)
    description = PlugInDescription(
      .ladspa, "\(Self.libraryName(of: path)):\(label)", path: path,
      name: Self.text(type.pointee.name, or: label), maker: Self.maker(type.pointee.maker))
    if label.isEmpty { refuse("it has no label") }
    if type.pointee.instantiate == nil || type.pointee.connect_port == nil
      || type.pointee.run == nil
    {
      refuse("it lacks a function that every plug-in has")
    }
    let properties = Int(type.pointee.properties)
    if properties & Int(LADSPAHardRealTimeCapable.rawValue) != 0 {
      description.features.append("hardRTCapable")
    }
    if type.pointee.port_count > Self.highestPortCount {
      refuse("it has \(type.pointee.port_count) ports")
    } else if type.pointee.port_count > 0, type.pointee.port_descriptors == nil {
      refuse("it does not describe its ports")
    } else {
      readPorts()
    }
  }

  private mutating func refuse(_ reason: String) { description.refusals.append(reason) }

  private mutating func readPorts() {
    var (inputs, outputs): ([Int], [Int]) = ([], [])
    for port in 0..<Int(type.pointee.port_count) {
      let kind = Int(type.pointee.port_descriptors?[port] ?? 0)
      func has(_ bit: LADSPAPort) -> Bool { kind & Int(bit.rawValue) != 0 }
      let isInput = has(LADSPAPortInput)
      guard isInput != has(LADSPAPortOutput), has(LADSPAPortAudio) != has(LADSPAPortControl) else {
        refuse("its port \(port) is neither for sound nor for control, or has no direction")
        continue
      }
      if has(LADSPAPortAudio) {
        if isInput { inputs.append(port) } else { outputs.append(port) }
      } else {
        description.parameters.append(parameter(port, isReadOnly: !isInput))
      }
    }
    (description.inputs, description.outputs) = PlugInBus.split(inputs, outputs)
  }

  private func parameter(_ port: Int, isReadOnly: Bool) -> PlugInParameter {
    let (name, unit) = MeasuredName.split(
      Self.text(type.pointee.port_names?[port], or: "port \(port)"))
    var parameter = PlugInParameter(UInt32(port), port: port, name: name)
    (parameter.unit, parameter.unitName) = (unit?.unit.rawValue ?? 0, unit?.name)
    parameter.isReadOnly = isReadOnly
    if isReadOnly, name == "latency" || name == "_latency" { parameter.purpose = .latency }
    var hint = LADSPARangeHint()
    if let hints = type.pointee.port_range_hints { hint = hints[port] }
    LADSPARange(hint).apply(to: &parameter)
    return parameter
  }

  /// The name of a library without its folder and its version, for identifiers, where a colon ends it.
  private static func libraryName(of path: String) -> String {
    let file = (path.split(separator: "/").last.map(String.init) ?? path)
      .replacing(":", with: "_")
    guard let end = file.firstRange(of: ".so") else { return file }
    return String(file[..<end.lowerBound])
  }

  /// A text of a plug-in, which may be absent or not UTF-8.
  static func text(_ text: UnsafePointer<CChar>?, or other: String = "") -> String {
    guard let text, text.pointee != 0 else { return other }
    let words = String(cString: text).split(whereSeparator: \.isNewline)
    return words.joined(separator: " ")
  }

  /// The name of the maker without the address that often follows it.
  private static func maker(_ text: UnsafePointer<CChar>?) -> String {
    let whole = self.text(text)
    let name = whole.prefix { $0 != "<" && $0 != "(" }
    let end = name.lastIndex { $0 != " " }
    return end.map { String(name[...$0]) } ?? whole
  }
}

/// The range and the default of a LADSPA control.
struct LADSPARange {
  private let hint: LADSPARangeHint

  init(_ hint: LADSPARangeHint) { self.hint = hint }

  private func has(_ bit: LADSPAHint) -> Bool { Int(hint.descriptor) & Int(bit.rawValue) != 0 }

  /// Sets range, default and kind of a parameter.
  func apply(to parameter: inout PlugInParameter) {
    guard !has(LADSPAHintToggled) else {
      parameter.unit = AudioUnitParameterUnit.boolean.rawValue
      parameter.defaultValue = isOn ? 1 : 0
      return
    }
    var lower = has(LADSPAHintBoundedBelow) ? finite(hint.lower_bound) : nil
    var upper = has(LADSPAHintBoundedAbove) ? finite(hint.upper_bound) : nil
    if let low = lower, let high = upper, low > high { (lower, upper) = (high, low) }
    parameter.isInRates = has(LADSPAHintSampleRate) && (lower != nil || upper != nil)
    let fixed = fixedDefault
    (parameter.acceptsBelow, parameter.acceptsAbove) = (lower == nil, upper == nil)
    let low = lower ?? min(0, upper.map { $0 - 1 } ?? 0, parameter.isInRates ? 0 : fixed ?? 0)
    let high = upper ?? max(1, low + 1, parameter.isInRates ? 1 : fixed ?? 1)
    (parameter.minimum, parameter.maximum) = (low, high)
    parameter.isLogarithmic = has(LADSPAHintLogarithmic) && low > 0
    parameter.isInteger = has(LADSPAHintInteger)
    if let fixed {
      parameter.defaultValue = fixed
    } else {
      parameter.defaultIsInRates = parameter.isInRates
      parameter.defaultValue = relativeDefault(low, high)
    }
    if parameter.isInteger, !parameter.defaultIsInRates {
      parameter.defaultValue = parameter.defaultValue.rounded()
    }
  }

  private func finite(_ bound: Float) -> Float? { bound.isFinite ? bound : nil }

  private var defaultBits: Int { Int(hint.descriptor) & Int(LADSPAHintDefaultMask.rawValue) }

  /// A default that does not depend on the bounds.
  private var fixedDefault: Float? {
    switch defaultBits {
    case Int(LADSPAHintDefault0.rawValue): 0
    case Int(LADSPAHintDefault1.rawValue): 1
    case Int(LADSPAHintDefault100.rawValue): 100
    case Int(LADSPAHintDefault440.rawValue): 440
    default: nil
    }
  }

  /// A default between the bounds; without one, the value closest to 0.
  private func relativeDefault(_ low: Float, _ high: Float) -> Float {
    switch defaultBits {
    case Int(LADSPAHintDefaultMinimum.rawValue): low
    case Int(LADSPAHintDefaultLow.rawValue): between(low, high, 0.25)
    case Int(LADSPAHintDefaultMiddle.rawValue): between(low, high, 0.5)
    case Int(LADSPAHintDefaultHigh.rawValue): between(low, high, 0.75)
    case Int(LADSPAHintDefaultMaximum.rawValue): high
    default: min(max(0, low), high)
    }
  }

  private func between(_ low: Float, _ high: Float, _ part: Double) -> Float {
    let (low, high) = (Double(low), Double(high))
    guard has(LADSPAHintLogarithmic), low > 0, high > 0 else {
      return Float(low * (1 - part) + high * part)
    }
    return Float(exp(log(low) * (1 - part) + log(high) * part))
  }

  /// Whether a toggle is on by default.
  private var isOn: Bool {
    switch defaultBits {
    case Int(LADSPAHintDefault1.rawValue), Int(LADSPAHintDefaultMaximum.rawValue),
      Int(LADSPAHintDefault100.rawValue), Int(LADSPAHintDefault440.rawValue),
      Int(LADSPAHintDefaultHigh.rawValue):
      true
    default: false
    }
  }
}
