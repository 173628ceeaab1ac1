// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioToolbox
import CRealTime

// The lock of a unit, and the control calls that use it.
extension NativeUnit {
  /// [any thread] Runs `body` under the unit's lock. A render thread gets an error if it would have
  /// to wait.
  public final func control<Result>(_ body: () throws(AudioError) -> Result) throws(AudioError)
    -> Result
  {
    try Self.acquire(lock)
    defer { lock.unlock() }
    return try body()
  }

  /// [any thread] Acquires a lock; on a render thread it fails instead of waiting.
  static func acquire(_ lock: Lock) throws(AudioError) {
    guard rt_current().pointee.depth > 0 else { return lock.lock() }
    guard lock.tryLock() else { throw .cannotDoInCurrentContext }
  }

  /// The lock that calls which connect two units acquire before the units' own locks.
  static let connecting = Lock()

  /// Whether no reader can still use replaced tables.
  final var isQuiet: Bool {
    guard !isRendering else { return false }
    guard let handle else { return true }
    return Handles.units.users(of: handle) <= 1
  }

  /// [control thread, under the lock] Adds and removes parameters according to `hasParameter`.
  public final func parametersChanged() {
    for (slot, definition) in parameterDefinitions.enumerated()
    where definition.spec.scopes.contains(kAudioUnitScope_Global) {
      global.parameters.setPresent(
        slot, hasParameter(definition.id), default: definition.spec.defaultValue)
    }
    changedProperties.append(
      PropertyAddress(kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0))
  }
}
