// SPDX-License-Identifier: Apache-2.0

/// An `os_unfair_lock` in memory of its own, with the state that it guards.
///
/// Copies share the lock and the state. A mistake ends the program with a sentence, as with the
/// functions of `os_unfair_lock`.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  private let storage: Storage

  private final class Storage {
    let lock: UnsafeMutablePointer<os_unfair_lock>
    var state: State

    init(_ state: State) {
      self.state = state
      lock = .allocate(capacity: 1)
      lock.initialize(to: os_unfair_lock())
    }

    deinit { lock.deallocate() }
  }

  /// [any thread] Makes a lock with a state that need not be `Sendable`.
  public init(uncheckedState initialState: State) { storage = Storage(initialState) }

  /// [any thread that may wait] Calls a function with the state while the lock is locked.
  public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
    os_unfair_lock_lock(storage.lock)
    defer { os_unfair_lock_unlock(storage.lock) }
    return try body(&storage.state)
  }

  /// [any thread that may wait] Calls a function with the state while the lock is locked.
  public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
    try withLockUnchecked(body)
  }

  /// [any thread] Calls a function with the state if the lock is free; otherwise returns nil.
  public func withLockIfAvailableUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R? {
    guard os_unfair_lock_trylock(storage.lock) else { return nil }
    defer { os_unfair_lock_unlock(storage.lock) }
    return try body(&storage.state)
  }

  /// [any thread] Calls a function with the state if the lock is free; otherwise returns nil.
  public func withLockIfAvailable<R: Sendable>(
    _ body: @Sendable (inout State) throws -> R
  ) rethrows -> R? {
    try withLockIfAvailableUnchecked(body)
  }

  /// Which thread has a lock.
  public enum Ownership: Hashable, Sendable {
    /// This thread has the lock.
    case owner
    /// This thread does not have the lock.
    case notOwner
  }

  /// [any thread] Ends the program unless this thread has the lock, or has it not.
  public func precondition(_ condition: Ownership) {
    switch condition {
    case .owner: os_unfair_lock_assert_owner(storage.lock)
    case .notOwner: os_unfair_lock_assert_not_owner(storage.lock)
    }
  }
}

extension OSAllocatedUnfairLock where State: Sendable {
  /// [any thread] Makes a lock with a state.
  public init(initialState: State) { self.init(uncheckedState: initialState) }
}

extension OSAllocatedUnfairLock where State == Void {
  /// [any thread] Makes a lock without a state.
  public init() { self.init(uncheckedState: ()) }

  /// [any thread that may wait] Locks.
  public func lock() { os_unfair_lock_lock(storage.lock) }

  /// [any thread] Locks if the lock is free.
  public func lockIfAvailable() -> Bool { os_unfair_lock_trylock(storage.lock) }

  /// [the thread that has the lock] Unlocks.
  public func unlock() { os_unfair_lock_unlock(storage.lock) }

  /// [any thread that may wait] Calls a function while the lock is locked.
  public func withLockUnchecked<R>(_ body: () throws -> R) rethrows -> R {
    try withLockUnchecked { _ in try body() }
  }

  /// [any thread that may wait] Calls a function while the lock is locked.
  public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R {
    try withLockUnchecked { _ in try body() }
  }
}
