// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// The property listeners of a unit.
struct PropertyListeners: Sendable {
  private struct Entry {
    let id: AudioUnitPropertyID
    let listener: PropertyListener
  }

  private let list = ListenerList<Entry>(isReportedTo: true)

  /// [control thread] Adds a listener of a property.
  func add(_ id: AudioUnitPropertyID, _ listener: PropertyListener) {
    list.add(Entry(id: id, listener: listener))
  }

  /// [any thread] Removes a listener of a property, as `UnitInstance.removePropertyListener` does.
  func remove(_ id: AudioUnitPropertyID, _ listener: PropertyListener, matchingUserData: Bool) {
    list.remove(waits: listener.isAwaited) {
      $0.id == id && $0.listener.isSame(listener, matchingUserData: matchingUserData)
    }
  }

  /// [any thread] Removes all listeners; waits for one that is being called.
  func removeAll() { list.remove() }

  /// [any thread] Whether no property has listeners.
  var isEmpty: Bool { list.isEmpty }

  /// [any thread] Whether a property has listeners.
  func contains(_ id: AudioUnitPropertyID) -> Bool { !list.entries { $0.id == id }.isEmpty }

  /// [any thread but a render thread] Calls the listeners of a property as soon as this thread
  /// holds no lock. Retains the unit until then.
  func notify(_ address: PropertyAddress, of unit: UnitInstance) {
    guard let handle = unit.handle else { return }
    AfterLocks.perform { [self, unit] in
      withExtendedLifetime(unit) {
        list.call(where: { $0.id == address.id }) { $0.listener.call(handle, address) }
      }
    }
  }
}
