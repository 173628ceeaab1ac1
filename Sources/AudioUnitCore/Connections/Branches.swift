// SPDX-License-Identifier: Apache-2.0

/// The inputs of a unit that may be pulled at the same time. Immutable; the source tables own it.
package final class Branches: @unchecked Sendable {
  /// Each task is a list of inputs, which one thread pulls one after the other. The first task is
  /// for the thread that renders the unit. No unit is upstream of two tasks.
  package let tasks: [[Int]]
  /// The threads that share the tasks.
  package let team: AnyObject
  /// The form that rendering uses, a `ParallelPull`. Only the code in `Parallel` uses its contents.
  let parallelPull: UnsafeMutableRawPointer
  private let freeParallelPull: (UnsafeMutableRawPointer) -> Void

  /// [control thread] Takes ownership of `parallelPull`.
  init(
    _ tasks: [[Int]], _ team: AnyObject, parallelPull: UnsafeMutableRawPointer,
    freeParallelPull: @escaping (UnsafeMutableRawPointer) -> Void
  ) {
    self.tasks = tasks
    self.team = team
    self.parallelPull = parallelPull
    self.freeParallelPull = freeParallelPull
  }

  deinit { freeParallelPull(parallelPull) }
}
