// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import CAudioToolbox

/// The description of a parameter for hosts: pure data, read on the control thread only.
///
/// Name, unit, range, default, flags and value strings of the C API all follow from it.
public struct ParameterSpec: Sendable {
  /// How a parameter's upper limit depends on the sample rate.
  public enum Limit: Equatable, Sendable {
    case fixed
    /// Half the sample rate, if that is below the upper end of the range.
    case halfSampleRate
    /// One second of frames, if that is below the upper end of the range.
    case sampleRate
    /// Both ends are multiples of the sample rate.
    case multiples(ClosedRange<Float>)
  }

  /// A value that has a name.
  public struct NamedValue: Equatable, Sendable {
    public var value: Float
    public var name: String

    public init(_ value: Float, _ name: String) {
      self.value = value
      self.name = name
    }
  }

  /// For display in hosts: name, unit of measure, and range and default in that unit.
  public var name: String
  public var unit: AudioUnitParameterUnit
  public var range: ClosedRange<Float>
  public var defaultValue: Float
  /// The scopes whose elements have the parameter.
  public var scopes: [AudioUnitScope]
  public var limit: Limit
  /// The range that the kernel accepts, if it is wider than the reported one.
  private var wider: ClosedRange<Float>?
  /// Flags for display and behaviour, except readable, writable and named values.
  public var options: AudioUnitParameterOptions
  /// The unit of measure in words, for `.customUnit`.
  public private(set) var unitName: String?
  /// One name per integer step of the range; empty unless the values have names.
  public var valueNames: [String]
  /// The values with names, if they are not one per integer step of the range.
  public private(set) var namedValues: [NamedValue] = []
  /// The group in which hosts show the parameter.
  public private(set) var clump: Clump?
  /// The setting that becomes 0 whenever this parameter is set, because it would override it.
  private(set) var clearedSetting: Int?
  /// The parameter with the same meaning in another unit of measure: setting either sets both.
  private(set) var counterpart: Counterpart?
  /// Whether the kernel follows a ramp within a slice of any length; otherwise slices are short
  /// during ramps.
  let rampsWholeSlices: Bool

  /// Parameters that belong together, such as those of one band.
  public struct Clump: Equatable, Sendable {
    /// Above zero, which is reserved for hosts.
    public var id: UInt32
    public var name: String
  }

  /// Another parameter with the same meaning.
  struct Counterpart: Sendable {
    var slot: Int
    var form: CounterpartForm
  }

  /// How a parameter is converted to the unit of its counterpart.
  public enum CounterpartForm: Int32, Sendable {
    /// This parameter is a rate; its counterpart is in cents.
    case cents = 1
    /// This parameter is in cents; its counterpart is a rate.
    case rate
  }

  /// A parameter of a unit's kernel. With `ramps`, the kernel follows ramps within slices of any
  /// length; with `shortRamps`, in pieces of a few frames (`KernelValues.beginsPiece`). Otherwise a
  /// ramp is a new value every 16 frames.
  public init(
    _ name: String, _ unit: AudioUnitParameterUnit, _ range: ClosedRange<Float>,
    default defaultValue: Float, scope: AudioUnitScope = kAudioUnitScope_Global,
    limit: Limit = .fixed, display: AudioUnitParameterOptions = [], ramps: Bool = false,
    shortRamps: Bool = false, isReadOnly: Bool = false, valueNames: [String] = []
  ) {
    precondition(range.contains(defaultValue), "\(name): the default lies outside the range")
    self.name = name
    self.unit = unit
    self.range = range
    self.defaultValue = defaultValue
    scopes = [scope]
    self.limit = limit
    self.valueNames = valueNames
    rampsWholeSlices = ramps
    var options = display.union([.flag_IsReadable, .flag_HasCFNameString])
    if isReadOnly { options.insert(.flag_MeterReadOnly) } else { options.insert(.flag_IsWritable) }
    if ramps || shortRamps { options.insert(.flag_CanRamp) }
    if !valueNames.isEmpty { options.insert(.flag_ValuesHaveStrings) }
    self.options = options
  }

