// SPDX-License-Identifier: Apache-2.0
import CRealTime

/// The handles of one kind of object, such as every audio unit of the process.
public struct HandleTable<Object: AnyObject, Handle: ObjectHandle>: @unchecked Sendable {
  /// In memory that lives as long as the process, so that access counts no references.
  @usableFromInline let slots: UnsafeMutablePointer<HandleSlots>

  /// A table whose handles contain `kind`, so that it refuses a handle of another table. A use of
  /// an object that `holdsUnits` does not keep a unit alive.
  public init(kind: UInt8, holdsUnits: Bool = false) {
    slots = .allocate(capacity: 1)
    slots.initialize(to: HandleSlots(kind: kind, holdsUnits: holdsUnits))
    let handler = UnsafeMutablePointer<rt_child_handler>.allocate(capacity: 1)
    handler.initialize(
      to: rt_child_handler(
        function: { slots, wasInside in
          if !wasInside { slots.assumingMemoryBound(to: HandleSlots.self).pointee.strandUsed() }
        }, context: slots, next: nil))
    rt_add_child_handler(handler)
  }

  /// [control thread] Gives `object` a handle and keeps it alive until `release`.
  public func insert(_ object: Object) throws(AudioError) -> Handle {
    let number = try slots.pointee.insert(Unmanaged.passRetained(object).toOpaque())
    // Every number contains the mark of its table, so it is not zero.
    guard let handle = Handle(bitPattern: number) else { preconditionFailure() }
    return handle
  }

  /// [any thread] Counts one use of the object behind `handle`; nil if the handle is invalid. Each
  /// non-nil result must be followed by `leave`.
  @inlinable
  public func enter(_ handle: Handle) -> Unmanaged<Object>? {
    guard let object = slots.pointee.enter(handle.number) else { return nil }
    return Unmanaged.fromOpaque(object)
  }

  /// [any thread] Ends one use that `enter` counted.
  @inlinable
  public func leave(_ handle: Handle) { slots.pointee.leave(handle.number) }

  /// [any thread] The current number of uses of the object.
  public func users(of handle: Handle) -> Int { slots.pointee.users(of: handle.number) }

  /// [any thread] Invalidates the handle: from now on `enter` refuses it. False if it was already
  /// invalid.
  public func invalidate(_ handle: Handle) -> Bool { slots.pointee.invalidate(handle.number) }

  /// [the thread that invalidated the handle, before `release`] Its object.
  package func invalidatedObject(_ handle: Handle) -> Object? {
    slots.pointee.invalidatedObject(handle.number).map {
      Unmanaged<Object>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// [control thread] Waits until an invalidated handle has no uses, then returns the object. Never
  /// called from inside a render call.
  public func release(_ handle: Handle) -> Object? {
    slots.pointee.release(handle.number).map {
      Unmanaged<Object>.fromOpaque($0).takeRetainedValue()
    }
  }
}
