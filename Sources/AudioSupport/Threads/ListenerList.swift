// SPDX-License-Identifier: Apache-2.0

/// The program's listeners of one object. A listener may be added several times; each entry is
/// called. No lock is held during a call, and after its removal a listener is not called any more.
package final class ListenerList<Listener>: @unchecked Sendable {  // `entries` is guarded by `lock`
  /// One listener as it was added.
  package struct Entry {
    package let listener: Listener
    fileprivate let calls = ProgramCalls.Entry()

    /// [any thread but a render thread, without a lock] Runs `body`, which calls the listener,
    /// unless it has been removed.
    package func call(_ body: @escaping (Listener) -> Void) {
      ProgramCalls.shared.run(calls) { body(listener) }
    }
  }

  private let lock = Lock()
  private var entries: [Entry] = []
  private let isReportedTo: Bool

  /// [control thread] An empty list. With `isReportedTo`, render threads report changes to its
  /// listeners, so the notifier checks for reports while there are any.
  package init(isReportedTo: Bool) { self.isReportedTo = isReportedTo }

  /// [any thread] Whether there are no listeners.
  package var isEmpty: Bool { lock.withLock { entries.isEmpty } }

  /// [control thread] Adds a listener behind all others.
  package func add(_ listener: Listener) {
    lock.withLock { entries.append(Entry(listener: listener)) }
    if isReportedTo { Notifier.shared.listenersChanged(by: 1) }
  }

  /// [any thread] The entries of the listeners that match, in the order in which they were added.
  package func entries(where matches: (Listener) -> Bool = { _ in true }) -> [Entry] {
    lock.withLock { entries.filter { matches($0.listener) } }
  }

  /// [any thread but a render thread, without a lock] Calls the listeners that match.
  package func call(
    where matches: (Listener) -> Bool = { _ in true }, _ body: @escaping (Listener) -> Void
  ) {
    for entry in entries(where: matches) { entry.call(body) }
  }

  /// [any thread] Removes the listeners that match, or only the first of them. With `waits`, none
  /// is being called on return, unless this is called by the listener or inside a render. Returns
  /// how many were removed.
  @discardableResult
  package func remove(
    onlyFirst: Bool = false, waits: Bool = true, where matches: (Listener) -> Bool = { _ in true }
  ) -> Int {
    let removed = lock.withLock {
      var removed: [Entry] = []
      entries.removeAll { entry in
        guard !onlyFirst || removed.isEmpty, matches(entry.listener) else { return false }
        removed.append(entry)
        return true
      }
      return removed
    }
    if isReportedTo { Notifier.shared.listenersChanged(by: -removed.count) }
    ProgramCalls.shared.remove(removed.map(\.calls), waits: waits)
    return removed.count
  }
}

extension ListenerList.Entry: Sendable where Listener: Sendable {}
