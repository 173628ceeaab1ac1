// SPDX-License-Identifier: Apache-2.0
@testable import AudioSupport
import Foundation
import Synchronization

/// A call by its name.
struct MeanwhileCall: Sendable {
  let name: String
  let make: @Sendable () -> Void

  init(_ name: String, _ make: @escaping @Sendable () -> Void) {
    self.name = name
    self.make = make
  }
}

/// Counts calls of a program's functions, and keeps what was wrong while they were called.
final class FunctionWatch: @unchecked Sendable {
  private let state = Mutex((calls: 0, problems: [String]()))
  /// What is called meanwhile; emptied by the first that takes it.
  private let calls = Mutex([MeanwhileCall]())
  /// By which function.
  private let function = Mutex("")

  func arm(_ function: String, _ calls: [MeanwhileCall]) {
    self.function.withLock { $0 = function }
    self.calls.withLock { $0 = calls }
  }

  var callCount: Int { state.withLock { $0.calls } }
  var problems: [String] { state.withLock { $0.problems } }

  func wasCalled(_ name: String) {
    let locks = Lock.heldCount
    state.withLock { state in
      state.calls += 1
      if locks > 0 { state.problems.append("\(locks) locks are held in \(name)") }
    }
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
      if isDone.wait(timeout: .now() + 30) != .success {
        state.withLock { $0.problems.append("\(call.name) waited for \(name)") }
      }
    }
    for call in calls { call.make() }
  }
}
