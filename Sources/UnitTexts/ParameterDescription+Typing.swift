// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import PlainText

// Parameter values as people type them, on a command line or in the description of a graph.
extension ParameterDescription {
  /// [any thread] The value of a text: the name of a value, "on" or "off" for a switch, or a number
  /// with or without its unit, such as "A4", "1k", "-6dB" or "250ms". The value may be out of
  /// range; nil if the text is not a value.
  package func value(of text: String) -> AudioUnitParameterValue? {
    if let value = value(named: text) { return value }
    if info.unit == .boolean, let isOn = Self.switches[NameKey.of(text)] { return isOn ? 1 : 0 }
    return quantity.value(of: text).map { Float($0) }.flatMap { $0.isFinite ? $0 : nil }
  }

  /// [any thread] The value with this name; nil if there is none.
  package func value(named name: String) -> AudioUnitParameterValue? {
    let key = NameKey.of(name)
    return valueNames.firstIndex { NameKey.of($0) == key }.map { info.minValue + Float($0) }
  }

  /// [any thread] The expected input: "a number from 10 to 22050, such as 440, A4 or 1k".
  package var expectation: String {
    let number =
      "a number from \(Self.plain(info.minValue)) to \(Self.plain(info.maxValue)), such as "
      + quantity.examples
    if info.unit == .boolean { return number + ", or on or off" }
    return valueNames.isEmpty ? number : number + ", or one of " + Excerpt.list(valueNames)
  }

  private static let switches = ["on": true, "off": false]

  /// The kind of number to type for it.
  private var quantity: Quantity {
    switch info.unit {
    case .hertz: .frequency()
    case .decibels: .decibels
    case .linearGain: .gain
    case .seconds: .seconds
    case .milliseconds: .milliseconds
    case .percent, .equalPowerCrossfade: .percent
    case .degrees: .degrees
    default: .number
    }
  }

  /// A number without a meaningless fraction.
  private static func plain(_ number: Float) -> String {
    number == number.rounded() && abs(number) < 1e9 ? "\(Int(number))" : "\(number)"
  }
}
