// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CoreAudio
import Foundation

/// What does not change about a parameter.
struct ParameterDetails: Equatable {
  var name: String
  var address: AUParameterAddress
  var minimum: AUValue
  var maximum: AUValue
  var unit: AudioUnitParameterUnit
  var unitName: String?
  var flags: AudioUnitParameterOptions
  var valueStrings: [String]?
  var dependentParameters: [NSNumber]?

  /// The nearest value in the range; the value itself if there is no range.
  func limited(_ value: AUValue) -> AUValue {
    minimum <= maximum ? min(max(value, minimum), maximum) : value
  }

  /// The text of a value: its name if it has one, otherwise the number.
  func text(of value: AUValue) -> String {
    if let names = valueStrings, let index = Int(exactly: (value - minimum).rounded()),
      names.indices.contains(index)
    {
      return names[index]
    }
    return value.plainText
  }

  /// The value with this name, or the number at the start of the text; nil if it is neither.
  func value(of text: String) -> AUValue? {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if let index = valueStrings?.firstIndex(of: text) { return minimum + AUValue(index) }
    let number = text.prefix { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }
    guard let value = AUValue(text) ?? AUValue(number), value.isFinite else { return nil }
    return limited(value)
  }
}
