// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Foundation

/// A named call that is made while a function of the program runs.
public struct MeanwhileCall: Sendable {
  let name: String
  let make: @Sendable () -> Void

  public init(_ name: String, _ make: @escaping @Sendable () -> Void) {
    self.name = name
    self.make = make
  }
}

/// Counts the calls of a program's functions, and records the problems that occurred during them.
public final class FunctionWatch: @unchecked Sendable {
  // Not a Mutex: the thread sanitizer does not see its waits.
  private let lock = NSLock()
  private var count = 0
  private var found: [String] = []
  /// The calls to make during `function`; emptied by the first call of it.
  private var calls: [MeanwhileCall] = []
  /// The function that makes the calls.
  private var function = ""

  public init() {}

  /// Lets the first call of `function` make `calls`: each on its own thread, where it must return
  /// while the function still runs, and then once more inside the function.
  public func arm(_ function: String, _ calls: [MeanwhileCall]) {
    lock.withLock { (self.function, self.calls) = (function, calls) }
  }

  public var callCount: Int { lock.withLock { count } }
  public var problems: [String] { lock.withLock { found.map { $0 } } }

  /// [in the function] Counts the call, and makes the armed calls. `itself` is false where these
  /// would end the caller of the function: then they are made on other threads only.
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
