// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import SignalProcessing

/// The render notifications of a unit: a pointer to immutable memory.
package struct NotifyTable: Publishable, BitwiseCopyable {
  private struct Memory {
    let owner: OwnedMemory
    var notifies: UnsafeMutablePointer<RenderCallback>
    var count: Int
  }

  package let address: UnsafeMutableRawPointer
  private var memory: UnsafeMutablePointer<Memory> {
    @_noLocks get { address.assumingMemoryBound(to: Memory.self) }
  }

  @_noLocks
  init(address: UnsafeMutableRawPointer) { self.address = address }

  /// [control thread] Makes a table of these callbacks.
  static func allocate(_ callbacks: [RenderCallback]) -> Self {
    let owner = OwnedMemory()
    return Self(
      address: owner.cell(
        Memory(owner: owner, notifies: owner.array(callbacks), count: callbacks.count)))
  }

  package func deallocate() { memory.pointee.owner.deallocate() }

  /// [render thread] Calls the notifications before a render.
  @_noLocks
  package func before(_ call: RenderCall, _ data: UnsafeMutablePointer<AudioBufferList>) {
    notify(call, data, AudioUnitRenderActionFlags.unitRenderAction_PreRender.rawValue)
  }

  /// [render thread] Calls the notifications after a render, with its result.
  @_noLocks
  package func after(
    _ call: RenderCall, _ data: UnsafeMutablePointer<AudioBufferList>, _ status: OSStatus
  ) {
    let failed = AudioUnitRenderActionFlags.unitRenderAction_PostRenderError.rawValue
    notify(
      call, data,
      AudioUnitRenderActionFlags.unitRenderAction_PostRender.rawValue
        | (status == noErr ? 0 : failed))
  }

  /// Calls each notification with a copy of the call's flags to which `added` is added.
  @_noLocks
  private func notify(
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

extension RenderSide {
  /// [render thread] The current notifications.
  package var notifyTable: NotifyTable {
    @_noLocks get { NotifyTable(address: notifies.load()) }
  }
}
