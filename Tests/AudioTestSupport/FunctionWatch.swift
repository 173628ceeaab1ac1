// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Foundation
import Synchronization

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
  private let state = Mutex((calls: 0, problems: [String]()))
  /// What is called meanwhile; emptied by the first that takes it.
  private let calls = Mutex([MeanwhileCall]())
  /// By which function.
  private let function = Mutex("")

  public init() {}

  /// Has the first call of `function` make `calls`: each on a thread of its own, which has to return while
  /// the function still runs, and then once more within the function.
  public func arm(_ function: String, _ calls: [MeanwhileCall]) {
    self.function.withLock { $0 = function }
    self.calls.withLock { $0 = calls }
  }

  public var callCount: Int { state.withLock { $0.calls } }
  public var problems: [String] { state.withLock { $0.problems } }

  /// [in the function] Notes the call, and makes those that it is armed with; without `itself` on other
  /// threads only, where the calls would end what the function is called for.
  public func wasCalled(_ name: String, itself: Bool = true) {
    let locks = rt_current().pointee.locks
    state.withLock { state in
      if locks > 0 { state.problems.append("\(locks) locks are held in \(name)") }
    }
    makeCalls(name, itself: itself)
    state.withLock { $0.calls += 1 }
  }

  private func makeCalls(_ name: String, itself: Bool) {
    guard function.withLock({ $0 }) == name else { return }
    let calls = calls.withLock { calls in
      defer { calls = [] }
      return calls
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
        state.withLock { $0.problems.append("\(call.name) waited for \(name)") }
      }
    }
    if itself { for call in calls { call.make() } }
  }
}
