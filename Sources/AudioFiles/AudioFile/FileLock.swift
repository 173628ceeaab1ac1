// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import Glibc
import Synchronization

/// The lock of a file: calls for one file wait for each other, but never for a function of the
/// program.
///
/// While such a function reads or writes the file's bytes, other threads may take the lock to read
/// or to close the file. Closing waits for that function, at most a few seconds because the
/// function may be waiting for the closing thread; inside the function, or after a timeout, the
/// file closes when the current call returns. A change would find the file in the middle of another
/// change: it is refused, on another thread after a timeout.
final class FileLock: @unchecked Sendable {
  /// The longest waits in milliseconds: of a change for another change, and of a close for current
  /// calls.
  private static let (patience, endPatience) = (500, 3_000)

  private let lock = Lock()
  /// The thread that has the lock; 0 for none.
  private let holder = Atomic<UInt>(0)
  // Everything below belongs to the holder.
  /// How often it has taken the lock.
  private var depth = 0
  /// Calls in progress, including nested ones and those inside a function of the program.
  private var callCount = 0
  /// The thread that changes the file; 0 for none.
  private var changer: UInt = 0
  /// Threads that are inside a function of the program.
  private var inside: [UInt] = []
  /// Runs when no call is in progress any more.
  private var ending: (() -> Void)?

  private static var thread: UInt { UInt(pthread_self()) }

  /// [control thread] Runs `body` when no other thread is in this file, or only threads that are
  /// inside a function of the program.
  ///
  /// - Throws: When `body` changes the file in the middle of another change.
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

  /// [control thread] Waits until no call is in progress. False inside a function of the program,
  /// and when such a function takes seconds, as it may be waiting for this thread.
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

  /// [control thread] Runs `body` when no call is in progress: at once, or where `settle` cannot
  /// wait for that, on the thread that returns last.
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

  /// [any thread] Runs `body`, which calls a function of the program, while others may take the
  /// lock.
  func lend<Result>(_ body: () -> Result) -> Result {
    guard holder.load(ordering: .relaxed) == Self.thread else { return body() }
    inside.append(Self.thread)
    defer {
      if let index = inside.lastIndex(of: Self.thread) { inside.remove(at: index) }
    }
    return released(body)
  }

  /// Runs `body` without the lock, which this thread holds.
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
