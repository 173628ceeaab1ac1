// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Runs one of many random cases. If it takes longer than two minutes, it hangs: the process ends
/// and names the case, because no test can end a call that does not return.
package func bounded<Result>(
  _ name: @autoclosure () -> String, _ body: () throws -> Result
) rethrows -> Result {
  _ = watch
  let (name, end) = (name(), ContinuousClock.now + .seconds(120))
  let number = running.withLock { running in
    running.last += 1
    running.cases[running.last] = (name, end)
    return running.last
  }
  defer { running.withLock { $0.cases[number] = nil } }
  return try body()
}

/// The cases that run now, by the order of their starts.
private struct Cases {
  var last = 0
  var cases: [Int: (name: String, end: ContinuousClock.Instant)] = [:]
}

private let running = Mutex(Cases())

private let watch: Void = Thread.detachNewThread {
  while true {
    sleep(1)
    let now = ContinuousClock.now
    let hung = running.withLock { $0.cases.values.first { $0.end < now }?.name }
    guard let hung else { continue }
    FileHandle.standardError.write(Data("\(hung) hangs\n".utf8))
    abort()
  }
}
