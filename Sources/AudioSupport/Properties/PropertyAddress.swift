// SPDX-License-Identifier: Apache-2.0

/// The identifier, scope and element of a property; a family without scopes leaves them 0.
public struct PropertyAddress: Equatable, Sendable {
  public var id: UInt32
  public var scope: UInt32
  public var element: UInt32

  @inlinable
  public init(_ id: UInt32, _ scope: UInt32 = 0, _ element: UInt32 = 0) {
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
