// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// The units that one unit feeds, with an entry for each connection.
///
/// No thread acquires another lock while it holds this one, so that units connected in a circle can
/// be changed at the same time.
final class Consumers: @unchecked Sendable {
  private struct Entry {
    weak var unit: UnitInstance?
  }

  private let lock = Lock()
  private var entries: [Entry] = []
  /// Units that are no longer connected, but may still be in a render that began before.
  private var former: [Entry] = []

  /// [control thread] Adds or removes a connection to `unit`. Reports to `notify` whether there is
  /// more than one connection, before another thread can change that.
  func change(_ unit: UnitInstance, isConnected: Bool, _ notify: (Bool) -> Void) {
    lock.withLock {
      entries.removeAll { $0.unit == nil }
      former.removeAll { $0.unit == nil || $0.unit === unit }
      if isConnected {
        entries.append(Entry(unit: unit))
      } else if let index = entries.firstIndex(where: { $0.unit === unit }) {
        entries.remove(at: index)
        former.append(Entry(unit: unit))
      }
      notify(entries.count > 1)
    }
  }

  /// [control thread] The units whose renders may be reading this one's memory.
  var readers: [UnitInstance] { lock.withLock { (entries + former).compactMap(\.unit) } }

  /// [control thread] Runs `body` with the connected units, one for each connection. Meanwhile no
  /// connection can be added or removed.
  func withReaders(_ body: ([UnitInstance]) -> Void) {
    lock.withLock { body(entries.compactMap(\.unit)) }
  }

  /// [control thread] Disconnects all units from `source`.
  func disconnect(from source: UnitInstance) {
    let units = lock.withLock { entries.compactMap(\.unit) }
    for unit in units { unit.disconnect(from: source) }
  }
}
