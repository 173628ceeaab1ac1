// SPDX-License-Identifier: Apache-2.0
import CRealTime

/// An object that a program disposes of by its handle.
public protocol Disposable: AnyObject {
  /// [any thread] Called when disposal begins: from now on it calls no function of the program.
  /// Waits for a call that is running on another thread, unless this thread is inside a render.
  func fallSilent()
  /// [control thread] Called once, at the end: nothing uses it any more.
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

  /// [whoever has invalidated it] Disposes of the object once nothing uses it any more, on the
  /// disposal thread.
  package func finishDisposalLater(of handle: Handle) {
    Notifier.endings.perform { [number = handle.number] in finishDisposal(of: number) }
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
