// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CRealTime

// The sources of the inputs, and the render notifications. Each change is published as a whole.
extension NativeUnit {
  /// [control thread, under the lock] Publishes new sources.
  final func publishSources() {
    // Which of these sources may be pulled at the same time is unknown.
    branches = nil
    side.pointee.sources.publish(SourceTable.allocate(inputs.map(\.source)), isQuiet: { isQuiet })
  }

  /// [control thread, under the lock] Publishes the notifications that renders call.
  final func publishNotifies() {
    side.pointee.notifies.publish(NotifyTable.allocate(notifies), isQuiet: { isQuiet })
    side.pointee.pending.set(.notifies, !notifies.isEmpty)
  }

  /// [control thread, under the lock] Sets an input's source: a callback, a connection or none.
  final func plug(_ element: Element, _ source: InputSource, unit: UnitInstance?) {
    setSource(of: element, source, unit: unit)
    publishSources()
  }

  /// [control thread, under the lock] As `plug`, without publishing the change.
  final func setSource(of element: Element, _ source: InputSource, unit: UnitInstance?) {
    unplug(element)
    element.source = source
    element.sourceUnit = unit
    unit?.sourceChanged(for: self, isConnected: true)
  }

  /// [control thread, under the lock] Removes an input's source without publishing the change.
  final func unplug(_ element: Element) {
    element.sourceUnit?.sourceChanged(for: self, isConnected: false)
    element.sourceUnit = nil
    element.sourceDelay = nil
    element.source = InputSource()
  }

  /// [control thread, under the lock] Must be called after the source of an input changed. Once
  /// this thread has released its last lock, only a render around the call may read the old source.
  final func sourcesChanged() {
    guard rt_current().pointee.depth == 0 else { return Self.dropSlices(of: [self]) }
    // The current render may be in a callback that waits for a thread that needs the lock.
    AfterLocks.perform { [self] in
      dropSlice()
      waitForRender()
      waitForReaders()
    }
  }
}

extension RenderGate {
  /// [any thread] Waits until the current render has ended, unless this thread is inside a render.
  borrowing func waitUntilIdleUnlessRendering() {
    guard rt_current().pointee.depth == 0 else { return }
    waitUntilIdle()
  }
}
