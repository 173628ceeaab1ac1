// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// The units that take their input from one unit, an entry for each connection.
///
/// Its lock is the last that anyone takes, so that units connected in a circle can be changed at once.
final class Consumers: @unchecked Sendable {
  private struct Entry {
    weak var unit: UnitInstance?
  }

  private let lock = Lock()
  private var entries: [Entry] = []
  /// Units that are connected no more: a render of theirs may have begun before.
  private var former: [Entry] = []

  /// [control thread] One more connection leads to `unit`, or one less. `notify` is called with whether
  /// there are more than one, before another thread changes that.
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

  /// [control thread] The units whose renders may be reading what this one gave them.
  var readers: [UnitInstance] { lock.withLock { (entries + former).compactMap(\.unit) } }

  /// [control thread] Runs `body` with the units that are connected now, one for each connection, while
  /// none comes or goes.
  func withReaders(_ body: ([UnitInstance]) -> Void) {
    lock.withLock { body(entries.compactMap(\.unit)) }
  }

  /// [control thread] Undoes all connections from `source`; none of them pulls any more.
  func disconnect(from source: UnitInstance) {
    let units = lock.withLock { entries.compactMap(\.unit) }
    for unit in units { unit.disconnect(from: source) }
  }
}
