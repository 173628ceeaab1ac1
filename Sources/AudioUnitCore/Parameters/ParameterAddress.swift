// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// The identifier, scope and element of a parameter.
public struct ParameterAddress: Hashable, Sendable {
  public var id: AudioUnitParameterID
  public var scope: AudioUnitScope
  public var element: AudioUnitElement

  public init(_ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement) {
    self.id = id
    self.scope = scope
    self.element = element
  }
}
