// SPDX-License-Identifier: Apache-2.0

/// The units that take their input from one unit, an entry for each connection.
///
/// Its lock is the last that anyone takes, so that units connected in a circle can be changed at once.
final class Consumers: @unchecked Sendable {
  private struct Entry {
    weak var unit: UnitInstance?
  }

  private let lock = Lock()
  private var entries: [Entry] = []

  /// [control thread] One more connection leads to `unit`.
  func add(_ unit: UnitInstance) {
    lock.withLock {
      entries.removeAll { $0.unit == nil }
      entries.append(Entry(unit: unit))
    }
  }

  /// [control thread] One connection less leads to `unit`.
  func remove(_ unit: UnitInstance) {
    lock.withLock {
      if let index = entries.firstIndex(where: { $0.unit === unit }) { entries.remove(at: index) }
    }
  }

  /// [control thread] Undoes all connections from `source`; none of them pulls any more.
  func disconnect(from source: UnitInstance) {
    let units = lock.withLock { entries.compactMap(\.unit) }
    for unit in units { unit.disconnect(from: source) }
  }
}
