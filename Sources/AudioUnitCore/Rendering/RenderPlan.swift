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
  /// What holds the samples back, where branches are to arrive together.
  var delay: Unmanaged<DelayLine>?
  /// The same, as rendering sees it.
  var line: UnsafeMutablePointer<DelayLine.Line>?
}

/// What a render needs to know of a unit's surroundings: the source of each input and who is told.
///
/// Its two parts are built by the control side, published as a whole and never changed. Pointers to
/// memory, so that render code counts no references.
public struct RenderPlan: BitwiseCopyable {
  let sources: SourceTable
  let notifies: NotifyTable

  @_noLocks
  init(_ sources: SourceTable, _ notifies: NotifyTable) {
    self.sources = sources
    self.notifies = notifies
  }

  /// [render thread] Where an input's samples come from.
  @_noLocks
  package func source(_ input: Int) -> InputSource { sources.source(input) }

  /// [render thread] Whether anything feeds an input.
  @_noLocks
  package func hasSource(_ input: Int) -> Bool { source(input).kind != .none }

  /// Which inputs may be pulled at the same time; nil: one after the other.
  var fork: Fork? { @_noLocks get { sources.fork } }

  /// [render thread] Tells whoever wants to know that a render begins.
  @_noLocks
  package func notifyBefore(_ call: RenderCall, _ data: UnsafeMutablePointer<AudioBufferList>) {
    notifies.call(call, data, AudioUnitRenderActionFlags.unitRenderAction_PreRender.rawValue)
  }

  /// [render thread] Tells whoever wants to know that a render ended, and how.
  @_noLocks
  package func notifyAfter(
    _ call: RenderCall, _ data: UnsafeMutablePointer<AudioBufferList>, _ status: OSStatus
  ) {
    let failed = AudioUnitRenderActionFlags.unitRenderAction_PostRenderError.rawValue
    notifies.call(
      call, data,
      AudioUnitRenderActionFlags.unitRenderAction_PostRender.rawValue
        | (status == noErr ? 0 : failed))
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
    guard buffer.adopt(frames) else { return kAudioUnitErr_InvalidPropertyValue }
    if let line = source.line { line.pointee.exchange(buffer, frames, flags) }
    return noErr
  }
}
