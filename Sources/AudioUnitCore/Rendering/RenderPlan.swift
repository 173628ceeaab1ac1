// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// Where the input of one bus comes from.
///
/// What a pull looks at comes first.
package struct InputSource: BitwiseCopyable {
  package enum Kind: UInt8, BitwiseCopyable { case none, callback, connection }

  package var kind = Kind.none
  /// Of the connected unit.
  var bus: UInt32 = 0
  /// The render side of a connected unit that runs a kernel: the short way to it.
  var side: UnsafeMutablePointer<RenderSide>?
  var callback: AURenderCallback?
  var context: UnsafeMutableRawPointer?
  /// What holds the samples back, where branches are to arrive together; `delay` keeps it.
  var line: UnsafeMutablePointer<DelayLine.Line>?
  var unit: Unmanaged<UnitInstance>?
  var delay: Unmanaged<DelayLine>?

  /// [control thread] Output `bus` of a unit.
  static func connection(_ unit: UnitInstance, bus: UInt32) -> Self {
    var source = Self()
    source.kind = .connection
    source.unit = .passUnretained(unit)
    source.side = (unit as? KernelUnit)?.side
    source.bus = bus
    return source
  }

  /// [control thread] A host's callback.
  static func callback(_ callback: AURenderCallbackStruct) -> Self {
    var source = Self()
    source.kind = .callback
    source.callback = callback.inputProc
    source.context = callback.inputProcRefCon
    return source
  }
}

/// What a render needs to know of a unit's surroundings: the source of each input.
///
/// Built by the control side, published as a whole and never changed. A pointer to memory, so that
/// render code counts no references.
public struct RenderPlan: BitwiseCopyable {
  let sources: SourceTable

  @_noLocks
  init(_ sources: SourceTable) { self.sources = sources }

  /// [render thread] Whether anything feeds an input.
  @_noLocks
  package func hasSource(_ input: Int) -> Bool {
    if case .none = sources[input].pointee.kind { return false }
    return true
  }

  /// Which inputs may be pulled at the same time; nil: one after the other.
  var fork: Fork? { @_noLocks get { sources.fork } }

  /// [render thread] Whether a unit may hand on the memory of an input as its own: it is that of a unit
  /// of ours which feeds nobody else.
  @_noLocks @inline(__always)
  func lends(_ input: Int) -> Bool {
    guard let side = sources[input].pointee.side else { return false }
    return !side.pointee.attention.has(.shared)
  }

  /// [render thread] Fills `buffer` with the next frames of an input: by its callback, in memory of
  /// ours, or by its connection, in the source's. `isPrepared`: its list says already where a callback
  /// is to leave them.
  @_noLocks @inline(__always)
  package func pull(
    _ input: Int, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int, into buffer: BusBuffer,
    allocates: Bool, isPrepared: Bool = false
  ) -> OSStatus {
    let source = sources[input]
    var status: OSStatus?
    if let side = source.pointee.side {
      let call = RenderCall(flags, time, bus: source.pointee.bus, frameCount: UInt32(frames))
      status = side.pointee.pull(call, into: buffer)
    }
    let answer =
      status
      ?? pull(
        source, input, flags, time, frames, into: buffer,
        isPrepared ? .asItIs : allocates ? .memory : .empty)
    guard answer == noErr, let line = source.pointee.line else { return answer }
    line.pointee.exchange(buffer, frames, flags)
    return noErr
  }

  /// How a list is to be before a callback gets it.
  private enum Preparation: UInt8, BitwiseCopyable { case asItIs, memory, empty }

  /// Pulls any kind of source, by a list.
  @_noLocks @inline(never)
  private func pull(
    _ source: UnsafePointer<InputSource>, _ input: Int,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int, into buffer: BusBuffer,
    _ preparation: Preparation
  ) -> OSStatus {
    var status = kAudioUnitErr_NoConnection
    switch source.pointee.kind {
    case .none:
      return status
    case .callback:
      guard let function = source.pointee.callback else { return status }
      switch preparation {
      case .asItIs: break
      case .memory: buffer.prepareList(frames)
      case .empty: buffer.prepareEmptyList(frames)
      }
      status = callHost(
        function, source.pointee.context, flags, time, UInt32(input), UInt32(frames), buffer.list)
    case .connection:
      guard let unit = source.pointee.unit else { return status }
      buffer.prepareEmptyList(frames)
      status = renderUnit(
        unit, RenderCall(flags, time, bus: source.pointee.bus, frameCount: UInt32(frames)),
        buffer.list)
    }
    guard status == noErr else { return status }
    return buffer.adopt(frames) ? noErr : kAudioUnitErr_InvalidPropertyValue
  }
}
