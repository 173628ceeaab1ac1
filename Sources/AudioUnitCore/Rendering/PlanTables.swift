// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// The source of each input of a unit: immutable, a pointer to memory.
package struct SourceTable: Publishable, BitwiseCopyable {
  private struct Memory {
    /// After the last of them one that is none, for inputs that are not there.
    var inputs: UnsafeMutablePointer<InputSource>
    var count: Int
    /// Keeps `fork`.
    var branches: Unmanaged<Branches>?
    var fork: Fork?
  }

  package let address: UnsafeMutableRawPointer
  private var memory: UnsafeMutablePointer<Memory> {
    @_noLocks get { address.assumingMemoryBound(to: Memory.self) }
  }

  @_noLocks
  init(address: UnsafeMutableRawPointer) { self.address = address }

  /// [control thread] Keeps the connected units' memory until `deallocate`.
  static func allocate(_ sources: [InputSource], _ branches: Branches? = nil) -> Self {
    let inputs = UnsafeMutablePointer<InputSource>.allocate(capacity: sources.count + 1)
    (inputs + sources.count).initialize(to: InputSource())
    for (index, source) in sources.enumerated() {
      (inputs + index).initialize(to: source)
      _ = source.unit?.retain()
      _ = source.delay?.retain()
    }
    let memory = UnsafeMutablePointer<Memory>.allocate(capacity: 1)
    memory.initialize(
      to: Memory(
        inputs: inputs, count: sources.count, branches: branches.map { .passRetained($0) },
        fork: branches?.fork))
    return Self(address: UnsafeMutableRawPointer(memory))
  }

  package func deallocate() {
    for index in 0..<memory.pointee.count {
      memory.pointee.inputs[index].unit?.release()
      memory.pointee.inputs[index].delay?.release()
    }
    memory.pointee.branches?.release()
    memory.pointee.inputs.deallocate()
    memory.deallocate()
  }

  /// [render thread] Which inputs may be pulled at the same time, if any.
  var fork: Fork? { @_noLocks get { memory.pointee.fork } }

  /// [render thread] Where an input's samples come from.
  @_noLocks
  func source(_ input: Int) -> InputSource {
    let count = memory.pointee.count
    return memory.pointee.inputs[input < count ? input : count]
  }
}

/// Who is told of a unit's renders: immutable, a pointer to memory.
package struct NotifyTable: Publishable, BitwiseCopyable {
  private struct Memory {
    var notifies: UnsafeMutablePointer<RenderCallback>
    var count: Int
  }

  package let address: UnsafeMutableRawPointer
  private var memory: UnsafeMutablePointer<Memory> {
    @_noLocks get { address.assumingMemoryBound(to: Memory.self) }
  }

  @_noLocks
  init(address: UnsafeMutableRawPointer) { self.address = address }

  /// [control thread] A table of these.
  static func allocate(_ callbacks: [RenderCallback]) -> Self {
    let notifies = UnsafeMutablePointer<RenderCallback>.allocate(capacity: max(callbacks.count, 1))
    for (index, callback) in callbacks.enumerated() { (notifies + index).initialize(to: callback) }
    let memory = UnsafeMutablePointer<Memory>.allocate(capacity: 1)
    memory.initialize(to: Memory(notifies: notifies, count: callbacks.count))
    return Self(address: UnsafeMutableRawPointer(memory))
  }

  package func deallocate() {
    memory.pointee.notifies.deallocate()
    memory.deallocate()
  }

  /// [render thread] Calls each of them, with the call's flags and `added`. Each gets a copy.
  @_noLocks
  func call(
    _ call: RenderCall, _ data: UnsafeMutablePointer<AudioBufferList>, _ added: UInt32
  ) {
    for index in 0..<memory.pointee.count {
      let notify = memory.pointee.notifies[index]
      var flags = AudioUnitRenderActionFlags(rawValue: call.flags.pointee.rawValue | added)
      _ = callHost(
        notify.function, notify.context, &flags, call.time, call.bus, call.frameCount, data)
    }
  }
}
