// SPDX-License-Identifier: Apache-2.0
import CRealTime

/// An object that a program ends by its handle.
public protocol Disposable: AnyObject {
  /// [any thread] Called when it begins to end: from now on it calls no function of the program's. Waits
  /// for a call that is under way on another thread, unless this one is inside a render.
  func fallSilent()
  /// [control thread] Called once, last of all: nobody uses it and nobody will.
  func finishDisposal()
}

extension HandleTable where Object: Disposable & SendableMetatype, Handle: SendableMetatype {
  /// [any thread] Ends the object behind `handle`; `kind` is what explanations call it. Uses of it that
  /// are under way end first. Inside a callback, where that would be waiting for oneself, the handle is
  /// refused and nothing of the program's is called any more; the rest follows on the thread for ends.
  package func dispose(_ handle: Handle, kind: String) throws(AudioError) {
    guard invalidate(handle) else { throw .stale(kind) }
    guard isInside else { return finishDisposal(of: handle.number) }
    ended(handle)?.fallSilent()
    finishDisposalLater(of: handle)
  }

  /// [whoever has invalidated it] Ends the object once nobody uses it any more, on the thread for ends.
  package func finishDisposalLater(of handle: Handle) {
    Notifier.endings.perform { [number = handle.number] in finishDisposal(of: number) }
  }

  private func finishDisposal(of number: UInt) {
    guard let handle = Handle(bitPattern: number) else { return }
    release(handle)?.finishDisposal()
  }

  /// Whether this thread renders, or is inside a call of what would be waited for.
  private var isInside: Bool {
    let context = rt_current().pointee
    return context.depth > 0 || context.uses > 0
      || slots.pointee.holdsUnits && context.graph_uses > 0
  }
}
