// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CRealTime

// What feeds the inputs, and which notifications renders call: each change is published as a whole.
extension NativeUnit {
  /// [control thread, under the lock] Publishes new sources.
  final func publishSources() {
    // It is not known what these sources have in common.
    branches = nil
    side.pointee.sources.publish(SourceTable.allocate(inputs.map(\.source)), isQuiet: { isQuiet })
  }

  /// [control thread, under the lock] Publishes the notifications that renders call.
  final func publishNotifies() {
    side.pointee.notifies.publish(NotifyTable.allocate(notifies), isQuiet: { isQuiet })
    side.pointee.pending.set(.notifies, !notifies.isEmpty)
  }

  /// [control thread, under the lock] Gives an input a callback, a connection or nothing.
  final func plug(_ element: Element, _ source: InputSource, unit: UnitInstance?) {
    replug(element, source, unit: unit)
    publishSources()
  }

  /// [control thread, under the lock] As `plug`, without publishing it.
  final func replug(_ element: Element, _ source: InputSource, unit: UnitInstance?) {
    unplug(element)
    element.source = source
    element.sourceUnit = unit
    unit?.sourceChanged(for: self, isConnected: true)
  }

  /// [control thread, under the lock] Leaves an input without a source, without publishing it.
  final func unplug(_ element: Element) {
    element.sourceUnit?.sourceChanged(for: self, isConnected: false)
    element.sourceUnit = nil
    element.sourceDelay = nil
    element.source = InputSource()
  }
}

extension RenderGate {
  /// [any thread] Waits for the current render, unless this thread is inside it.
  borrowing func waitUntilIdleUnlessRendering() {
    guard rt_current().pointee.depth == 0 else { return }
    waitUntilIdle()
  }
}
