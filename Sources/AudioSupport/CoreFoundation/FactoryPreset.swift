// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// A named set of parameter values that comes with a unit.
public struct FactoryPreset: Sendable {
  public var number: Int32
  public var name: String
  /// Values by identifier, in the global scope; parameters left out keep their defaults.
  public var values: [AudioUnitParameterID: Float]
  /// Values of the unit's settings, in the global scope, by their index.
  public var settings: [Int: Float]

  public init(
    _ number: Int32, _ name: String, _ values: [AudioUnitParameterID: Float],
    settings: [Int: Float] = [:]
  ) {
    self.number = number
    self.name = name
    self.values = values
    self.settings = settings
  }
}
