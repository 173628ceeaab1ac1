// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioToolbox
import CRealTime

// The lock of a unit, and what control calls do under it.
extension NativeUnit {
  /// [any thread] Runs `body` under the unit's lock. A render thread gets an error where it would
  /// have to wait.
  public final func control<Result>(_ body: () throws(AudioError) -> Result) throws(AudioError)
    -> Result
  {
    try Self.acquire(lock)
    defer { lock.unlock() }
    return try body()
  }

  /// [any thread] Takes a lock that a render thread may only try.
  static func acquire(_ lock: Lock) throws(AudioError) {
    guard rt_current().pointee.depth > 0 else { return lock.lock() }
    guard lock.tryLock() else { throw .cannotDoInCurrentContext }
  }

  /// Taken before a unit's own lock by calls that connect two units.
  static let connecting = Lock()

  /// Whether no reader can still use what was published before.
  final var isQuiet: Bool {
    guard !isRendering else { return false }
    guard let handle else { return true }
    return Handles.units.users(of: handle) <= 1
  }

  /// [control thread, under the lock] Updates which parameters exist, by `hasParameter`.
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
