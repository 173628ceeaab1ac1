// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Synchronization
import Testing

@testable import AudioSupport

@Suite("Listener list")
struct ListenerListTests {
  /// A listener that counts its calls.
  private final class Counter: Sendable {
    let id: Int
    let count = Atomic(0)

    init(_ id: Int) { self.id = id }

    func call() { count.wrappingAdd(1, ordering: .relaxed) }
    var calls: Int { count.load(ordering: .relaxed) }
  }

  @Test("calls the listeners that match, each as often as it was added")
  func calls() {
    let list = ListenerList<Counter>(isReportedTo: false)
    let (one, other) = (Counter(1), Counter(2))
    for listener in [one, other, one] { list.add(listener) }
    list.call(where: { $0.id == 1 }) { $0.call() }
    #expect(one.calls == 2 && other.calls == 0)
    list.call { $0.call() }
    #expect(one.calls == 4 && other.calls == 1)
  }

  @Test("removes the listeners that match, or only the first of them")
  func removal() {
    let list = ListenerList<Counter>(isReportedTo: false)
    let one = Counter(1)
    for listener in [one, Counter(2), one, one] { list.add(listener) }
    #expect(list.remove(onlyFirst: true) { $0 === one } == 1)
    #expect(list.entries().map(\.listener.id) == [2, 1, 1])
    #expect(list.remove { $0 === one } == 2)
    #expect(list.remove { $0 === one } == 0)
    list.remove()
    #expect(list.isEmpty)
  }

  @Test("does not call a listener that was removed after its entry was looked up")
  func lateCall() {
    let list = ListenerList<Counter>(isReportedTo: false)
    let listener = Counter(1)
    list.add(listener)
    let entries = list.entries()
    list.remove()
    for entry in entries { entry.call { $0.call() } }
    #expect(listener.calls == 0)
  }

  @Test("lets a listener remove itself during its call")
  func selfRemoval() {
    let list = ListenerList<Counter>(isReportedTo: false)
    let listener = Counter(1)
    list.add(listener)
    list.call { listener in
      list.remove { $0 === listener }
      listener.call()
    }
    list.call { $0.call() }
    #expect(listener.calls == 1)
  }

  @Test("waits for a running call when it removes a listener")
  func wait() {
    let list = ListenerList<Counter>(isReportedTo: false)
    list.add(Counter(1))
    let (begun, released) = (WakeUp(), WakeUp())
    let state = Guarded((isCalling: false, wasCallingAfterRemoval: false))
    let caller = OwnThread {
      list.call { _ in
        state.withLock { $0.isCalling = true }
        begun.raise()
        released.wait()
        state.withLock { $0.isCalling = false }
      }
    }
    begun.wait()
    let remover = OwnThread {
      list.remove()
      state.withLock { $0.wasCallingAfterRemoval = $0.isCalling }
    }
    released.raise()
    remover.join()
    caller.join()
    #expect(state.withLock { !$0.wasCallingAfterRemoval })
  }

  @Test("is whole while threads add, call and remove listeners at the same time")
  func storm() {
    let list = ListenerList<Counter>(isReportedTo: false)
    let results = Guarded((removed: 0, lateCalls: 0))
    let changers = (0..<3).map { id in
      OwnThread {
        for _ in 0..<500 {
          let listener = Counter(id)
          list.add(listener)
          let count = list.remove { $0 === listener }
          let calls = listener.calls
          rest()
          let late = listener.calls - calls
          results.withLock {
            $0.removed += count
            $0.lateCalls += late
          }
        }
      }
    }
    let callers = (0..<2).map { _ in
      OwnThread { for _ in 0..<1_000 { list.call { $0.call() } } }
    }
    for thread in changers + callers { thread.join() }
    #expect(results.withLock { $0.removed } == 1_500)
    #expect(results.withLock { $0.lateCalls } == 0)
    #expect(list.isEmpty)
  }
}
