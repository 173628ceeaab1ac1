// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

extension UnsafeMutablePointer where Pointee == ComponentInstanceRecord {
  /// The unit that a callback has as its context, as code for systems writes it on which a unit is an
  /// `OpaquePointer`.
  @inlinable
  public init(_ context: UnsafeMutableRawPointer) {
    self = context.assumingMemoryBound(to: ComponentInstanceRecord.self)
  }
}
