// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import CAudioToolbox

/// A host's function that is called when a property of a unit has changed.
public struct PropertyListener: @unchecked Sendable {
  public var function: AudioUnitPropertyListenerProc
  public var userData: UnsafeMutableRawPointer?
  /// Whether removing it waits for a running call; false for our own functions, which handle that
  /// themselves.
  let isAwaited: Bool

  public init(
    _ function: @escaping AudioUnitPropertyListenerProc, _ userData: UnsafeMutableRawPointer?,
    isAwaited: Bool = true
  ) {
    self.function = function
    self.userData = userData
    self.isAwaited = isAwaited
  }

  /// Whether both have the same function and, with `matchingUserData`, the same data.
  func isSame(_ other: PropertyListener, matchingUserData: Bool) -> Bool {
    unsafeBitCast(function, to: UInt.self) == unsafeBitCast(other.function, to: UInt.self)
      && (!matchingUserData || userData == other.userData)
  }

  func call(_ unit: AudioUnit, _ address: PropertyAddress) {
    // The context may be null, if the host passed null.
    typealias Function =
      @convention(c) (
        UnsafeMutableRawPointer?, AudioUnit, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement
      ) -> Void
    unsafeBitCast(function, to: Function.self)(
      userData, unit, address.id, address.scope, address.element)
  }
}

/// The property listeners of one unit. A listener may be added several times; each entry is called.
final class PropertyListeners: @unchecked Sendable {
  private struct Entry {
    let id: AudioUnitPropertyID
    let listener: PropertyListener
    let calls = ProgramCalls.Entry()
  }

  private let lock = Lock()
  private var entries: [Entry] = []

  /// [control thread] Adds an entry.
  func add(_ id: AudioUnitPropertyID, _ listener: PropertyListener) {
    lock.withLock { entries.append(Entry(id: id, listener: listener)) }
    Notifier.shared.listenersChanged(by: 1)
  }

  /// [any thread] Whether a property has listeners.
  func has(_ id: AudioUnitPropertyID) -> Bool { lock.withLock { entries.contains { $0.id == id } } }

  /// [control thread] Removes all entries of a listener, with any user data unless
  /// `matchingUserData`. On return none is being called, unless this is called by the listener.
  func remove(_ id: AudioUnitPropertyID, _ listener: PropertyListener, matchingUserData: Bool) {
    remove(waits: listener.isAwaited) {
      $0.id == id && $0.listener.isSame(listener, matchingUserData: matchingUserData)
    }
  }

  /// [any thread] Removes every listener, as `remove` does.
  func removeAll() { remove(waits: true) { _ in true } }

  private func remove(waits: Bool, _ matches: (Entry) -> Bool) {
    let removed = lock.withLock {
      defer { entries.removeAll(where: matches) }
      return entries.filter(matches)
    }
    Notifier.shared.listenersChanged(by: -removed.count)
    ProgramCalls.shared.remove(removed.map(\.calls), waits: waits)
  }

  /// [any thread but the render thread, without a lock] Calls the listeners of a property.
  func call(_ unit: AudioUnit, _ address: PropertyAddress) {
    let due = lock.withLock { entries.filter { $0.id == address.id } }
    for entry in due {
      ProgramCalls.shared.run(entry.calls) { entry.listener.call(unit, address) }
    }
  }
}
