// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

extension UnsafeMutablePointer where Pointee == ComponentInstanceRecord {
  /// The unit in a callback's context, for code written for systems on which a unit is an
  /// `OpaquePointer`.
  @inlinable
  public init(_ context: UnsafeMutableRawPointer) {
    self = context.assumingMemoryBound(to: ComponentInstanceRecord.self)
  }
}
