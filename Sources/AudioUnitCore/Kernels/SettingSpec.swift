// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox

/// A property that a kernel reads while it renders: its allowed values and its scopes.
///
/// Its value is stored like a parameter: a host may set it at any time, and the kernel reads one
/// value for each slice. Everything that hosts can query about the property follows from this row.
public struct SettingSpec: Sendable {
  /// Nil if hosts set the value in another way: by a preset, or a property of the unit's class.
  let property: AudioUnitPropertyID?
  let scopes: [AudioUnitScope]
  let defaultValue: Float
  let form: Form
  /// A property that exposes some bits of the value as a Boolean.
  private(set) var flag: Flag?

  /// The C type and the allowed values.
  enum Form: Sendable {
    /// A UInt32 with one of these values. With `globalMeansAll`, the global scope stands for all
    /// elements of the other scopes.
    case choice([UInt32], globalMeansAll: Bool)
    /// A Float32 within a range. Consecutive members of one property form its structure.
    case member(ClosedRange<Float>, structure: String)
    /// No property.
    case own
  }

  /// Some bits of the value, and the property that exposes them.
  struct Flag: Sendable {
    var property: AudioUnitPropertyID
    var bits: UInt32
  }

  private init(
    _ property: AudioUnitPropertyID?, _ scopes: [AudioUnitScope], _ defaultValue: Float,
    _ form: Form
  ) {
    self.property = property
    self.scopes = scopes
    self.defaultValue = defaultValue
    self.form = form
  }

  /// A UInt32 with one of `values`, by default the first unless `defaultValue` is given. With
  /// `globalMeansAll`, setting it on the global scope sets it on all elements of the other scopes;
  /// reading it there returns their minimum.
  public static func choice(
    _ property: AudioUnitPropertyID, of values: [UInt32], default defaultValue: UInt32? = nil,
    in scopes: [AudioUnitScope], globalMeansAll: Bool = false
  ) -> Self {
    Self(
      property, scopes, Float(defaultValue ?? values.first ?? 0),
      .choice(values, globalMeansAll: globalMeansAll))
  }

  /// One Float32 of a structure, within a range. Settings with the same property must be
  /// consecutive, in the order of the structure's members.
  public static func member(
    of structure: String, _ property: AudioUnitPropertyID, _ range: ClosedRange<Float>,
    default defaultValue: Float, in scopes: [AudioUnitScope]
  ) -> Self { Self(property, scopes, defaultValue, .member(range, structure: structure)) }

  /// A value without a property: a factory preset or the unit's class sets it.
  public static func own(default defaultValue: Float) -> Self { Self(nil, [], defaultValue, .own) }

  /// The same setting, with some bits that another property exposes as a Boolean.
  public func withFlag(_ property: AudioUnitPropertyID, bits: UInt32) -> Self {
    var spec = self
    spec.flag = Flag(property: property, bits: bits)
    return spec
  }
}

/// The settings of one kind of unit: an enumeration with one value per case, at most 256 cases.
public protocol SettingKey: CaseIterable, Sendable, BitwiseCopyable {
  var spec: SettingSpec { get }
  /// The index of its value: the number of the case, counted from zero.
  var index: Int { @_noLocks get }
}

extension SettingKey {
  public var index: Int {
    // Like `ParameterKey.slot`.
    @_noLocks @inlinable @inline(__always)
    get { MemoryLayout<Self>.size == 0 ? 0 : Int(unsafeBitCast(self, to: UInt8.self)) }
  }
}

/// For units without settings.
public enum NoSettings: SettingKey, CaseIterable {
  case none
  public static let allCases: [NoSettings] = []
  public var spec: SettingSpec { .own(default: 0) }
}

extension FactoryPreset {
  /// A preset of a unit that hosts control only by presets: each preset is a value of one setting.
  public init<Setting: SettingKey>(
    _ number: Int32, _ name: String, _ setting: Setting, _ value: Float
  ) { self.init(number, name, [:], settings: [setting.index: value]) }
}
