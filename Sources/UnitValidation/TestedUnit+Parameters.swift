// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// A parameter of a tested unit.
struct TestedParameter {
  let tested: TestedUnit
  let id: AudioUnitParameterID
  let scope: AudioUnitScope
  var element: AudioUnitElement = 0
  let info: AudioUnitParameterInfo

  /// Its name in messages.
  var title: String { "parameter \(id) (\(name)) of the \(scopeName(scope)) scope" }

  var name: String {
    info.cfNameString.map { String(describing: $0.takeUnretainedValue()) } ?? ""
  }

  var isReadable: Bool { info.flags.contains(.flag_IsReadable) }
  var isWritable: Bool { info.flags.contains(.flag_IsWritable) }
  /// Whether it can be set and read, and setting it does not change others.
  var isPlain: Bool { isReadable && isWritable && !info.flags.contains(.flag_IsGlobalMeta) }
  var range: ClosedRange<Float> {
    min(info.minValue, info.maxValue)...max(info.minValue, info.maxValue)
  }

  /// The current value.
  func value() throws -> Float {
    var value = Float.nan
    try expect(
      AudioUnitGetParameter(tested.unit, id, scope, element, &value), "reading \(title)")
    return value
  }

  func set(_ value: Float, at offset: UInt32 = 0) -> OSStatus {
    AudioUnitSetParameter(tested.unit, id, scope, element, value, offset)
  }

  /// Values at the ends of the range and between them, rounded for parameters with steps.
  var testValues: [Float] {
    let values = [
      range.lowerBound, range.upperBound,
      range.lowerBound + (range.upperBound - range.lowerBound) / 4,
    ]
    return isStepped ? values.map { $0.rounded() } : values
  }

  var isStepped: Bool { info.unit == .indexed || info.unit == .boolean }

  /// Whether two values are equal within the parameter's precision.
  func equals(_ one: Float, _ other: Float) -> Bool {
    abs(one - other) <= max(1e-6, 1e-5 * (range.upperBound - range.lowerBound))
  }
}

extension TestedUnit {
  /// The parameters of element 0 in all scopes.
  func parameters() throws -> [TestedParameter] {
    var all: [TestedParameter] = []
    for scope in [kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output] {
      for id in list(kAudioUnitProperty_ParameterList, of: AudioUnitParameterID(0), scope) ?? [] {
        // The element of this property's address is the parameter.
        guard
          let info = property(
            kAudioUnitProperty_ParameterInfo, over: AudioUnitParameterInfo(), scope, id)
        else {
          throw Fault("parameter \(id) of the \(scopeName(scope)) scope has no ParameterInfo")
        }
        all.append(TestedParameter(tested: self, id: id, scope: scope, info: info))
      }
    }
    return all
  }

  /// The parameters that match; skips the check if there are none.
  func someParameters(where matches: (TestedParameter) -> Bool = { _ in true }) throws
    -> [TestedParameter]
  {
    let parameters = try parameters().filter(matches)
    if parameters.isEmpty { throw Skip("it has no such parameters") }
    return parameters
  }

  /// The values of all plain parameters, in the order of `parameters`.
  func plainValues() throws -> [Float] { try parameters().filter(\.isPlain).map { try $0.value() } }
}
