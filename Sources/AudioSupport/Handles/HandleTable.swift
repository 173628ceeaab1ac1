// SPDX-License-Identifier: Apache-2.0

/// The handles of one kind of object, such as every audio unit of the process.
public struct HandleTable<Object: AnyObject, Handle: ObjectHandle>: @unchecked Sendable {
  /// In memory that lives as long as the process, so that reaching it counts no reference.
  @usableFromInline let slots: UnsafeMutablePointer<HandleSlots>

  /// A table whose handles carry `kind`, so that a handle of another table is refused here. A use of an
  /// object that `holdsUnits` does not keep a unit from ending.
  public init(kind: UInt8, holdsUnits: Bool = false) {
    slots = .allocate(capacity: 1)
    slots.initialize(to: HandleSlots(kind: kind, holdsUnits: holdsUnits))
  }

  /// [control thread] Gives `object` a handle and keeps it alive until `release`.
  public func insert(_ object: Object) throws(AudioError) -> Handle {
    let number = try slots.pointee.insert(Unmanaged.passRetained(object).toOpaque())
    // Every number carries the mark of its table, and so is not zero.
    guard let handle = Handle(bitPattern: number) else { preconditionFailure() }
    return handle
  }

  /// [any thread] Counts one use of the object behind `handle`; nil when the handle is not a living
  /// one. Each non-nil answer is paid back by `leave`.
  @inlinable
  public func enter(_ handle: Handle) -> Unmanaged<Object>? {
    guard let object = slots.pointee.enter(handle.number) else { return nil }
    return Unmanaged.fromOpaque(object)
  }

  /// [any thread] Pays back one `enter`.
  @inlinable
  public func leave(_ handle: Handle) { slots.pointee.leave(handle.number) }

  /// [any thread] How many uses of the object are under way.
  public func users(of handle: Handle) -> Int { slots.pointee.users(of: handle.number) }

  /// [any thread] Ends the handle: from now on `enter` refuses it. False when it was no living one.
  public func invalidate(_ handle: Handle) -> Bool { slots.pointee.invalidate(handle.number) }

  /// [whoever has invalidated it, before `release`] The object behind a handle that has ended.
  package func ended(_ handle: Handle) -> Object? {
    slots.pointee.ended(handle.number).map {
      Unmanaged<Object>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// [control thread] Waits until no use of an invalidated handle is under way, then gives the object
  /// back. Never called from inside a render call.
  public func release(_ handle: Handle) -> Object? {
    slots.pointee.release(handle.number).map {
      Unmanaged<Object>.fromOpaque($0).takeRetainedValue()
    }
  }
}
