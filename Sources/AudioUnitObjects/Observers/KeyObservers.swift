// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import Synchronization

/// The observers of a unit's properties, by the names of these.
final class KeyObservers: Sendable {
  /// Whether a property is about to change, or has changed.
  enum Moment: Sendable { case before, after }

  private struct Observer: Sendable {
    let number: Int
    let key: String
    let call: @Sendable (Moment) -> Void
  }

  private let list = ListenerList<Observer>(isReportedTo: false)
  private let last = Atomic<Int>(0)

  /// [control thread] Adds an observer of a property; returns its number.
  func add(_ key: String, _ call: @escaping @Sendable (Moment) -> Void) -> Int {
    let number = last.add(1, ordering: .relaxed).newValue
    list.add(Observer(number: number, key: key, call: call))
    return number
  }

  /// [any thread] Removes an observer.
  func remove(_ number: Int, waits: Bool) { list.remove(waits: waits) { $0.number == number } }

  /// [any thread but a render thread] Calls the observers of a property, as soon as this thread holds
  /// no lock. Those of a change that has not happened yet are not called under a lock.
  func call(_ key: String, _ moment: Moment) {
    guard !list.isEmpty else { return }
    // Later, a call before the change would read the new value.
    guard moment == .after || rt_current().pointee.locks == 0 else { return }
    AfterLocks.perform { [list] in
      list.call(where: { $0.key == key }) { $0.call(moment) }
    }
  }
}