  public var isReadOnly: Bool { !options.contains(.flag_IsWritable) }

  /// The same parameter on the elements of several scopes.
  public func on(_ scopes: AudioUnitScope...) -> Self {
    var spec = self
    spec.scopes = scopes
    return spec
  }

  /// The same parameter, which also accepts values outside the reported range, for example a volume
  /// above one.
  public func accepting(_ range: ClosedRange<Float>) -> Self {
    var spec = self
    spec.wider = range
    return spec
  }

  /// The same parameter in a unit of measure that has no constant.
  public func measured(in unitName: String) -> Self {
    var spec = self
    (spec.unit, spec.unitName) = (.customUnit, unitName)
    return spec
  }

  /// The same parameter with names for some of its values, anywhere in its range.
  public func naming(_ values: [NamedValue]) -> Self {
    var spec = self
    spec.namedValues = values
    if !values.isEmpty { spec.options.insert(.flag_ValuesHaveStrings) }
    return spec
  }

  /// The same parameter in a group that hosts show together.
  public func inClump(_ id: UInt32, _ name: String) -> Self {
    var spec = self
    spec.clump = Clump(id: id, name: name)
    spec.options.insert(.flag_HasClump)
    return spec
  }

  /// The same parameter, which sets a setting of its element to 0 whenever it is set. A value other
  /// than 0 in that setting overrides the parameter.
  public func clearing<Key: SettingKey>(_ key: Key) -> Self {
    var spec = self
    spec.clearedSetting = key.index
    return spec
  }

  /// The same parameter with a counterpart of the same meaning in another unit: setting one sets
  /// both.
  public func counterpart<Key: ParameterKey>(of key: Key, as form: CounterpartForm) -> Self {
    var spec = self
    spec.counterpart = Counterpart(slot: key.slot, form: form)
    return spec
  }

  /// The reported range at a sample rate.
  public func range(at sampleRate: Double) -> ClosedRange<Float> { limited(range, sampleRate) }

  /// The range that the kernel accepts at a sample rate; other values are limited to it.
  func accepted(at sampleRate: Double) -> ClosedRange<Float> {
    limited(wider ?? range, sampleRate)
  }

  /// The name of a value; nil if values have no names, or if none is near.
  func valueName(_ value: Float) -> String? {
    if !namedValues.isEmpty { return namedValues.first { $0.value == value }?.name }
    // A host may pass any value, even one that does not fit in an integer.
    let index = Int(exactly: (value - range.lowerBound).rounded())
    return index.flatMap { valueNames.indices.contains($0) ? valueNames[$0] : nil }
  }

  /// The value with a name, or the value of a text that is a number in the range.
  func value(of text: String) throws(AudioError) -> Float {
    if let index = valueNames.firstIndex(of: text) { return range.lowerBound + Float(index) }
    if let named = namedValues.first(where: { $0.name == text }) { return named.value }
    if let number = Float(text), range.contains(number) { return number }
    let names = valueNames + namedValues.map(\.name)
    throw .invalidPropertyValue.because(
      "\"\(text)\" is not a value of \(name); expected one of "
        + (names.isEmpty
          ? "\(range.lowerBound) to \(range.upperBound)" : names.joined(separator: ", ")))
  }

  private func limited(_ range: ClosedRange<Float>, _ sampleRate: Double) -> ClosedRange<Float> {
    let highest: Float
    switch limit {
    case .fixed: highest = range.upperBound
    case .halfSampleRate: highest = Float(sampleRate / 2)
    case .sampleRate: highest = Float(sampleRate)
    case .multiples(let multiples):
      guard sampleRate.isFinite else { return range }
      let rate = Float(sampleRate)
      return multiples.lowerBound * rate...multiples.upperBound * rate
    }
    return range.lowerBound...max(range.lowerBound, min(range.upperBound, highest))
  }
}
