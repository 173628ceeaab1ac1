// SPDX-License-Identifier: Apache-2.0

/// Which inputs of a unit may be pulled at the same time. Immutable, kept by the source tables.
package final class Branches: @unchecked Sendable {
  /// Inputs that are pulled one after the other by one thread. Those of the first task are for the
  /// thread that renders the unit. No unit is upstream of two tasks.
  package let tasks: [[Int]]
  /// The threads that share the tasks.
  package let team: AnyObject
  /// The form that rendering uses: a `Fork`. Only `Parallel` looks inside.
  let fork: UnsafeMutableRawPointer
  private let freeFork: (UnsafeMutableRawPointer) -> Void

  /// [control thread] Owns `fork`, and frees it at the end.
  init(
    _ tasks: [[Int]], _ team: AnyObject, fork: UnsafeMutableRawPointer,
    freeFork: @escaping (UnsafeMutableRawPointer) -> Void
  ) {
    self.tasks = tasks
    self.team = team
    self.fork = fork
    self.freeFork = freeFork
  }

  deinit { freeFork(fork) }
}
