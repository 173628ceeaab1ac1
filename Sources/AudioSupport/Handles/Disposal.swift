// SPDX-License-Identifier: Apache-2.0
import CRealTime

/// An object that a program disposes of by its handle.
public protocol Disposable: AnyObject {
  /// [any thread] Called when disposal begins: from now on the object calls no function of the
  /// program. Waits for a call that runs on another thread, unless this thread is inside a render.
  func stopCallbacks()
  /// [control thread] Called once, at the end, when nothing uses the object any more.
  func finishDisposal()
}

extension HandleTable where Object: Disposable & SendableMetatype, Handle: SendableMetatype {
  /// [any thread] Disposes of the object behind `handle`, after its current uses have ended. `kind`
  /// is the name of the object in explanations.
  ///
  /// Inside a callback that would be waiting for oneself. There the handle becomes invalid and the
  /// object calls no function of the program any more; the disposal thread does the rest.
  package func dispose(_ handle: Handle, kind: String) throws(AudioError) {
    guard invalidate(handle) else { throw .stale(kind) }
    guard isInside else { return finishDisposal(of: handle.number) }
    invalidatedObject(handle)?.stopCallbacks()
    finishDisposalLater(of: handle)
  }

  /// [the thread that invalidated the handle] Disposes of the object on the disposal thread, once
  /// nothing uses it any more.
  package func finishDisposalLater(of handle: Handle) {
    Notifier.disposal.perform { [number = handle.number] in finishDisposal(of: number) }
  }

  private func finishDisposal(of number: UInt) {
    guard let handle = Handle(bitPattern: number) else { return }
    release(handle)?.finishDisposal()
  }

  /// Whether this thread renders, or is inside a call that it would have to wait for.
  private var isInside: Bool {
    let context = rt_current().pointee
    return context.depth > 0 || context.uses > 0
      || slots.pointee.holdsUnits && context.graph_uses > 0
  }
}
