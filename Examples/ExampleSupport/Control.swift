// SPDX-License-Identifier: Apache-2.0
public import AVFoundation

/// A parameter of a unit, with its properties for a user interface.
///
/// Parameters may be read and set on any thread.
public struct Control: @unchecked Sendable {
  public let name: String
  public let range: ClosedRange<Float>
  /// Its unit of measure, as written after a number.
  public let measure: String
  public let isWritable: Bool
  public let parameter: AudioUnitParameter

  /// Reads the properties of a parameter in a scope and element.
  public init(
    _ unit: AudioUnit, _ id: AudioUnitParameterID, _ scope: AudioUnitScope,
    _ element: AudioUnitElement
  ) throws {
    parameter = AudioUnitParameter(
      mAudioUnit: unit, mParameterID: id, mScope: scope, mElement: element)
    var info = AudioUnitParameterInfo()
    var size = UInt32(MemoryLayout.size(ofValue: info))
    // The element of this property is the parameter's identifier.
    try check(
      AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterInfo, scope, id, &info, &size))
    // Some names must be released by the caller.
    let isOurs = info.flags.contains(.flag_CFNameRelease)
    name =
      info.cfNameString.map {
        String(describing: isOurs ? $0.takeRetainedValue() : $0.takeUnretainedValue())
      } ?? "parameter \(id)"
    range = info.minValue...info.maxValue
    isWritable = info.flags.contains(.flag_IsWritable)
    measure =
      switch info.unit {
      case .hertz: " Hz"
      case .decibels: " dB"
      case .seconds: " s"
      default: ""
      }
  }

  /// The parameters of a scope and element that can be set.
  public static func all(
    of unit: AudioUnit, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) throws -> [Control] {
    var size = UInt32(0)
    try check(
      AudioUnitGetPropertyInfo(
        unit, kAudioUnitProperty_ParameterList, scope, element, &size, nil))
    var list = [AudioUnitParameterID](
      repeating: 0, count: Int(size) / MemoryLayout<AudioUnitParameterID>.size)
    try check(
      AudioUnitGetProperty(
        unit, kAudioUnitProperty_ParameterList, scope, element, &list, &size))
    return try list.map { try Control(unit, $0, scope, element) }.filter(\.isWritable)
  }

  /// The current value.
  public func value() throws -> Float {
    var value = Float(0)
    try check(
      AudioUnitGetParameter(
        parameter.mAudioUnit, parameter.mParameterID, parameter.mScope, parameter.mElement, &value))
    return value
  }

  /// Sets the value and notifies listeners, which `AudioUnitSetParameter` alone does not do.
  public func set(_ value: Float) throws {
    try checkRange(value)
    var parameter = parameter
    try check(AUParameterSet(nil, nil, &parameter, value, 0))
  }

  /// Throws unless a value is within the range.
  public func checkRange(_ value: Float) throws {
    guard range.contains(value) else {
      throw Failure("\(name) is \(value): expected a number \(limits)")
    }
  }

  /// A value as text, with a useful number of digits.
  public func text(_ value: Float) -> String {
    var parameter = parameter
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
      buffer.baseAddress.map {
        String(cString: AUParameterFormatValue(Double(value), &parameter, $0, 3))
      } ?? ""
    }
    return text + measure
  }

  /// The range as text.
  public var limits: String { "from \(text(range.lowerBound)) to \(text(range.upperBound))" }
}
