// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// The identifier, scope and element of a property.
public struct PropertyAddress: Equatable, Sendable {
  public var id: AudioUnitPropertyID
  public var scope: AudioUnitScope
  public var element: AudioUnitElement

  public init(_ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement) {
    self.id = id
    self.scope = scope
    self.element = element
  }
}

/// The size of a property in bytes, and whether it can be written now.
public struct PropertyInfo: Equatable, Sendable {
  public var size: Int
  public var isWritable: Bool

  public init(size: Int, isWritable: Bool) {
    self.size = size
    self.isWritable = isWritable
  }
}
