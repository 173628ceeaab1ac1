// SPDX-License-Identifier: Apache-2.0
public import AVFoundation

/// A parameter of a unit, with what a program that lets people change it asks the unit for.
///
/// Parameters may be read and set on any thread.
public struct Control: @unchecked Sendable {
  public let name: String
  public let range: ClosedRange<Float>
  /// Its unit of measure, as it is written after a number.
  public let measure: String
  public let isWritable: Bool
  public let parameter: AudioUnitParameter

  /// Asks for a parameter of a scope and element.
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
    // Some names belong to whoever asks.
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

  /// The value that it has.
  public func value() throws -> Float {
    var value = Float(0)
    try check(
      AudioUnitGetParameter(
        parameter.mAudioUnit, parameter.mParameterID, parameter.mScope, parameter.mElement, &value))
    return value
  }

  /// Sets the value, and tells those that listen, which `AudioUnitSetParameter` alone does not.
  public func set(_ value: Float) throws {
    try checkRange(value)
    var parameter = parameter
    try check(AUParameterSet(nil, nil, &parameter, value, 0))
  }

  /// Throws unless it may have a value.
  public func checkRange(_ value: Float) throws {
    guard range.contains(value) else {
      throw Failure("\(name) is \(value): expected a number \(limits)")
    }
  }

  /// A value of it as it is shown, with the digits that are useful.
  public func text(_ value: Float) -> String {
    var parameter = parameter
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
      buffer.baseAddress.map {
        String(cString: AUParameterFormatValue(Double(value), &parameter, $0, 3))
      } ?? ""
    }
    return text + measure
  }

  /// The values that it takes.
  public var limits: String { "from \(text(range.lowerBound)) to \(text(range.upperBound))" }
}
