// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// A value that every element stores: a parameter with its identifier and spec, or another value
/// that is stored in the same way.
public struct ParameterDefinition: Sendable {
  public let id: AudioUnitParameterID
  public let spec: ParameterSpec
  let role: Role

  /// How kernels and hosts use the value.
  enum Role: Sendable {
    /// A parameter: the kernel reads it or, if it is read-only, writes it.
    case parameter
    /// The kernel reads it; a property for hosts.
    case setting
    /// The kernel writes it; a read-only parameter for hosts.
    case meter
    /// The kernel writes it; a property for hosts.
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

  /// The value of a case in a shared enumeration that this unit does not use: it never changes.
  public static func absent(_ value: Float = 0) -> Self { hidden(.parameter, value) }

  static func setting(_ spec: SettingSpec) -> Self { hidden(.setting, spec.defaultValue) }

  static var clipping: Self { hidden(.clipping, 0, isReadOnly: true) }

  /// A value that is visible in no scope.
  private static func hidden(_ role: Role, _ value: Float, isReadOnly: Bool = false) -> Self {
    var spec = ParameterSpec("", .generic, value...value, default: value, isReadOnly: isReadOnly)
      .accepting(-Float.greatestFiniteMagnitude...Float.greatestFiniteMagnitude)
    spec.scopes = []
    return Self(id: .max, spec: spec, role)
  }
}
