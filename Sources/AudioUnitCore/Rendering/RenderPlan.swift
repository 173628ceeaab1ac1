// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// Where the input of one bus comes from.
package struct InputSource: BitwiseCopyable {
  package enum Kind: UInt8, BitwiseCopyable { case none, callback, connection }

  package var kind = Kind.none
  var callback: AURenderCallback?
  var context: UnsafeMutableRawPointer?
  var unit: Unmanaged<UnitInstance>?
  var bus: UInt32 = 0
}

/// What a render needs to know of a unit's surroundings: the source of each input and who is told.
///
/// Built by the control side, published as a whole and never changed. A pointer to memory, so that
/// render code counts no references.
public struct RenderPlan: Publishable {
  private struct Memory {
    var inputs: UnsafeMutablePointer<InputSource>
    var inputCount: Int
    var notifies: UnsafeMutablePointer<RenderCallback>
    var notifyCount: Int
  }

  package let address: UnsafeMutableRawPointer
  private var memory: UnsafeMutablePointer<Memory> {
    @_noLocks get { address.assumingMemoryBound(to: Memory.self) }
  }

  @_noLocks
  package init(address: UnsafeMutableRawPointer) { self.address = address }

  /// [control thread] Keeps the connected units' memory until `deallocate`.
  static func allocate(inputs sources: [InputSource], notifies callbacks: [RenderCallback]) -> Self
  {
    let inputs = UnsafeMutablePointer<InputSource>.allocate(capacity: max(sources.count, 1))
    let notifies = UnsafeMutablePointer<RenderCallback>.allocate(capacity: max(callbacks.count, 1))
    for (index, source) in sources.enumerated() {
      (inputs + index).initialize(to: source)
      _ = source.unit?.retain()
    }
    for (index, callback) in callbacks.enumerated() { (notifies + index).initialize(to: callback) }
    let memory = UnsafeMutablePointer<Memory>.allocate(capacity: 1)
    memory.initialize(
      to: Memory(
        inputs: inputs, inputCount: sources.count, notifies: notifies,
        notifyCount: callbacks.count))
    return Self(address: UnsafeMutableRawPointer(memory))
  }

  package func deallocate() {
    for index in 0..<memory.pointee.inputCount { memory.pointee.inputs[index].unit?.release() }
    memory.pointee.inputs.deallocate()
    memory.pointee.notifies.deallocate()
    memory.deallocate()
  }

  /// [render thread] Where an input's samples come from.
  @_noLocks
  package func source(_ input: Int) -> InputSource {
    input < memory.pointee.inputCount ? memory.pointee.inputs[input] : InputSource()
  }

  /// [render thread] Whether anything feeds an input.
  @_noLocks
  package func hasSource(_ input: Int) -> Bool { source(input).kind != .none }

  /// [render thread] Tells whoever wants to know that a render begins.
  @_noLocks
  package func notifyBefore(_ call: RenderCall, _ data: UnsafeMutablePointer<AudioBufferList>) {
    guard memory.pointee.notifyCount > 0 else { return }
    notify(call, data, AudioUnitRenderActionFlags.unitRenderAction_PreRender.rawValue)
  }

  /// [render thread] Tells whoever wants to know that a render ended, and how.
  @_noLocks
  package func notifyAfter(
    _ call: RenderCall, _ data: UnsafeMutablePointer<AudioBufferList>, _ status: OSStatus
  ) {
    guard memory.pointee.notifyCount > 0 else { return }
    let failed = AudioUnitRenderActionFlags.unitRenderAction_PostRenderError.rawValue
    notify(
      call, data,
      AudioUnitRenderActionFlags.unitRenderAction_PostRender.rawValue
        | (status == noErr ? 0 : failed))
  }

  /// Each callback gets a copy of the flags.
  @_noLocks
  private func notify(
    _ call: RenderCall, _ data: UnsafeMutablePointer<AudioBufferList>, _ added: UInt32
  ) {
    for index in 0..<memory.pointee.notifyCount {
      let notify = memory.pointee.notifies[index]
      var flags = AudioUnitRenderActionFlags(rawValue: call.flags.pointee.rawValue | added)
      _ = callHost(
        notify.function, notify.context, &flags, call.time, call.bus, call.frameCount, data)
    }
  }

  /// [render thread] Fills `buffer` with the next frames of an input: by its callback, in memory of
  /// ours, or by its connection, in the source's.
  @_noLocks
  package func pull(
    _ input: Int, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int, into buffer: BusBuffer,
    allocates: Bool
  ) -> OSStatus {
    let source = source(input)
    var status = kAudioUnitErr_NoConnection
    switch source.kind {
    case .none:
      return status
    case .callback:
      guard let function = source.callback else { return status }
      if allocates { buffer.prepare(frames) } else { buffer.prepareEmpty(frames) }
      status = callHost(
        function, source.context, flags, time, UInt32(input), UInt32(frames), buffer.list)
    case .connection:
      guard let unit = source.unit else { return status }
      buffer.prepareEmpty(frames)
      status = renderUnit(
        unit, RenderCall(flags, time, bus: source.bus, frameCount: UInt32(frames)), buffer.list)
    }
    guard status == noErr else { return status }
    return buffer.adopt(frames) ? noErr : kAudioUnitErr_InvalidPropertyValue
  }
}
