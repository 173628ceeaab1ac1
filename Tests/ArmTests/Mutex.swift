// SPDX-License-Identifier: Apache-2.0
// Stands in for the lock of the module Synchronization, which Embedded Swift does not have on these processors.
// The test has one thread. It is compiled into the module, where its name comes before an imported one.

struct Mutex<Value>: @unchecked Sendable {
  private final class Storage {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  private let storage: Storage

  init(_ value: Value) { storage = Storage(value) }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result { body(&storage.value) }
}
