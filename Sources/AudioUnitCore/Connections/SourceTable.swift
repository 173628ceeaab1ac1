// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import Synchronization

/// The input sources of a unit: what feeds each input, for one render.
///
/// A control thread makes it and publishes it as a whole; it never changes. It is a pointer to
/// memory, so that render code counts no references.
public struct SourceTable: Publishable, BitwiseCopyable {
  /// The header. The sources follow it in memory, and an empty one after the last, for inputs that
  /// do not exist; then `Fed`, with the numbers of the inputs behind it. The members of the first source
  /// that a pull reads are in the cache line of the header.
  private struct Memory {
    var count: Int
    /// A `ParallelPull`, if inputs may be pulled at the same time. Only the code in `Parallel` uses
    /// its contents.
    var parallelPull: UnsafeMutableRawPointer?
    /// Owns `parallelPull`.
    var branches: Unmanaged<Branches>?
  }

  /// The inputs that have a source.
  private struct Fed {
    /// No other table has had this number.
    let table: UInt64
    let count: Int
  }

  private static let lastNumber = Atomic<UInt64>(0)

  package let address: UnsafeMutableRawPointer
  private var memory: UnsafeMutablePointer<Memory> {
    @_noLocks get { address.assumingMemoryBound(to: Memory.self) }
  }
  private var inputs: UnsafeMutablePointer<InputSource> {
    @_noLocks get {
      (address + MemoryLayout<Memory>.stride).assumingMemoryBound(to: InputSource.self)
    }
  }
  private var fed: UnsafeMutablePointer<Fed> {
    @_noLocks get {
      UnsafeMutableRawPointer(inputs + memory.pointee.count + 1).assumingMemoryBound(to: Fed.self)
    }
  }

  @_noLocks
  init(address: UnsafeMutableRawPointer) { self.address = address }

  /// [control thread] Makes a table, which retains the connected units until `deallocate`.
  static func allocate(_ sources: [InputSource], _ branches: Branches? = nil) -> Self {
    let fed = sources.indices.filter { sources[$0].exists }
    let table = Self(
      address: .allocate(
        byteCount: MemoryLayout<Memory>.stride
          + (sources.count + 1) * MemoryLayout<InputSource>.stride + MemoryLayout<Fed>.stride
          + fed.count * MemoryLayout<Int>.stride, alignment: RenderArena.line))
    table.address.bindMemory(to: Memory.self, capacity: 1).initialize(
      to: Memory(
        count: sources.count, parallelPull: branches?.parallelPull,
        branches: branches.map { .passRetained($0) }))
    (table.address + MemoryLayout<Memory>.stride).bindMemory(
      to: InputSource.self, capacity: sources.count + 1)
    (table.inputs + sources.count).initialize(to: InputSource())
    for (index, source) in sources.enumerated() {
      (table.inputs + index).initialize(to: source)
      _ = source.unit?.retain()
      _ = source.delay?.retain()
      _ = source.crossfade?.retain()
    }
    let number = lastNumber.add(1, ordering: .relaxed).newValue
    (UnsafeMutableRawPointer(table.inputs + sources.count + 1)).bindMemory(
      to: Fed.self, capacity: 1
    ).initialize(to: Fed(table: number, count: fed.count))
    UnsafeMutableRawPointer(table.fed + 1).bindMemory(to: Int.self, capacity: fed.count)
      .initialize(from: fed, count: fed.count)
    return table
  }

  package func deallocate() {
    for index in 0..<memory.pointee.count {
      inputs[index].unit?.release()
      inputs[index].delay?.release()
      inputs[index].crossfade?.release()
    }
    memory.pointee.branches?.release()
    address.deallocate()
  }

  /// [render thread] The inputs that may be pulled at the same time, if any.
  var parallelPullAddress: UnsafeMutableRawPointer? {
    @_noLocks get { memory.pointee.parallelPull }
  }

  /// [render thread] The number of the table, which is above 0 and which no other table has had.
  var number: UInt64 { @_noLocks get { fed.pointee.table } }

  /// [render thread] The inputs that have a source, in order.
  var fedInputs: BusNumbers {
    @_noLocks @inline(__always)
    get {
      BusNumbers(
        numbers: UnsafePointer(
          UnsafeMutableRawPointer(fed + 1).assumingMemoryBound(to: Int.self)),
        count: fed.pointee.count)
    }
  }

  /// [render thread] The source of an input.
  @_noLocks
  subscript(input: Int) -> UnsafePointer<InputSource> {
    let count = memory.pointee.count
    return UnsafePointer(inputs + (input < count ? input : count))
  }

  /// [render thread] The sources of the first `count` inputs, to be pulled one after the other; nil
  /// if some may be pulled at the same time.
  @_noLocks @inline(__always)
  func oneByOne(_ count: Int) -> UnsafePointer<InputSource>? {
    memory.pointee.parallelPull == nil && count <= memory.pointee.count
      ? UnsafePointer(inputs) : nil
  }
}
