// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Foundation

/// A call by its name.
public struct MeanwhileCall: Sendable {
  let name: String
  let make: @Sendable () -> Void

  public init(_ name: String, _ make: @escaping @Sendable () -> Void) {
    self.name = name
    self.make = make
  }
}

/// Counts calls of a program's functions, and keeps what was wrong while they were called.
public final class FunctionWatch: @unchecked Sendable {
  // Not a Mutex, whose waiting the thread sanitizer does not see.
  private let lock = NSLock()
  private var count = 0
  private var found: [String] = []
  /// What is called meanwhile; emptied by the first that takes it.
  private var calls: [MeanwhileCall] = []
  /// By which function.
  private var function = ""

  public init() {}

  /// Has the first call of `function` make `calls`: each on a thread of its own, which has to return while
  /// the function still runs, and then once more within the function.
  public func arm(_ function: String, _ calls: [MeanwhileCall]) {
    lock.withLock { (self.function, self.calls) = (function, calls) }
  }

  public var callCount: Int { lock.withLock { count } }
  public var problems: [String] { lock.withLock { found.map { $0 } } }

  /// [in the function] Notes the call, and makes those that it is armed with; without `itself` on other
  /// threads only, where the calls would end what the function is called for.
  public func wasCalled(_ name: String, itself: Bool = true) {
    let locks = rt_current().pointee.locks
    if locks > 0 { note("\(locks) locks are held in \(name)") }
    makeCalls(name, itself: itself)
    lock.withLock { count += 1 }
  }

  private func note(_ problem: String) { lock.withLock { found.append(problem) } }

  private func makeCalls(_ name: String, itself: Bool) {
    let calls = lock.withLock {
      guard function == name else { return [MeanwhileCall]() }
      defer { self.calls = [] }
      return self.calls
    }
    let others = calls.map { call in
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        call.make()
        isDone.signal()
      }
      return (call: call, isDone: isDone)
    }
    for (call, isDone) in others {
      if isDone.wait(timeout: .now() + 60) != .success {
        note("\(call.name) waited for \(name)")
      }
    }
    if itself { for call in calls { call.make() } }
  }
}
