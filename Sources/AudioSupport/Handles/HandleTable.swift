// SPDX-License-Identifier: Apache-2.0

/// The handles of one kind of object, such as every audio unit of the process.
public struct HandleTable<Object: AnyObject>: @unchecked Sendable {
  /// In memory that lives as long as the process, so that reaching it counts no reference.
  @usableFromInline let slots: UnsafeMutablePointer<HandleSlots>

  /// A table whose handles carry `kind`, so that a handle of another table is refused here. A use of an
  /// object that `holdsUnits` does not keep a unit from ending.
  public init(kind: UInt8, holdsUnits: Bool = false) {
    slots = .allocate(capacity: 1)
    slots.initialize(to: HandleSlots(kind: kind, holdsUnits: holdsUnits))
  }

  /// [control thread] Gives `object` a handle and keeps it alive until `release`.
  public func insert(_ object: Object) throws(AudioError) -> OpaquePointer {
    try slots.pointee.insert(Unmanaged.passRetained(object).toOpaque())
  }

  /// [any thread] Counts one use of the object behind `handle`; nil when the handle is not a living
  /// one. Each non-nil answer is paid back by `leave`.
  @inlinable
  public func enter(_ handle: OpaquePointer) -> Unmanaged<Object>? {
    guard let object = slots.pointee.enter(handle) else { return nil }
    return Unmanaged.fromOpaque(object)
  }

  /// [any thread] Pays back one `enter`.
  @inlinable
  public func leave(_ handle: OpaquePointer) { slots.pointee.leave(handle) }

  /// [any thread] How many uses of the object are under way.
  public func users(of handle: OpaquePointer) -> Int { slots.pointee.users(of: handle) }

  /// [any thread] Ends the handle: from now on `enter` refuses it. False when it was no living one.
  public func invalidate(_ handle: OpaquePointer) -> Bool { slots.pointee.invalidate(handle) }

  /// [whoever has invalidated it, before `release`] The object behind a handle that has ended.
  package func ended(_ handle: OpaquePointer) -> Object? {
    slots.pointee.ended(handle).map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
  }

  /// [control thread] Waits until no use of an invalidated handle is under way, then gives the object
  /// back. Never called from inside a render call.
  public func release(_ handle: OpaquePointer) -> Object? {
    slots.pointee.release(handle).map { Unmanaged<Object>.fromOpaque($0).takeRetainedValue() }
  }
}
