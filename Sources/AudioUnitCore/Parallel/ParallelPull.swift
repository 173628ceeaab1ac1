// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CRealTime
import SignalProcessing

/// What render threads use of `Branches`: it pulls the inputs of a unit on several threads. A
/// pointer to memory with room for one render, because only one thread at a time renders a unit.
struct ParallelPull: BitwiseCopyable {
  private struct Memory {
    let owner: OwnedMemory
    var pool: UnsafeMutablePointer<RenderTaskPool>
    var taskCount: Int
    /// The start of each task's inputs in `inputs`; after the last task, their end.
    var starts: UnsafeMutablePointer<Int>
    var inputs: UnsafeMutablePointer<Int>
    var inputCount: Int
    /// Whether an input is pulled in this render, and the result.
    var isRequested: UnsafeMutablePointer<Bool>
    var results: UnsafeMutablePointer<OSStatus>
    var pull: MixerInputPull?
    /// The number of device cycles that wait for this render: `rt_context.cycles`.
    var cycles: Int32 = 0
    /// The last duration of each task in nanoseconds; nil if it is not needed.
    var times: UnsafeMutablePointer<UInt64>?
  }

  private let memory: UnsafeMutablePointer<Memory>

  @_noLocks
  init(address: UnsafeMutableRawPointer) {
    memory = address.assumingMemoryBound(to: Memory.self)
  }

  var address: UnsafeMutableRawPointer { UnsafeMutableRawPointer(memory) }

  /// [control thread] A pull of these tasks, which helpers get from `pool`.
  init(
    _ tasks: [[Int]], inputCount: Int, _ pool: UnsafeMutablePointer<RenderTaskPool>
  ) {
    let owner = OwnedMemory()
    let starts = tasks.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    memory = owner.cell(
      Memory(
        owner: owner, pool: pool, taskCount: tasks.count, starts: owner.array(starts),
        inputs: owner.array(tasks.flatMap(\.self)), inputCount: inputCount,
        isRequested: owner.array(inputCount, of: false),
        results: owner.array(inputCount, of: noErr), pull: nil,
        times: pool.pointee.minimumWork > 0 ? owner.array(tasks.count, of: 0) : nil))
  }

  /// [control thread] Frees the memory; nothing may use it any more.
  func deallocate() { memory.pointee.owner.deallocate() }

  /// [render thread] Sets whether an input will be pulled in the coming render.
  @_noLocks
  func request(_ input: Int, _ isRequested: Bool) {
    memory.pointee.isRequested[input] = isRequested
  }

  /// [render thread] Pulls all requested inputs. If several fail, returns the error of the one with
  /// the lowest number.
  @_noLocks
  func run(_ pull: MixerInputPull) -> OSStatus {
    memory.pointee.pull = pull
    memory.pointee.cycles = rt_current().pointee.cycles
    memory.pointee.pool.pointee.run(self)
    for input in 0..<memory.pointee.inputCount
    where memory.pointee.isRequested[input] && memory.pointee.results[input] != noErr {
      return memory.pointee.results[input]
    }
    return noErr
  }

  /// The number of tasks.
  var taskCount: Int { @_noLocks get { memory.pointee.taskCount } }

  /// The total duration of all tasks in the previous render, in nanoseconds; at first 0.
  var work: UInt64 {
    @_noLocks get {
      guard let times = memory.pointee.times else { return .max }
      var sum: UInt64 = 0
      for task in 0..<taskCount { sum += times[task] }
      return sum
    }
  }

  /// [render thread] Runs one of the tasks.
  @_noLocks
  func run(_ task: Int) {
    let own = rt_current().pointee.cycles
    rt_current().pointee.cycles = memory.pointee.cycles
    defer { rt_current().pointee.cycles = own }
    guard let times = memory.pointee.times else { return pullInputs(task) }
    let start = rt_host_time()
    pullInputs(task)
    times[task] = rt_host_time() - start
  }

  @_noLocks
  private func pullInputs(_ task: Int) {
    guard let pull = memory.pointee.pull else { return }
    for index in memory.pointee.starts[task]..<memory.pointee.starts[task + 1] {
      let input = memory.pointee.inputs[index]
      guard memory.pointee.isRequested[input] else { continue }
      memory.pointee.results[input] = pull(input)
    }
  }
}

extension SourceTable {
  /// The pull on several threads; nil: inputs are pulled one after the other.
  var parallelPull: ParallelPull? {
    @_noLocks get {
      guard let address = parallelPullAddress else { return nil }
      return ParallelPull(address: address)
    }
  }
}

extension Branches {
  /// [control thread] The branches of a unit with `inputCount` inputs, for the threads of `team`.
  package convenience init(_ tasks: [[Int]], inputCount: Int, _ team: RenderTeam) {
    let parallelPull = ParallelPull(tasks, inputCount: inputCount, team.pool)
    self.init(tasks, team, parallelPull: parallelPull.address) {
      ParallelPull(address: $0).deallocate()
    }
  }
}
