// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// What render threads have to tell listeners, carried to a thread that may wait and allocate.
///
/// A bounded queue for many writers and one reader (D. Vyukov's): each cell carries a turn number,
/// writers compete for a cell with one atomic operation, and nobody waits for anybody.
final class RenderMailbox: @unchecked Sendable {  // cells are handed over by their turns
  private struct Cell: ~Copyable {
    let turn: Atomic<Int>
    var telling: Telling?
  }

  private let capacity = 1024
  private let cells: UnsafeMutablePointer<Cell>
  private let head = Atomic(0)
  private var tail = 0
  private let arrivals = DispatchSemaphore(value: 0)
  private let isOpen = Atomic(false)

  init() {
    cells = .allocate(capacity: capacity)
    for index in 0..<capacity {
      (cells + index).initialize(to: Cell(turn: Atomic(index), telling: nil))
    }
  }

  deinit { cells.deinitialize(count: capacity).deallocate() }

  /// [control thread] Has `deliver` called for everything posted, on a thread that lives as long as
  /// the process; once.
  func open(_ deliver: @escaping @Sendable (Telling) -> Void) {
    guard !isOpen.exchange(true, ordering: .relaxed) else { return }
    let thread = Thread { [self] in
      while true {
        arrivals.wait()
        while let telling = take() { deliver(telling) }
      }
    }
    thread.name = "audio-listeners"
    thread.start()
  }

  /// [render thread] Leaves word. Lost when a thousand wait already.
  func post(_ telling: Telling) {
    var position = head.load(ordering: .relaxed)
    while true {
      let cell = cells + position % capacity
      let turn = cell.pointee.turn.load(ordering: .acquiring)
      if turn < position { return }
      if turn == position {
        let (won, seen) = head.compareExchange(
          expected: position, desired: position + 1, ordering: .relaxed)
        if won {
          cell.pointee.telling = telling
          cell.pointee.turn.store(position + 1, ordering: .releasing)
          arrivals.signal()
          return
        }
        position = seen
      } else {
        position = head.load(ordering: .relaxed)
      }
    }
  }

  private func take() -> Telling? {
    let cell = cells + tail % capacity
    guard cell.pointee.turn.load(ordering: .acquiring) == tail + 1 else { return nil }
    let telling = cell.pointee.telling
    cell.pointee.turn.store(tail + capacity, ordering: .releasing)
    tail += 1
    return telling
  }
}
