// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// The parameters of one kind of unit: an enumeration whose raw values are the identifiers of the C
/// API, in the order in which a host lists them. At most 256 cases; identifiers may have gaps.
///
/// A unit with more, or with the same ones for many bands, has a structure that says its own `slot`.
public protocol ParameterKey: RawRepresentable<AudioUnitParameterID>, CaseIterable, Sendable,
  BitwiseCopyable
{
  var spec: ParameterSpec { get }
  /// The place of its value: the number of the case among all, counted from zero.
  var slot: Int { @_noLocks get }
}

extension ParameterKey {
  public var slot: Int {
    // An enumeration without payload is stored as the number of its case; one with a single case
    // needs no storage at all.
    @_noLocks @inlinable @inline(__always)
    get { MemoryLayout<Self>.size == 0 ? 0 : Int(unsafeBitCast(self, to: UInt8.self)) }
  }
}

/// The parameters of a unit that has none.
public enum NoParameters: AudioUnitParameterID, ParameterKey, CaseIterable {
  case none = 0xFFFF_FFFF
  public static let allCases: [NoParameters] = []
  public var spec: ParameterSpec { .init("none", .generic, 0...0, default: 0) }
}

/// A value that every element of a unit has: a parameter's identifier with its spec, or what is kept in
/// the same way and has none.
public struct ParameterDefinition: Sendable {
  public let id: AudioUnitParameterID
  public let spec: ParameterSpec
  let role: Role

  /// What the value is to kernels and to hosts.
  enum Role: Sendable {
    /// Read by the kernel, or written by it where the spec says that it is read-only.
    case parameter
    /// Read by the kernel; a property to hosts.
    case setting
    /// Written by the kernel; a read-only parameter to hosts.
    case meter
    /// Written by the kernel; a property to hosts.
    case clipping
  }

  public init(id: AudioUnitParameterID, spec: ParameterSpec) {
    self.init(id: id, spec: spec, .parameter)
  }

  init(id: AudioUnitParameterID, spec: ParameterSpec, _ role: Role) {
    self.id = id
    self.spec = spec
    self.role = role
  }

  /// A case of a shared enumeration that one of the units does not have: it stays as it is at first.
  public static func absent(_ value: Float = 0) -> Self { hidden(.parameter, value) }

  static func setting(_ spec: SettingSpec) -> Self { hidden(.setting, spec.defaultValue) }

  static var clipping: Self { hidden(.clipping, 0, isReadOnly: true) }

  /// What no scope shows.
  private static func hidden(_ role: Role, _ value: Float, isReadOnly: Bool = false) -> Self {
    var spec = ParameterSpec("", .generic, value...value, default: value, isReadOnly: isReadOnly)
      .accepting(-Float.greatestFiniteMagnitude...Float.greatestFiniteMagnitude)
    spec.scopes = []
    return Self(id: .max, spec: spec, role)
  }
}
