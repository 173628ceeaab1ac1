// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import Glibc
import Synchronization

/// The lock of a file: calls for one file wait for each other, but never for a function of the program.
///
/// While such a function reads or writes the bytes of a file, others may have the lock: to look at
/// the file, or to end it. Whoever ends it waits for that function, seconds at most as it may wait
/// for him; inside it, or in vain, the file ends when the call that is under way returns. What
/// changes the file meanwhile would find it between two of its states: that is refused, on another
/// thread after it has waited in vain.
final class FileLock: @unchecked Sendable {
  /// How long a change waits for another, and an end for calls that are under way, in milliseconds.
  private static let (patience, endPatience) = (500, 3_000)

  private let lock = Lock()
  /// The thread that has the lock; 0 for none.
  private let holder = Atomic<UInt>(0)
  // All that follows belongs to the holder.
  /// How often it has taken the lock.
  private var depth = 0
  /// Calls under way, nested ones and those inside a function of the program too.
  private var callCount = 0
  /// The thread that changes the file; 0 for none.
  private var changer: UInt = 0
  /// Threads that are inside a function of the program.
  private var inside: [UInt] = []
  /// What is done when no call is under way any more.
  private var ending: (() -> Void)?

  private static var thread: UInt { UInt(pthread_self()) }

  /// [control thread] Runs `body` when no other thread is in this file, or only ones that are
  /// inside a function of the program.
  ///
  /// - Throws: When `body` changes the file and would do so in the middle of another change.
  func run<Result>(
    changes: Bool, name: @autoclosure () -> String, _ body: () throws(AudioError) -> Result
  ) throws(AudioError) -> Result {
    let isNested = holder.load(ordering: .relaxed) == Self.thread
    acquire()
    defer { release() }
    if changes, !isNested { try waitForChanges(name) }
    let isChanger = changes && changer == 0
    if isChanger { changer = Self.thread }
    callCount += 1
    defer {
      if isChanger { changer = 0 }
      callCount -= 1
      if callCount == 0, let ending {
        self.ending = nil
        ending()
      }
    }
    return try body()
  }

  /// [control thread] Waits until no call is under way, if that may come: false inside a function
  /// of the program, and where such a function takes seconds, which may wait for this thread.
  func settle() -> Bool {
    acquire()
    defer { release() }
    var waited = 0
    while callCount > 0, !inside.contains(Self.thread), waited < Self.endPatience {
      waited += 1
      released { _ = usleep(1_000) }
    }
    return callCount == 0
  }

  /// [control thread] Runs `body` when no call is under way: at once, or where `settle` cannot wait for that,
  /// on the thread that returns last.
  func end(_ body: @escaping () -> Void) {
    acquire()
    defer { release() }
    guard !settle() else { return body() }
    let earlier = ending
    ending = {
      earlier?()
      body()
    }
  }

  /// [any thread] Runs `body`, which calls a function of the program, while others may have the lock.
  func lend<Result>(_ body: () -> Result) -> Result {
    guard holder.load(ordering: .relaxed) == Self.thread else { return body() }
    inside.append(Self.thread)
    defer {
      if let index = inside.lastIndex(of: Self.thread) { inside.remove(at: index) }
    }
    return released(body)
  }

  /// Runs `body` without the lock, which this thread has.
  private func released<Result>(_ body: () -> Result) -> Result {
    let depth = depth
    self.depth = 1
    release()
    defer {
      acquire()
      self.depth = depth
    }
    return body()
  }

  private func acquire() {
    if holder.load(ordering: .relaxed) != Self.thread {
      lock.lock()
      holder.store(Self.thread, ordering: .relaxed)
    }
    depth += 1
  }

  private func release() {
    depth -= 1
    guard depth == 0 else { return }
    holder.store(0, ordering: .relaxed)
    lock.unlock()
  }

  private func waitForChanges(_ name: () -> String) throws(AudioError) {
    var waited = 0
    while changer != 0 {
      guard changer != Self.thread, waited < Self.patience else {
        throw .fileOperationNotSupported.because(
          "\(name()): cannot be changed while one of its functions is called by another change")
      }
      waited += 1
      released { _ = usleep(1_000) }
    }
  }
}
