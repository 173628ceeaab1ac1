// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// The C handle of an object: a pointer that is never dereferenced, because it contains a number of
/// `HandleSlots`.
///
/// Each kind of object uses the handle type of the C headers.
public protocol ObjectHandle {
  /// The handle that holds a number; nil for zero.
  init?(bitPattern: UInt)
  /// The number that the handle holds.
  var number: UInt { get }
}

extension OpaquePointer: ObjectHandle {
  @inlinable
  public var number: UInt { UInt(bitPattern: self) }
}

/// An audio unit.
extension UnsafeMutablePointer: ObjectHandle where Pointee == ComponentInstanceRecord {
  @inlinable
  public var number: UInt { UInt(bitPattern: self) }
}
