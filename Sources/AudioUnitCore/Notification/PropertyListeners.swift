// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import CAudioToolbox

/// A host's function that is called when a property of a unit changed.
public struct PropertyListener: @unchecked Sendable {
  public var function: AudioUnitPropertyListenerProc
  public var userData: UnsafeMutableRawPointer?

  public init(
    _ function: @escaping AudioUnitPropertyListenerProc, _ userData: UnsafeMutableRawPointer?
  ) {
    self.function = function
    self.userData = userData
  }

  /// Whether it is the same function, with the same data where that counts.
  func isSame(_ other: PropertyListener, matchingUserData: Bool) -> Bool {
    unsafeBitCast(function, to: UInt.self) == unsafeBitCast(other.function, to: UInt.self)
      && (!matchingUserData || userData == other.userData)
  }

  func call(_ unit: AudioUnit, _ address: PropertyAddress) {
    // A null context is what the host gave; in C the parameter may be null.
    typealias Function =
      @convention(c) (
        UnsafeMutableRawPointer?, AudioUnit, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement
      ) -> Void
    unsafeBitCast(function, to: Function.self)(
      userData, unit, address.id, address.scope, address.element)
  }
}

/// The property listeners of one unit. The same one may be added several times; each entry is called.
final class PropertyListeners: @unchecked Sendable {
  private let lock = Lock()
  private var entries: [(id: AudioUnitPropertyID, listener: PropertyListener)] = []

  /// [control thread] One more entry.
  func add(_ id: AudioUnitPropertyID, _ listener: PropertyListener) {
    lock.withLock { entries.append((id, listener)) }
    Notifier.shared.listenersChanged(by: 1)
  }

  /// [control thread] Takes all entries of it away, whatever their user data where that does not count.
  func remove(_ id: AudioUnitPropertyID, _ listener: PropertyListener, matchingUserData: Bool) {
    let removed = lock.withLock {
      let before = entries.count
      entries.removeAll {
        $0.id == id && $0.listener.isSame(listener, matchingUserData: matchingUserData)
      }
      return before - entries.count
    }
    Notifier.shared.listenersChanged(by: -removed)
  }

  /// Lets go of every listener.
  func removeAll() {
    let removed = lock.withLock {
      defer { entries.removeAll() }
      return entries.count
    }
    Notifier.shared.listenersChanged(by: -removed)
  }

  /// [any thread but the render thread] Calls those of a property, without holding the lock.
  func call(_ unit: AudioUnit, _ address: PropertyAddress) {
    let due = lock.withLock { entries.filter { $0.id == address.id } }
    for entry in due { entry.listener.call(unit, address) }
  }
}
