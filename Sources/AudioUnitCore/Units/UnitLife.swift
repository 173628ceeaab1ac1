// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import Synchronization

/// The life of a unit's resources for rendering: they are allocated when the unit is initialised,
/// and freed when no render can use them any more.
final class UnitLife: Sendable {
  private let hasResources = Atomic(false)

  /// [any thread] Whether there are no resources.
  var isReleased: Bool { !hasResources.load(ordering: .sequentiallyConsistent) }

  /// [control thread] Implements `UnitInstance.initialize`.
  func initialize(_ unit: NativeUnit) throws(AudioError) {
    try unit.control { () throws(AudioError) in
      guard !unit.isInitialized else { return }
      try releaseLeftovers(of: unit)
      try unit.checkFormats()
      try unit.checkMemory()
      unit.fixRenderLimits()
      if !unit.host.isChain { unit.side.pointee.events.pointee.touch() }
      try unit.allocateResources()
      hasResources.store(true, ordering: .sequentiallyConsistent)
      unit.clearHistory()
      setShape(of: unit, unit.outputs.map { RenderHistory.Bus($0.format) })
      // Units that feed it adapt to its render size.
      for input in unit.inputs { input.sourceUnit?.readersChanged() }
      unit.side.pointee.pending.lower(.notReady)
    }
  }

  /// [control thread] Implements `UnitInstance.uninitialize`.
  func uninitialize(_ unit: NativeUnit) {
    let pending = unit.side.pointee.pending
    pending.raise(.notReady)
    guard rt_current().pointee.depth > 0 else {
      // The current render may be in a callback that waits for a thread that needs the lock.
      if !isReleased { waitForRenders(of: unit) }
      return unit.lock.withLock {
        pending.raise(.notReady)
        release(unit)
      }
    }
    // Inside one of our callbacks, waiting for the render to end would be a deadlock. The unit does
    // not render any more, and another thread frees its resources.
    let hasReleased: ()? = try? unit.control { () throws(AudioError) in
      try releaseLeftovers(of: unit)
    }
    guard hasReleased == nil else { return }
    Notifier.disposal.perform { [self, unit] in
      // Unless it was initialised again meanwhile.
      unit.lock.withLock { if !unit.isInitialized { release(unit) } }
    }
  }

  /// [any thread, under the lock] Frees resources that remain after the unit was uninitialised.
  /// Must precede any other change. Inside a callback it fails if it would have to wait.
  func releaseLeftovers(of unit: NativeUnit) throws(AudioError) {
    guard !unit.isInitialized, !isReleased else { return }
    guard rt_current().pointee.depth == 0 || unit.isUnread else {
      throw .cannotDoInCurrentContext.because("a render is still using it")
    }
    release(unit)
  }

  /// [under the lock, not initialised] Frees the resources of rendering.
  private func release(_ unit: NativeUnit) {
    guard !isReleased else { return }
    if rt_current().pointee.depth == 0 { waitForRenders(of: unit) }
    hasResources.store(false, ordering: .sequentiallyConsistent)
    setShape(of: unit, nil)
    unit.releaseResources()
    unit.side.pointee.lastSampleTime.store(RenderSide.never, ordering: .relaxed)
  }

  private func waitForRenders(of unit: NativeUnit) {
    unit.waitForRender()
    unit.waitForReaders()
  }

  private func setShape(of unit: NativeUnit, _ shape: [RenderHistory.Bus]?) {
    unit.output.setShape(shape, isQuiet: { unit.isQuiet })
  }
}
